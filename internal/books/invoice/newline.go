package invoice

import (
	"fmt"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/base/text"
)

// The limits of lines.
const (
	maxLines            = 200
	maxQuantityDecimals = 6
	maxDiscountDecimals = 4
)

const needed = "must have at least one line before the invoice is issued"

var (
	one     = money.MustFactor("1")
	hundred = money.MustFactor("100")
)

// linePaths begin the names of a line's members.
var linePaths = func() (list [maxLines]string) {
	for i := range list {
		list[i] = fmt.Sprintf("lines.%d.", i)
	}
	return list
}()

func readLines(c *fault.Check, lines []NewLine) []wishedLine {
	if len(lines) > maxLines {
		c.Add("lines", "must be at most %d", maxLines)
		return nil
	}
	read := make([]wishedLine, len(lines))
	for i, l := range lines {
		read[i] = l.read(c, linePaths[i])
	}
	return read
}

// read judges a line by itself. Its account, if not named, stays open.
func (l NewLine) read(c *fault.Check, path string) wishedLine {
	r := wishedLine{taxed: l.TaxRateID.Set}
	if description := text.Lines(c, path+"description", &l.Description, 1000); description != nil {
		r.Description = *description
	} else {
		c.Add(path+"description", "must not be empty")
	}
	r.Quantity = one
	if l.Quantity != nil {
		r.Quantity = readFactor(c, path+"quantity", *l.Quantity, "2.5")
		c.Require(!r.Quantity.IsZero() || !isFactor(*l.Quantity), path+"quantity", "must not be 0")
		c.Require(r.Quantity.Decimals() <= maxQuantityDecimals, path+"quantity", "must have at most %d decimals", maxQuantityDecimals)
	}
	r.UnitPrice = readFactor(c, path+"unitPrice", l.UnitPrice, "12.50")
	if l.DiscountPercent != nil {
		f := readFactor(c, path+"discountPercent", *l.DiscountPercent, "5")
		c.Require(f.Sign() >= 0 && f.Cmp(hundred) <= 0 && f.Decimals() <= maxDiscountDecimals, path+"discountPercent",
			"must be from 0 to 100 with at most %d decimals", maxDiscountDecimals)
		r.DiscountPercent = &f
	}
	if l.DiscountAmount != nil {
		c.Require(*l.DiscountAmount >= 0 && l.DiscountAmount.InRange(), path+"discountAmount", "must be a whole number of minor units, 0 or more")
		c.Require(l.DiscountPercent == nil, path+"discountAmount", "must not be given along with discountPercent")
		r.DiscountAmount = l.DiscountAmount
	}
	if l.AccountID != nil {
		c.Require(*l.AccountID != "", path+"accountId", "must be the id of an account")
		r.AccountID = *l.AccountID
	}
	if l.TaxRateID.Set && !l.TaxRateID.Null {
		c.Require(l.TaxRateID.Value != "", path+"taxRateId", "must be the id of a tax rate")
		r.TaxRateID = &l.TaxRateID.Value
	}
	r.ItemCode = text.Optional(c, path+"itemCode", l.ItemCode, 50)
	return r
}

func readFactor(c *fault.Check, path, s, example string) money.Factor {
	f, err := money.ParseFactor(s)
	c.Require(err == nil, path, "must be a decimal string such as %q", example)
	return f
}

func isFactor(s string) bool {
	_, err := money.ParseFactor(s)
	return err == nil
}

// equal reports whether two lines say and come to the same.
func (l Line) equal(o Line) bool {
	return l.same(o) && l.LineAmount == o.LineAmount && l.NetAmount == o.NetAmount && l.TaxAmount == o.TaxAmount
}

// same reports whether two lines say the same; their ids and amounts aside, which follow.
func (l Line) same(o Line) bool {
	return l.Description == o.Description && l.Quantity == o.Quantity && l.UnitPrice == o.UnitPrice && equal(l.DiscountPercent, o.DiscountPercent) &&
		equal(l.DiscountAmount, o.DiscountAmount) && l.AccountID == o.AccountID && equal(l.TaxRateID, o.TaxRateID) && equal(l.ItemCode, o.ItemCode)
}

func equal[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
