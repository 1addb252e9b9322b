package party

import (
	"context"
	"encoding/json"

	"daybook/internal/base/db"
	"daybook/internal/books/record"
)

const columns = `r.id, r.business_id, r.type, r.display_name, r.legal_name, r.first_name, r.last_name, r.email, r.phone, r.tax_number, r.currency,
	r.address, r.shipping_address, r.payment_terms_days, r.default_tax_rate_id, r.notes, r.status, r.made_by, r.changed_by, r.version, r.created_at, r.updated_at,
	` + record.ExternalColumn

// balances are sums of debit − credit: what a customer owes is a debit and credit of theirs a credit, and for a supplier it is
// the other way round.
var balances = map[record.Kind]string{
	record.Customer: balance("sum(s.balance)", "'RECEIVABLE', 'CUSTOMER_CREDIT'"),
	record.Supplier: balance("-sum(s.balance)", "'PAYABLE', 'SUPPLIER_PREPAYMENT'"),
}

func balance(sum, roles string) string {
	return `(SELECT CAST(coalesce(` + sum + `, 0) AS BIGINT) FROM party_balances s JOIN accounts a ON a.id = s.account_id
		WHERE s.business_id = r.business_id AND s.party_id = r.id AND a.system_role IN (` + roles + `))`
}

func source(kind record.Kind) record.Source {
	return record.Source{
		Columns: columns + ", " + balances[kind], From: "parties r" + record.ExternalJoin, Where: "AND r.kind = '" + natures[kind].word + "'",
	}
}

func scanner(kind record.Kind) func(db.Scan) (Party, error) {
	return func(read db.Scan) (Party, error) {
		p := Party{Kind: kind}
		err := read(&p.ID, &p.BusinessID, &p.Type, &p.DisplayName, &p.LegalName, &p.FirstName, &p.LastName, &p.Email, &p.Phone, &p.TaxNumber, &p.Currency,
			addressColumn{&p.Address}, addressColumn{&p.ShippingAddress}, &p.PaymentTermsDays, &p.DefaultTaxRateID, &p.Notes, &p.Status, db.JSON(&p.MadeBy),
			db.JSON(&p.ChangedBy), &p.Version, &p.CreatedAt, &p.UpdatedAt, &p.ExternalID, &p.Balance)
		return p, err
	}
}

// find reads a party, what the calling app calls it, and its balance.
func find(ctx context.Context, tx *db.Tx, by record.Call, kind record.Kind, partyID string) (Party, error) {
	s := source(kind)
	return db.One(ctx, tx, scanner(kind), `SELECT `+s.Columns+` FROM `+s.From+` WHERE r.business_id = $1 AND r.id = $3 `+s.Where,
		by.BusinessID, by.Actor.AppID, partyID)
}

// findMany reads parties for documents, which do not care for their balances.
func findMany(ctx context.Context, tx *db.Tx, by record.Call, kind record.Kind, ids []string) ([]Party, error) {
	s := source(kind)
	s.Columns = columns + ", CAST(0 AS BIGINT)"
	args := []any{by.BusinessID, by.Actor.AppID}
	for _, i := range ids {
		args = append(args, i)
	}
	return db.All(ctx, tx, scanner(kind), `SELECT `+s.Columns+` FROM `+s.From+` WHERE `+record.ByID+` = $1 AND r.id IN (`+db.In(3, len(ids))+`) `+s.Where, args...)
}

var into = db.NewInsert("parties", `business_id, id, kind, made_by, created_at, type, display_name, search, legal_name, first_name, last_name, email,
	email_key, phone, tax_number, currency, address, shipping_address, payment_terms_days, default_tax_rate_id, notes, status, changed_by, version,
	updated_at`, "")

func insert(ctx context.Context, tx *db.Tx, parties ...Party) error {
	var rows []any
	for _, p := range parties {
		rows = append(append(rows, p.BusinessID, p.ID, natures[p.Kind].word, db.JSON(p.MadeBy), p.CreatedAt), members(p)...)
	}
	return into.Exec(ctx, tx, rows)
}

func update(ctx context.Context, tx *db.Tx, p Party) error {
	_, err := tx.Exec(ctx, `UPDATE parties SET (type, display_name, search, legal_name, first_name, last_name, email, email_key, phone, tax_number, currency,
		address, shipping_address, payment_terms_days, default_tax_rate_id, notes, status, changed_by, version, updated_at) = (`+db.In(3, 20)+`)
		WHERE business_id = $1 AND id = $2`, append([]any{p.BusinessID, p.ID}, members(p)...)...)
	return err
}

// members are the columns that a party may change, in the order of the statements above.
func members(p Party) []any {
	return []any{p.Type, p.DisplayName, p.search(), p.LegalName, p.FirstName, p.LastName, p.Email, p.emailKey(), p.Phone, p.TaxNumber, p.Currency.Code(),
		addressText(p.Address), addressText(p.ShippingAddress), p.PaymentTermsDays, p.DefaultTaxRateID, p.Notes, p.Status, db.JSON(p.ChangedBy), p.Version,
		p.UpdatedAt}
}

func remove(ctx context.Context, tx *db.Tx, p Party) error {
	_, err := tx.Exec(ctx, `DELETE FROM parties WHERE business_id = $1 AND id = $2`, p.BusinessID, p.ID)
	return err
}

func addressText(a *Address) any {
	if a == nil {
		return nil
	}
	return db.JSON(a)
}

// addressColumn reads an address, or nothing.
type addressColumn struct{ to **Address }

// Scan implements sql.Scanner.
func (c addressColumn) Scan(column any) error {
	text, ok := column.(string)
	if !ok {
		*c.to = nil
		return nil
	}
	return json.Unmarshal([]byte(text), c.to)
}
