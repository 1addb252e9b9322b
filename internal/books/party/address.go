package party

import (
	"daybook/internal/base/fault"
	"daybook/internal/books/record"
)

// Address is where somebody is. The table keeps it as JSON, with the names of the wire.
type Address struct {
	Line1      *string `json:"line1"`
	Line2      *string `json:"line2"`
	City       *string `json:"city"`
	Region     *string `json:"region"`
	PostalCode *string `json:"postalCode"`
	Country    *string `json:"country"` // ISO 3166-1 alpha-2
}

// AddressPatch changes members of an address and leaves the others, as a merge patch does.
type AddressPatch struct {
	Line1      record.Patch[string] `json:"line1"`
	Line2      record.Patch[string] `json:"line2"`
	City       record.Patch[string] `json:"city"`
	Region     record.Patch[string] `json:"region"`
	PostalCode record.Patch[string] `json:"postalCode"`
	Country    record.Patch[string] `json:"country"`
}

// patch is the patch that makes an address of nothing.
func (a *Address) patch() record.Patch[AddressPatch] {
	if a == nil {
		return record.Patch[AddressPatch]{}
	}
	return record.Setting(AddressPatch{
		Line1: given(a.Line1), Line2: given(a.Line2), City: given(a.City), Region: given(a.Region), PostalCode: given(a.PostalCode), Country: given(a.Country),
	})
}

func (a *AddressPatch) check(c *fault.Check, path string) {
	const most = 200
	optional(c, path+".line1", &a.Line1, most)
	optional(c, path+".line2", &a.Line2, most)
	optional(c, path+".city", &a.City, most)
	optional(c, path+".region", &a.Region, most)
	optional(c, path+".postalCode", &a.PostalCode, most)
	if optional(c, path+".country", &a.Country, most) {
		c.Require(countries[a.Country.Value], path+".country", "must be a two-letter country code such as NL")
	}
}

// merge is what an address becomes. One without any value is none.
func merge(now *Address, p record.Patch[AddressPatch]) *Address {
	if !p.Set {
		return now
	}
	var a Address
	if now != nil {
		a = *now
	}
	if p.Null {
		return nil
	}
	a.Line1, a.Line2, a.City = p.Value.Line1.Optional(a.Line1), p.Value.Line2.Optional(a.Line2), p.Value.City.Optional(a.City)
	a.Region, a.PostalCode, a.Country = p.Value.Region.Optional(a.Region), p.Value.PostalCode.Optional(a.PostalCode), p.Value.Country.Optional(a.Country)
	if a == (Address{}) {
		return nil
	}
	return &a
}
