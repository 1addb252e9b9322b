package ledger

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/money"
)

// What is added to sums; without a row there was nothing.
var (
	raiseMonth = db.NewInsert("account_months", "business_id, account_id, month, debit, credit", ` ON CONFLICT (business_id, account_id, month)
		DO UPDATE SET debit = account_months.debit + excluded.debit, credit = account_months.credit + excluded.credit`)
	raiseBalance = db.NewInsert("party_balances", "business_id, party_id, account_id, balance", ` ON CONFLICT (business_id, party_id, account_id)
		DO UPDATE SET balance = party_balances.balance + excluded.balance`)
)

// raiseMonths adds entries of a business to the sums of their accounts.
func raiseMonths(ctx context.Context, tx *db.Tx, entries ...Entry) error {
	type key struct{ account, month string }
	type sum struct{ debit, credit money.Amount }
	sums := map[key]sum{}
	var order []key
	for _, e := range entries {
		for _, l := range e.Lines {
			k := key{l.AccountID, monthOf(e.Date)}
			s, seen := sums[k]
			if !seen {
				order = append(order, k)
			}
			sums[k] = sum{s.debit + l.Debit, s.credit + l.Credit}
		}
	}
	rows := raiseMonth.Rows(len(order))
	for _, k := range order {
		rows = append(rows, entries[0].BusinessID, k.account, k.month, sums[k].debit, sums[k].credit)
	}
	return raiseMonth.Exec(ctx, tx, rows)
}

// raiseParties adds entries of a business to the balances of the customers and suppliers they name.
func raiseParties(ctx context.Context, tx *db.Tx, entries ...Entry) error {
	type key struct{ party, account string }
	sums := map[key]money.Amount{}
	var order []key
	for _, e := range entries {
		for _, l := range e.Lines {
			party := l.party()
			if party == nil {
				continue
			}
			k := key{*party, l.AccountID}
			if _, seen := sums[k]; !seen {
				order = append(order, k)
			}
			sums[k] += l.Debit - l.Credit
		}
	}
	rows := raiseBalance.Rows(len(order))
	for _, k := range order {
		rows = append(rows, entries[0].BusinessID, k.party, k.account, sums[k])
	}
	return raiseBalance.Exec(ctx, tx, rows)
}

func sumDebits(ctx context.Context, tx *db.Tx, businessID string) (money.Amount, error) {
	return db.One(ctx, tx, db.Value[money.Amount], `SELECT CAST(coalesce(sum(debit), 0) AS BIGINT) FROM account_months WHERE business_id = $1`, businessID)
}

// sumAccounts sums what was posted to accounts (nil: all) in a period, by code. Accounts without a posting in it are left
// out. Lines are read account by account: that is how they are indexed, and CROSS JOIN keeps SQLite to that order. The sums are
// made before accounts are joined, or PostgreSQL may make them once per account.
func sumAccounts(ctx context.Context, tx *db.Tx, businessID string, accountIDs []string, p period) ([]Sum, error) {
	args := []any{businessID, p.months.from, p.months.to, p.before.from, p.before.to, p.after.from, p.after.to}
	only := ""
	if accountIDs != nil {
		only = ` AND a.id IN (` + db.In(len(args)+1, len(accountIDs)) + `)`
		for _, id := range accountIDs {
			args = append(args, id)
		}
	}
	days := `SELECT l.account_id, l.debit, l.credit FROM accounts a CROSS JOIN journal_lines l
		WHERE a.business_id = $1` + only + ` AND l.business_id = $1 AND l.account_id = a.id AND `
	return db.All(ctx, tx, func(scan db.Scan) (s Sum, err error) {
		s.Account, err = scanAccount(func(dest ...any) error { return scan(append(dest, &s.Debit, &s.Credit)...) })
		return s, err
	}, `SELECT `+accountColumns+`, s.debit, s.credit FROM accounts r JOIN (
			SELECT account_id, CAST(sum(debit) AS BIGINT) AS debit, CAST(sum(credit) AS BIGINT) AS credit FROM (
			SELECT m.account_id, m.debit, m.credit FROM accounts a CROSS JOIN account_months m
			WHERE a.business_id = $1`+only+` AND m.business_id = $1 AND m.account_id = a.id AND m.month >= $2 AND m.month <= $3
			UNION ALL `+days+`l.date >= $4 AND l.date <= $5
			UNION ALL `+days+`l.date >= $6 AND l.date <= $7
			) parts GROUP BY account_id
		) s ON s.account_id = r.id WHERE r.business_id = $1 ORDER BY r.code`, args...)
}

// balanceBefore is an account, of which it reads no more than the type, and its debits − credits before a line.
func balanceBefore(ctx context.Context, tx *db.Tx, businessID, accountID string, l StatementLine) (a Account, balance money.Amount, err error) {
	month := ""
	if l.Date != "" {
		month = monthOf(l.Date)
	}
	a, err = db.One(ctx, tx, func(scan db.Scan) (a Account, err error) {
		err = scan(&a.Type, &balance)
		return a, err
	}, `SELECT a.type, CAST(
			coalesce((SELECT sum(m.debit - m.credit) FROM account_months m WHERE m.business_id = $1 AND m.account_id = $2 AND m.month < $3), 0) +
			coalesce((SELECT sum(l.debit - l.credit) FROM journal_lines l WHERE l.business_id = $1 AND l.account_id = $2
				AND l.date >= $3 AND l.date <= $4 AND (l.date, l.id) < ($4, $5)), 0) AS BIGINT)
		FROM accounts a WHERE a.business_id = $1 AND a.id = $2`, businessID, accountID, month, l.Date, l.ID)
	return a, balance, err
}

// partyRow is what one account of the system holds for a party: debit − credit.
type partyRow struct {
	party   string
	role    Role
	balance money.Amount
}

func listPartyBalances(ctx context.Context, tx *db.Tx, businessID string, partyIDs []string) ([]partyRow, error) {
	args := []any{businessID, Receivable, CustomerCredit, Payable, SupplierPrepayment}
	for _, id := range partyIDs {
		args = append(args, id)
	}
	return db.All(ctx, tx, func(scan db.Scan) (r partyRow, err error) {
		err = scan(&r.party, &r.role, &r.balance)
		return r, err
	}, `SELECT p.party_id, a.system_role, p.balance FROM party_balances p JOIN accounts a ON a.id = p.account_id
		WHERE p.business_id = $1 AND a.system_role IN ($2, $3, $4, $5) AND p.party_id IN (`+db.In(6, len(partyIDs))+`)`, args...)
}

func hasLines(ctx context.Context, tx *db.Tx, businessID, accountID string) (bool, error) {
	return db.One(ctx, tx, db.Value[bool], `SELECT EXISTS (SELECT 1 FROM journal_lines WHERE business_id = $1 AND account_id = $2)`, businessID, accountID)
}

func partyHasLines(ctx context.Context, tx *db.Tx, businessID, partyID string) (bool, error) {
	return db.One(ctx, tx, db.Value[bool], `SELECT EXISTS (SELECT 1 FROM journal_lines WHERE business_id = $1 AND customer_id = $2)
		OR EXISTS (SELECT 1 FROM journal_lines WHERE business_id = $1 AND supplier_id = $2)`, businessID, partyID)
}
