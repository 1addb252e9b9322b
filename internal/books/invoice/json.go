package invoice

import (
	"strconv"

	"daybook/internal/base/money"
	"daybook/internal/base/text"
)

// What follows writes the parts of an invoice that are kept as JSON, as json.Marshal would.

type (
	lineList []Line
	taxList  []TaxSum
)

func (list lineList) AppendJSON(out []byte) []byte {
	return appendList(out, list, func(out []byte, l *Line) []byte {
		out = text.AppendJSON(append(out, `{"id":`...), l.ID)
		out = text.AppendJSON(append(out, `,"description":`...), l.Description)
		out = appendFactor(append(out, `,"quantity":`...), &l.Quantity)
		out = appendFactor(append(out, `,"unitPrice":`...), &l.UnitPrice)
		out = appendFactor(append(out, `,"discountPercent":`...), l.DiscountPercent)
		out = appendAmount(append(out, `,"discountAmount":`...), l.DiscountAmount)
		out = text.AppendJSON(append(out, `,"accountId":`...), l.AccountID)
		out = text.AppendJSONOr(append(out, `,"taxRateId":`...), l.TaxRateID)
		out = text.AppendJSONOr(append(out, `,"itemCode":`...), l.ItemCode)
		out = appendAmount(append(out, `,"lineAmount":`...), &l.LineAmount)
		out = appendAmount(append(out, `,"netAmount":`...), &l.NetAmount)
		return append(appendAmount(append(out, `,"taxAmount":`...), &l.TaxAmount), '}')
	})
}

func (list taxList) AppendJSON(out []byte) []byte {
	return appendList(out, list, func(out []byte, s *TaxSum) []byte {
		out = text.AppendJSON(append(out, `{"taxRateId":`...), s.TaxRateID)
		out = text.AppendJSON(append(out, `,"name":`...), s.Name)
		out = appendFactor(append(out, `,"rate":`...), &s.Rate)
		out = appendAmount(append(out, `,"taxableAmount":`...), &s.TaxableAmount)
		return append(appendAmount(append(out, `,"taxAmount":`...), &s.TaxAmount), '}')
	})
}

func appendList[T any](out []byte, list []T, one func([]byte, *T) []byte) []byte {
	if list == nil {
		return append(out, "null"...)
	}
	out = append(out, '[')
	for i := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = one(out, &list[i])
	}
	return append(out, ']')
}

// AppendJSON writes the customer as of the issue.
func (to *BillTo) AppendJSON(out []byte) []byte {
	out = text.AppendJSON(append(out, `{"name":`...), to.Name)
	out = text.AppendJSONOr(append(out, `,"taxNumber":`...), to.TaxNumber)
	out = append(out, `,"address":`...)
	a := to.Address
	if a == nil {
		return append(out, "null}"...)
	}
	out = text.AppendJSONOr(append(out, `{"line1":`...), a.Line1)
	out = text.AppendJSONOr(append(out, `,"line2":`...), a.Line2)
	out = text.AppendJSONOr(append(out, `,"city":`...), a.City)
	out = text.AppendJSONOr(append(out, `,"region":`...), a.Region)
	out = text.AppendJSONOr(append(out, `,"postalCode":`...), a.PostalCode)
	out = text.AppendJSONOr(append(out, `,"country":`...), a.Country)
	return append(out, "}}"...)
}

func appendFactor(out []byte, f *money.Factor) []byte {
	if f == nil {
		return append(out, "null"...)
	}
	return append(append(append(out, '"'), f.String()...), '"')
}

// appendAmount panics for an amount out of range, as one that cannot be encoded does: none is ever calculated.
func appendAmount(out []byte, a *money.Amount) []byte {
	switch {
	case a == nil:
		return append(out, "null"...)
	case !a.InRange():
		panic("invoice: an amount out of range")
	}
	return strconv.AppendInt(out, int64(*a), 10)
}
