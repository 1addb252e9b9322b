package business

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
)

// ErrStale refuses a change by someone who has seen another version.
var ErrStale = fault.New(fault.Stale, "VERSION_CONFLICT", "The business is at version {0}, not {1}. Read it again and decide anew.")

// Edit is a member of a change: absent, or a value, nil for none.
type Edit[T any] struct {
	Given bool
	Value *T
}

// Edits are what may change of a business. Its currency stays: the books are kept in it.
type Edits struct {
	Name      Edit[string]
	LegalName Edit[string]
	Country   Edit[string]
	TimeZone  Edit[string]
	TaxNumber Edit[string]
}

// Get reads a business for someone whose access was settled before.
func (s *Service) Get(ctx context.Context, businessID string) (Business, error) {
	var b Business
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		b, err = Find(ctx, tx, businessID)
		return err
	})
	return b, err
}

// Update changes a business inside a transaction, and names the members that really changed, sorted, for whoever tells of
// it. also says that something else about the business changes along with them, which is a new version, too. seen, if not
// nil, is the version that the caller bases the change on.
func Update(ctx context.Context, tx *db.Tx, businessID string, e Edits, also bool, seen *int) (Business, []string, error) {
	if err := lock(ctx, tx, businessID); err != nil {
		return Business{}, nil, err
	}
	was, err := Find(ctx, tx, businessID)
	if err != nil {
		return was, nil, err
	}
	if seen != nil && *seen != was.Version {
		return was, nil, ErrStale.With(was.Version, *seen)
	}
	is, err := e.on(was)
	if err != nil {
		return was, nil, err
	}
	changed := differences(was, is)
	if len(changed) == 0 && !also {
		return was, nil, nil
	}
	is.Version, is.UpdatedAt = was.Version+1, tx.Now()
	return is, changed, update(ctx, tx, is)
}

// on is the business as the edits want it.
func (e Edits) on(b Business) (Business, error) {
	var c fault.Check
	required := func(path string, edit Edit[string], now string) string {
		switch {
		case !edit.Given:
			return now
		case edit.Value == nil:
			c.Add(path, "must not be null")
			return now
		}
		return *edit.Value
	}
	optional := func(edit Edit[string], now *string) *string {
		if edit.Given {
			return edit.Value
		}
		return now
	}
	n := New{
		Name: required("name", e.Name, b.Name), LegalName: optional(e.LegalName, b.LegalName), Country: required("country", e.Country, b.Country),
		Currency: b.Currency, TimeZone: required("timeZone", e.TimeZone, b.TimeZone), TaxNumber: optional(e.TaxNumber, b.TaxNumber),
	}
	c.Require(n.TimeZone != "", "timeZone", "must be an IANA name such as Europe/Amsterdam") // check would choose one
	n, err := n.check(DefaultPlans)
	if f := fault.From(err); f != nil {
		return b, fault.InvalidFields(append(f.Fields, fields(c)...)...)
	}
	if err := c.Err(); err != nil {
		return b, err
	}
	b.Name, b.LegalName, b.Country, b.TimeZone, b.TaxNumber = n.Name, n.LegalName, n.Country, n.TimeZone, n.TaxNumber
	return b, nil
}

func fields(c fault.Check) []string {
	if f := fault.From(c.Err()); f != nil {
		return f.Fields
	}
	return nil
}

// differences are the names of the members that differ, sorted.
func differences(a, b Business) []string {
	var names []string
	for _, m := range []struct {
		name string
		same bool
	}{
		{"country", a.Country == b.Country}, {"legalName", equal(a.LegalName, b.LegalName)}, {"name", a.Name == b.Name},
		{"taxNumber", equal(a.TaxNumber, b.TaxNumber)}, {"timeZone", a.TimeZone == b.TimeZone},
	} {
		if !m.same {
			names = append(names, m.name)
		}
	}
	return names
}

func equal(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }
