package bulk

import (
	"context"
	"errors"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
)

// Service has the one verb: import.
type Service struct {
	DB       *db.DB
	Ledger   *ledger.Service
	Parties  *party.Service
	Invoices *invoice.Service
	Payments *payment.Service
}

// Import imports in a transaction of its own. In mode ATOMIC the refusal of a row is a *Rejection.
func (s *Service) Import(ctx context.Context, by record.Call, r Request) (Result, error) {
	result, err := db.Run(ctx, s.DB, s.Step(by, r))
	refusal := result.PlanRefusal
	if err != nil {
		refusal = err
	}
	return result, errors.Join(err, s.Invoices.NoteRefusal(ctx, by, refusal))
}

// Step is Import for a larger whole. Whoever runs it hands its error, or else the result's PlanRefusal, to
// invoice.Service.NoteRefusal afterwards.
func (s *Service) Step(by record.Call, r Request) db.Step[Result] {
	return ledger.Do(s.Ledger, by, func(ctx context.Context, b *ledger.Book) (Result, error) { return s.importIn(ctx, b, r) })
}

func (s *Service) importIn(ctx context.Context, b *ledger.Book, r Request) (Result, error) {
	if err := r.check(); err != nil {
		return Result{}, err
	}
	b.Hold()
	// Reached before the first row, the plan's ceiling refuses the call as it does that for a single invoice.
	if err := s.Invoices.Allowed(ctx, b); err != nil {
		return Result{}, err
	}
	w, err := s.begin(ctx, b, r)
	if err != nil {
		return Result{}, err
	}
	begun := b.Mark()
	for i := range r.Rows {
		if err := w.take(ctx, i); err != nil {
			return Result{}, err
		}
	}
	result := Result{ImportID: b.NewID(id.Import), DryRun: r.DryRun, Mode: r.Mode, Outcomes: w.outcomes, PlanRefusal: w.full}
	result.count()
	if r.Mode == Atomic && result.Summary.Failed > 0 {
		result.withdraw()
		return Result{}, &Rejection{result}
	}
	if r.DryRun {
		b.Return(begun)
	}
	return result, nil
}

// withdraw makes innocent rows those of an import that was rejected.
func (r *Result) withdraw() {
	for i, o := range r.Outcomes {
		if o.Status != Failed {
			r.Outcomes[i] = Outcome{ExternalID: o.ExternalID, Status: NotAttempted}
		}
	}
	failed := r.Summary.Failed
	r.Summary = Summary{Received: len(r.Outcomes), Failed: failed}
}
