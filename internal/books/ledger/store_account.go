package ledger

import (
	"context"
	"strings"

	"daybook/internal/base/db"
	"daybook/internal/books/record"
)

const accountColumns = `r.id, r.business_id, r.code, r.name, r.type, r.subtype, r.currency, r.description, r.default_tax_rate_id, r.system_role, r.status,
	r.made_by, r.changed_by, r.version, r.created_at, r.updated_at`

var accountSource = record.Source{Columns: accountColumns + `, ` + record.ExternalColumn, From: `accounts r ` + record.ExternalJoin}

func scanAccount(scan db.Scan) (Account, error) {
	var a Account
	err := scan(&a.ID, &a.BusinessID, &a.Code, &a.Name, &a.Type, &a.Subtype, &a.Currency, &a.Description, &a.DefaultTaxRateID, &a.Role, &a.Status,
		db.JSON(&a.MadeBy), db.JSON(&a.ChangedBy), &a.Version, &a.CreatedAt, &a.UpdatedAt)
	return a, err
}

// scanNamedAccount reads an account with what the calling app calls it.
func scanNamedAccount(scan db.Scan) (a Account, err error) {
	var externalID *string
	a, err = scanAccount(func(dest ...any) error { return scan(append(dest, &externalID)...) })
	a.ExternalID = externalID
	return a, err
}

func findAccount(ctx context.Context, tx *db.Tx, by record.Call, accountID string) (Account, error) {
	return db.One(ctx, tx, scanNamedAccount, `SELECT `+accountSource.Columns+` FROM `+accountSource.From+` WHERE r.business_id = $1 AND r.id = $3`,
		by.BusinessID, by.Actor.AppID, accountID)
}

// needed is as much of an account as whoever posts to it asks for.
const needed = `r.id, r.business_id, r.code, r.type, r.subtype, r.currency, r.default_tax_rate_id, r.system_role, r.status`

func scanNeeded(scan db.Scan) (a Account, err error) {
	err = scan(&a.ID, &a.BusinessID, &a.Code, &a.Type, &a.Subtype, &a.Currency, &a.DefaultTaxRateID, &a.Role, &a.Status)
	return a, err
}

// findAccounts reads by two indexes in one statement. (For roles OR ids SQLite would walk over all accounts of the business.) An
// account that is wanted by both its role and its id is there twice.
func findAccounts(ctx context.Context, tx *db.Tx, businessID string, roles []Role, ids []string) ([]Account, error) {
	args := []any{businessID}
	var parts []string
	if len(roles) > 0 {
		parts = append(parts, `SELECT `+needed+` FROM accounts r WHERE r.business_id = $1 AND r.system_role IN (`+db.In(len(args)+1, len(roles))+`)`)
		for _, r := range roles {
			args = append(args, r)
		}
	}
	if len(ids) > 0 {
		parts = append(parts, `SELECT `+needed+` FROM accounts r WHERE `+record.ByID+` = $1 AND r.id IN (`+db.In(len(args)+1, len(ids))+`)`)
		for _, i := range ids {
			args = append(args, i)
		}
	}
	return db.All(ctx, tx, scanNeeded, strings.Join(parts, ` UNION ALL `), args...)
}

const accountMembers = `id, business_id, code, name, search, type, subtype, currency, description, default_tax_rate_id, system_role, status, made_by, changed_by,
	version, created_at, updated_at`

var insertAccounts = db.NewInsert("accounts", accountMembers, "")

func accountValues(a Account) []any {
	return []any{
		a.ID, a.BusinessID, a.Code, a.Name, strings.ToLower(a.Name), a.Type, a.Subtype, a.Currency, a.Description, a.DefaultTaxRateID, a.Role,
		a.Status, db.JSON(a.MadeBy), db.JSON(a.ChangedBy), a.Version, a.CreatedAt, a.UpdatedAt,
	}
}

// insertAccount reports whether the code was free.
func insertAccount(ctx context.Context, tx *db.Tx, a Account) (bool, error) {
	values := accountValues(a)
	n, err := tx.Exec(ctx, `INSERT INTO accounts (`+accountMembers+`) VALUES (`+db.In(1, len(values))+`) ON CONFLICT (business_id, code) DO NOTHING`, values...)
	return n == 1, err
}

func insertChart(ctx context.Context, tx *db.Tx, chart []Account) error {
	var rows []any
	for _, a := range chart {
		rows = append(rows, accountValues(a)...)
	}
	return insertAccounts.Exec(ctx, tx, rows)
}

func updateAccountRow(ctx context.Context, tx *db.Tx, a Account) error {
	_, err := tx.Exec(ctx, `UPDATE accounts SET code = $3, name = $4, search = $5, type = $6, subtype = $7, currency = $8, description = $9,
		default_tax_rate_id = $10, status = $11, changed_by = $12, version = $13, updated_at = $14 WHERE business_id = $1 AND id = $2`,
		a.BusinessID, a.ID, a.Code, a.Name, strings.ToLower(a.Name), a.Type, a.Subtype, a.Currency, a.Description,
		a.DefaultTaxRateID, a.Status, db.JSON(a.ChangedBy), a.Version, a.UpdatedAt)
	return err
}

func deleteAccountRow(ctx context.Context, tx *db.Tx, businessID, accountID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM accounts WHERE business_id = $1 AND id = $2`, businessID, accountID)
	return err
}

func codeTaken(ctx context.Context, tx *db.Tx, businessID, code string) (bool, error) {
	return db.One(ctx, tx, db.Value[bool], `SELECT EXISTS (SELECT 1 FROM accounts WHERE business_id = $1 AND code = $2)`, businessID, code)
}

// accountInUse reports whether a posted line or a rate of tax refers to the account.
func accountInUse(ctx context.Context, tx *db.Tx, businessID, accountID string) (bool, error) {
	return db.One(ctx, tx, db.Value[bool], `SELECT EXISTS (SELECT 1 FROM journal_lines WHERE business_id = $1 AND account_id = $2)
		OR EXISTS (SELECT 1 FROM tax_rates WHERE business_id = $1 AND account_id = $2)`, businessID, accountID)
}

// hasTaxRate asks the table of books/tax, which stands above: only whether there is such a rate.
func hasTaxRate(ctx context.Context, tx *db.Tx, businessID, rateID string) (bool, error) {
	return db.One(ctx, tx, db.Value[bool], `SELECT EXISTS (SELECT 1 FROM tax_rates WHERE business_id = $1 AND id = $2)`, businessID, rateID)
}

// findPartyKinds asks the table of books/party, which stands above: only which of the parties exist, and as what. The
// expression hides the index by business, so that they are found by their ids.
func findPartyKinds(ctx context.Context, tx *db.Tx, businessID string, partyIDs []string) (map[string]string, error) {
	args := []any{businessID}
	for _, id := range partyIDs {
		args = append(args, id)
	}
	kinds := map[string]string{}
	_, err := db.All(ctx, tx, func(scan db.Scan) (id string, err error) {
		var kind string
		if err = scan(&id, &kind); err == nil {
			kinds[id] = kind
		}
		return id, err
	}, `SELECT id, kind FROM parties WHERE coalesce(business_id, '') = $1 AND id IN (`+db.In(2, len(partyIDs))+`)`, args...)
	return kinds, err
}

var statementSource = record.Source{
	Columns: `r.id, r.date, r.entry_id, e.number, e.source_type, e.source_id, e.source_action, e.memo, r.description, r.customer_id, r.supplier_id,
	r.debit, r.credit, r.currency, r.foreign_amount`,
	From: `journal_lines r JOIN journal_entries e ON e.id = r.entry_id`,
}

func scanStatementLine(scan db.Scan) (l StatementLine, err error) {
	err = scan(&l.ID, &l.Date, &l.EntryID, &l.EntryNumber, &l.Source.Type, &l.Source.ID, &l.Source.Action, &l.Memo, &l.Description, &l.CustomerID, &l.SupplierID,
		&l.Debit, &l.Credit, &l.Currency, &l.Foreign)
	return l, err
}
