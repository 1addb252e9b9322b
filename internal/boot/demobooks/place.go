package demobooks

import (
	"fmt"
	"strings"
)

// place is where a business is: whom it deals with there.
type place struct {
	companies [10]contact
	people    [5]contact
	suppliers map[role]contact
	taxNumber string // with a place for two digits; none is anybody's
	phone     string // likewise, from a range that is kept free for stories; empty where there is none
}

// contact is somebody with an address.
type contact struct {
	name                 string // of a person: the first name
	family               string // of a person
	street, postal, town string
	country              string // empty: the business's
	currency             string // empty: the business's
}

// role is what a supplier is to a business.
type role int

const (
	goodsA role = iota
	goodsB
	landlord
	energy
	telecom
	insurer
	accountant
	workshop
)

// supplier of goods, who goes with the trade: by country, and under the empty name anywhere else.
type supplier struct {
	names map[string]string
	note  string
}

func (s supplier) in(country string) string {
	if name, known := s.names[country]; known {
		return name
	}
	return s.names[""]
}

// placeOf is where a business is. Countries without a table of their own share one.
func placeOf(country string) place {
	if p, known := places[country]; known {
		return p
	}
	return anywhere.in(country)
}

var places = map[string]place{"NL": netherlands, "GB": britain}

// foreigners are customers from abroad, of whom each business has the first two whose currency is not its own.
var foreigners = []contact{
	{name: "Prairie Lane Trading LLC", street: "210 Cottonwood Avenue", postal: "55101", town: "Saint Paul", country: "US", currency: "USD"},
	{name: "Nordlicht Feinkost GmbH", street: "Speicherweg 7", postal: "20457", town: "Hamburg", country: "DE", currency: "EUR"},
	{name: "Hythe Quay Stores Ltd", street: "3 Ferry Steps", postal: "CT21 5AA", town: "Hythe", country: "GB", currency: "GBP"},
}

func foreignersOf(currency string) []contact {
	var list []contact
	for _, f := range foreigners {
		if f.currency != currency && len(list) < 2 {
			list = append(list, f)
		}
	}
	return list
}

// email of a company goes to a domain that nobody has, that of a person to one which is kept for examples.
func (c contact) email() string {
	if c.family != "" {
		return slug(c.name) + "." + slug(c.family) + "@example.com"
	}
	return "accounts@" + slug(c.name) + ".test"
}

// fullName as lists show it.
func (c contact) fullName() string { return strings.TrimSpace(c.name + " " + c.family) }

var plainLetters = strings.NewReplacer("é", "e", "è", "e", "ë", "e", "ï", "i", "ö", "o", "ü", "u", "&", "and")

// slug is what is left of a name in the name of a domain.
func slug(name string) string {
	name = plainLetters.Replace(strings.ToLower(name))
	words := strings.FieldsFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return strings.Join(words, "-")
}

// numbered fills in the digits of a tax number or telephone.
func numbered(pattern string, n int) *string {
	if pattern == "" {
		return nil
	}
	s := fmt.Sprintf(pattern, n)
	return &s
}
