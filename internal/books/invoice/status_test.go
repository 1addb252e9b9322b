package invoice

import (
	"errors"
	"fmt"
	"testing"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/record"
)

// transitions is the table of the documentation: every state by every action. Where the amounts decide, there is a row for
// each case. A dash is a refusal, x is gone.
var transitions = []struct {
	action    action
	paid, due money.Amount // after the action
	//  DRAFT, OPEN, PARTIALLY_PAID, PAID, VOID, UNCOLLECTIBLE
	to [6]Status
}{
	{edit, 0, 100, [6]Status{Draft, "-", "-", "-", "-", "-"}},
	{amend, 0, 100, [6]Status{Draft, Open, PartiallyPaid, Paid, "-", "-"}},
	{remove, 0, 100, [6]Status{"x", "-", "-", "-", "-", "-"}},
	{issue, 0, 100, [6]Status{Open, "-", "-", "-", "-", "-"}},
	{issue, 0, 0, [6]Status{Paid, "-", "-", "-", "-", "-"}},
	{send, 0, 100, [6]Status{"-", Open, PartiallyPaid, Paid, "-", Uncollectible}},
	{void, 0, 100, [6]Status{"-", Void, "-", "-", "-", "-"}},
	{writeOff, 0, 100, [6]Status{"-", Uncollectible, Uncollectible, "-", "-", "-"}},
	{writeOff, 40, 60, [6]Status{"-", Uncollectible, Uncollectible, "-", "-", "-"}},
	{allocate, 40, 60, [6]Status{"-", PartiallyPaid, PartiallyPaid, "-", "-", "-"}},
	{allocate, 100, 0, [6]Status{"-", Paid, Paid, "-", "-", "-"}},
	{unallocate, 40, 60, [6]Status{"-", "-", PartiallyPaid, PartiallyPaid, "-", "-"}},
	{unallocate, 0, 100, [6]Status{"-", "-", Open, Open, "-", "-"}},
	{"dance", 0, 100, [6]Status{"-", "-", "-", "-", "-", "-"}},
}

func TestEveryStateByEveryAction(t *testing.T) {
	for _, row := range transitions {
		for n, from := range statuses {
			to, ok := next(from, row.action, row.paid, row.due)
			got := to
			switch {
			case !ok:
				got = "-"
			case to == gone:
				got = "x"
			}
			if got != row.to[n] {
				t.Errorf("%s, %s with %d paid and %d due: got %s, want %s", from, row.action, row.paid, row.due, got, row.to[n])
			}
		}
	}
}

func TestARefusalNamesStateAndAction(t *testing.T) {
	for a, word := range map[action]string{edit: "update", amend: "update", void: "void", writeOff: "write-off"} {
		i := Invoice{Status: Void}
		err := i.do(a)
		if f := fault.From(err); !errors.Is(err, record.ErrState) || fmt.Sprintf("%v %v", f.Params...) != "VOID "+word {
			t.Errorf("%s: got %v", a, err)
		}
		if i.Status != Void {
			t.Errorf("%s moved it to %s", a, i.Status)
		}
	}
}
