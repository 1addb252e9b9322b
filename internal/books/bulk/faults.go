package bulk

import (
	"errors"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/books/ledger"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
)

// ErrRejected is refused besides what the records of a row may refuse.
var ErrRejected = fault.New(fault.Invalid, "IMPORT_REJECTED", "Nothing was imported, because {0} of {1} rows were refused. Correct them and send all rows again, or use the mode PARTIAL.")

// Rejection is ErrRejected, with what was wrong with each row.
type Rejection struct{ Result Result }

// Error implements error.
func (r *Rejection) Error() string { return r.Unwrap().Error() }

// Unwrap is the refusal.
func (r *Rejection) Unwrap() error {
	return ErrRejected.With(r.Result.Summary.Failed, r.Result.Summary.Received)
}

// under puts the refusal of a part of a row in terms of the row: what it names lies within that member.
func under(member string, err error) error {
	f := fault.From(err)
	if f == nil {
		return err
	}
	placed := *f
	placed.Fields = nil
	for _, sentence := range f.Fields {
		placed.Fields = append(placed.Fields, member+"."+sentence)
	}
	if path, ok := pathOf(f); ok {
		path = member + "." + path
		if strings.Contains(path, ".allocations.") { // they are ours, not the caller's
			path = "The invoice"
		}
		placed.Params = append([]any{path}, f.Params[1:]...)
	}
	return &placed
}

// pathOf is the member that a refusal names by its first value, for those that do.
func pathOf(f *fault.Fault) (string, bool) {
	for _, names := range []error{record.ErrReference, ledger.ErrType, payment.ErrCurrency} {
		if errors.Is(f, names) && len(f.Params) > 0 {
			path, ok := f.Params[0].(string)
			return path, ok
		}
	}
	return "", false
}
