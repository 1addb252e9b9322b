package ledger

import (
	"context"
	"fmt"
	"slices"

	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/money"
	"daybook/internal/base/text"
	"daybook/internal/books/record"
)

// NewEntry is what it takes to make an entry by hand.
type NewEntry struct {
	Date       string
	Memo       *string
	Draft      bool // false: posted at once
	Lines      []NewLine
	ExternalID *string
}

// NewLine is a line made by hand. Of debit and credit one is above zero.
type NewLine struct {
	AccountID   string
	Debit       money.Amount
	Credit      money.Amount
	Description *string
	CustomerID  *string
	SupplierID  *string
}

// EntryPatch is a change to a draft; of a posted entry only the external id changes.
type EntryPatch struct {
	Date       record.Patch[string]
	Memo       record.Patch[string]
	Lines      record.Patch[[]NewLine] // all of them
	ExternalID record.Patch[string]
}

// The number of lines that an entry made by hand may have.
const (
	leastLines = 2
	mostLines  = 500
)

func (n NewEntry) check(c *fault.Check) NewEntry {
	record.CheckDate(c, "date", n.Date)
	n.Memo = text.Optional(c, "memo", n.Memo, 500)
	n.Lines = checkLines(c, n.Lines)
	n.ExternalID = record.CheckExternalID(c, n.ExternalID)
	return n
}

func (p EntryPatch) check(c *fault.Check) EntryPatch {
	c.Require(!p.Date.Null, "date", "must not be null")
	c.Require(!p.Lines.Null, "lines", "must not be null")
	if p.Date.Set && !p.Date.Null {
		record.CheckDate(c, "date", p.Date.Value)
	}
	if p.Lines.Set && !p.Lines.Null {
		p.Lines.Value = checkLines(c, p.Lines.Value)
	}
	p.Memo = cleaned(p.Memo, text.Optional(c, "memo", p.Memo.Optional(nil), 500))
	p.ExternalID = cleaned(p.ExternalID, record.CheckExternalID(c, p.ExternalID.Optional(nil)))
	return p
}

func checkLines(c *fault.Check, lines []NewLine) []NewLine {
	if len(lines) < leastLines || len(lines) > mostLines {
		c.Add("lines", "must be %d to %d lines", leastLines, mostLines)
		return nil // a refusal that names each of very many lines helps nobody
	}
	lines = slices.Clone(lines)
	for i := range lines {
		l, path := &lines[i], fmt.Sprintf("lines.%d", i)
		c.Require(l.AccountID != "", path+".accountId", "must be the id of an account")
		c.Require(l.Debit >= 0 && l.Debit.InRange(), path+".debit", "must be from 0 to %d", money.Max)
		c.Require(l.Credit >= 0 && l.Credit.InRange(), path+".credit", "must be from 0 to %d", money.Max)
		c.Require((l.Debit > 0) != (l.Credit > 0), path, "must have either a debit or a credit above zero")
		c.Require(l.CustomerID == nil || l.SupplierID == nil, path, "must name a customer or a supplier, not both")
		l.Description = text.Optional(c, path+".description", l.Description, 200)
	}
	return lines
}

// lines makes the lines of an entry, with ids of their own.
func (b *Book) lines(list []NewLine) []Line {
	lines := make([]Line, len(list))
	for i, l := range list {
		lines[i] = Line{
			ID: b.NewID(id.JournalLine), AccountID: l.AccountID, Debit: l.Debit, Credit: l.Credit, Description: l.Description,
			CustomerID: l.CustomerID, SupplierID: l.SupplierID,
		}
	}
	return lines
}

// judge refuses lines, made by hand, whose accounts or parties do not exist or do not go together. Two statements at most.
func (b *Book) judge(ctx context.Context, lines []Line) error {
	var accountIDs, partyIDs []string
	for _, l := range lines {
		accountIDs = append(accountIDs, l.AccountID)
		if party := l.party(); party != nil {
			partyIDs = append(partyIDs, *party)
		}
	}
	chart, err := b.Accounts(ctx, nil, accountIDs...)
	if err != nil {
		return err
	}
	var c fault.Check
	for i, l := range lines {
		a, err := chart.Usable(fmt.Sprintf("lines.%d.accountId", i), l.AccountID)
		if err != nil {
			return err
		}
		if a.Is(Receivable) || a.Is(CustomerCredit) {
			return ErrControl.With(a.Code)
		}
		if a.Is(Payable) || a.Is(SupplierPrepayment) {
			c.Require(l.SupplierID != nil, fmt.Sprintf("lines.%d.supplierId", i), "must name the supplier, because the line is on account %s", a.Code)
		}
	}
	if err := c.Err(); err != nil || len(partyIDs) == 0 {
		return err
	}
	kinds, err := findPartyKinds(ctx, b.Tx, b.BusinessID, distinct(partyIDs))
	if err != nil {
		return err
	}
	for i, l := range lines {
		switch {
		case l.CustomerID != nil && kinds[*l.CustomerID] != customer:
			return record.ErrReference.With(fmt.Sprintf("lines.%d.customerId", i))
		case l.SupplierID != nil && kinds[*l.SupplierID] != supplier:
			return record.ErrReference.With(fmt.Sprintf("lines.%d.supplierId", i))
		}
	}
	return nil
}

// The kinds of parties, as books/party keeps them.
const (
	customer = "CUSTOMER"
	supplier = "SUPPLIER"
)
