package payment_test

import (
	"flag"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/invoice"
	"daybook/internal/schema/dbtest"
)

// sequences is how many random sequences are played on a store: 10,000 in all. DAYBOOK_BOOKS_SEQUENCES asks for another number
// on each.
func sequences(t *testing.T, store string) string {
	t.Helper()
	text := os.Getenv("DAYBOOK_BOOKS_SEQUENCES")
	if text == "" {
		return map[string]string{"SQLite": "8500", "PostgreSQL": "1500"}[store]
	}
	if n, err := strconv.Atoi(text); err != nil || n < 1 {
		t.Fatalf("DAYBOOK_BOOKS_SEQUENCES: %q must be a number from 1", text)
	}
	return text
}

// length draws how many moves a sequence has: most are short, which finds what goes wrong at the start again and again; one in
// twenty-five is long, and is looked at after every move.
func length(r *rapid.T) (moves int, long bool) {
	if evenly(r, "long", 25) == 24 {
		return 8 + evenly(r, "moves", 25), true
	}
	return 2 + evenly(r, "moves", 4), false
}

// C.13, 1, 2 and 4: whatever is done in whatever order, every answer is the reference's, the books balance, the accounts
// agree with the documents, and states follow from amounts. It drives ledger, party, invoice and payment.
func TestTheBooksAgreeWithTheDocuments(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *dbtest.Store) {
		if err := flag.Set("rapid.checks", sequences(t, s.Dialect().String())); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = flag.Set("rapid.checks", "100") })
		h := newHouse(t, s)
		outcomes := map[string]int{}
		steps := 0
		rapid.Check(t, func(r *rapid.T) {
			p := newPlay(r, h)
			moveCount, long := length(r)
			for range moveCount {
				name := among(r, "move", moveNames)
				outcome := p.judge(name, moves[name](p))
				outcomes[name+" "+outcome]++
				steps++
				if long && outcome == "done" {
					p.check()
				}
			}
			p.check() // a refusal leaves nothing behind
		})
		for _, outcome := range slices.Sorted(maps.Keys(outcomes)) {
			t.Logf("%6d %s", outcomes[outcome], outcome)
		}
		t.Logf("%d steps", steps)
		for _, outcome := range expected {
			if outcomes[outcome] == 0 && steps > 100_000 { // as many as it takes to meet all of them
				t.Errorf("never: %s", outcome)
			}
		}
	})
}

// expected is what a long run meets.
var expected = []string{
	"issue done", "receive done", "receive ALLOCATION_EXCEEDS_AMOUNT", "receive ALLOCATION_EXCEEDS_DUE", "receive CURRENCY_MISMATCH", "receive INVALID_STATE",
	"receive fields", "disburse done", "allocate done", "allocate ALLOCATION_EXCEEDS_AMOUNT", "allocate ALLOCATION_EXCEEDS_DUE", "allocate INVALID_STATE",
	"unallocate done", "unallocate INVALID_STATE", "refund done", "refund fields", "refund INVALID_STATE", "delete done", "delete RECORD_IN_USE",
	"delete INVALID_STATE", "void done", "void INVALID_STATE", "write off done", "write off INVALID_STATE", "wait done", "lock done",
}

// play is one sequence of moves in a business of its own, beside its reference.
type play struct {
	*rapid.T
	*world
	base       string
	currencies []string
	customers  []string
	supplierID string
	today      string
	locked     string
	invoices   []*refInvoice
	payments   []*refPayment // receipts, disbursements and refunds that exist
}

type refInvoice struct {
	id       string
	customer string
	currency string
	status   invoice.Status
	total    money.Amount
	paid     money.Amount
	off      money.Amount
}

func (i *refInvoice) due() money.Amount {
	if i.status == invoice.Void {
		return 0
	}
	return i.total - i.paid - i.off
}

func (i *refInvoice) payable() bool {
	return i.status == invoice.Open || i.status == invoice.PartiallyPaid
}

// settle changes what is paid; the status follows.
func (i *refInvoice) settle(amount money.Amount) {
	i.paid += amount
	switch {
	case i.paid == i.total:
		i.status = invoice.Paid
	case i.paid == 0:
		i.status = invoice.Open
	default:
		i.status = invoice.PartiallyPaid
	}
}

type refPayment struct {
	id          string
	kind        string
	customer    string
	currency    string
	amount      money.Amount
	refunded    money.Amount
	allocations []refAllocation
	of          *refPayment
}

type refAllocation struct {
	id      string
	invoice *refInvoice
	amount  money.Amount
}

func (p *refPayment) allocated() (sum money.Amount) {
	for _, a := range p.allocations {
		sum += a.amount
	}
	return sum
}

func (p *refPayment) left() money.Amount {
	if p.kind != "RECEIPT" {
		return 0
	}
	return p.amount - p.allocated() - p.refunded
}

func newPlay(r *rapid.T, h *house) *play {
	p := &play{T: r, base: among(r, "base", []string{"EUR", "EUR", "JPY", "KWD"}), today: h.Clock.Now().Format(time.DateOnly)}
	p.world = h.shop(r, p.base)
	p.customers = []string{p.customer(r), p.customer(r)}
	p.supplierID = p.supplier(r)
	// Few customers and currencies for each sequence, the first ones likelier, so that invoices and payments meet.
	p.customers = append(p.customers, p.customers[0], p.customers[0])
	foreign := among(r, "foreign", []string{"USD", "JPY", "KWD", "EUR"})
	p.currencies = []string{foreign, foreign, foreign, p.base}
	return p
}

// judge compares what came of a move with what the reference says should.
func (p *play) judge(name string, m move) string {
	if m == skipped {
		return m.want
	}
	got := "done"
	if m.err != nil {
		f := fault.From(m.err)
		switch {
		case f == nil || f.Kind == fault.Internal:
			p.Fatalf("%s: a malfunction: %v", name, m.err)
		case len(f.Fields) > 0:
			got = "fields"
		default:
			got = f.Code
		}
	}
	if got != m.want {
		p.Fatalf("%s: %s (%v), the reference says %s", name, got, m.err, m.want)
	}
	return got
}

// evenly draws a number below n, each as likely as another; rapid's own numbers are mostly small.
func evenly(r *rapid.T, name string, n int) int { return eightBits.Draw(r, name) % n }

var eightBits = rapid.Custom(func(r *rapid.T) (v int) {
	for range 8 {
		v *= 2
		if rapid.Bool().Draw(r, "bit") {
			v++
		}
	}
	return v
})

func among[V any](r *rapid.T, name string, all []V) V { return all[evenly(r, name, len(all))] }

// pick chooses among what there is; ok is false when there is nothing.
func pick[V any](p *play, name string, all []V) (v V, ok bool) {
	if len(all) == 0 {
		return v, false
	}
	return among(p.T, name, all), true
}

func (p *play) rarely(what string) bool { return evenly(p.T, what, 8) == 7 }
