package bulk

import "daybook/internal/base/money"

// Status is what became of a row.
type Status string

// The statuses.
const (
	Created      Status = "CREATED" // in a dry run: would be
	Skipped      Status = "SKIPPED" // there already
	Failed       Status = "FAILED"
	NotAttempted Status = "NOT_ATTEMPTED" // nothing wrong with it, but the import was rejected
)

// Result is what became of an import.
type Result struct {
	ImportID string
	DryRun   bool
	Mode     Mode
	Summary  Summary
	Outcomes []Outcome // of each row, in their order
	// PlanRefusal is that of the plan's ceiling, if it was reached on the way. Whoever runs a Step hands it to
	// invoice.Service.NoteRefusal afterwards; Import does.
	PlanRefusal error
}

// Summary counts the outcomes.
type Summary struct{ Received, Created, Skipped, Failed int }

// Outcome is what became of a row.
type Outcome struct {
	ExternalID *string // as it is kept; as it was given where it cannot be kept
	Status     Status
	// Of the invoice that was created or was there already. A dry run has no id, and no number unless the row chose one.
	InvoiceID *string
	Number    *string
	Total     *money.Amount
	// Refusal of a row that failed.
	Refusal error
}

// count sums the outcomes up.
func (r *Result) count() {
	r.Summary = Summary{Received: len(r.Outcomes)}
	for _, o := range r.Outcomes {
		switch o.Status {
		case Created:
			r.Summary.Created++
		case Skipped:
			r.Summary.Skipped++
		case Failed:
			r.Summary.Failed++
		}
	}
}
