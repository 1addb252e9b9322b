package invoice

import (
	"context"
	"strconv"
	"strings"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/books/ledger"
	"daybook/internal/books/record"
)

// maxSought is more than any number, reference or name that somebody looks for by its beginning.
const maxSought = 200

// Search is List for people, who look for invoices by the beginning of a number, of a reference or of the customer's name.
// Digits alone are taken for a number of the business's own series, too.
func (s *Service) Search(ctx context.Context, by record.Call, text string, params map[string][]string) (record.Page[Invoice], error) {
	var page record.Page[Invoice]
	text = strings.ToLower(strings.TrimSpace(text))
	var c fault.Check
	c.Require(len(text) <= maxSought, "text", "must have at most %d characters", maxSought)
	if err := c.Err(); err != nil {
		return page, err
	}
	list := Listing
	list.Kind += record.Kind(" " + text) // a cursor belongs to what was looked for
	q, err := list.Parse(by.BusinessID, params)
	if err != nil {
		return page, err
	}
	last := text + "\U0010FFFF"
	q = q.And(soughtBy, text, last, text, last, ownNumber(text), text, last)
	from := listed
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		f, err := ledger.FactsOf(ctx, tx, by.BusinessID)
		if err != nil {
			return err
		}
		from.Today = f.DateAt(tx.Now())
		page, err = record.Fetch(ctx, tx, by, q, from, scanner(tx.Now()), func(i Invoice) string { return i.ID })
		return err
	})
	return page, err
}

// ownNumber is the number of the series that people mean by its digits.
func ownNumber(text string) string {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return text
	}
	digits := strconv.FormatUint(n, 10)
	return "INV-" + strings.Repeat("0", max(0, 6-len(digits))) + digits
}
