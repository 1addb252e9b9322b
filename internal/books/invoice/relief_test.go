package invoice

import (
	"fmt"
	"testing"

	"daybook/internal/base/money"
)

func TestAReceivableIsRelievedInParts(t *testing.T) {
	for _, c := range []struct {
		total, carried money.Amount
		parts          []money.Amount
		want           string
	}{
		{10000, 9200, []money.Amount{10000}, "[9200]"},
		{10000, 9200, []money.Amount{3333, 3333, 3334}, "[3066 3066 3068]"},
		{6, 3, []money.Amount{1, 1, 1, 1, 1, 1}, "[1 1 1 0 0 0]"}, // each half is rounded up, until nothing is left
		{5, 3, []money.Amount{1, 1, 1, 2}, "[1 1 1 0]"},
		{10, 3, []money.Amount{1, 1, 1, 7}, "[0 0 0 3]"},
		{6, -3, []money.Amount{1, 1, 1, 1, 2}, "[-1 -1 -1 0 0]"},
		{7, 0, []money.Amount{3, 4}, "[0 0]"},
	} {
		i := Invoice{Total: c.total, AmountDue: c.total, BaseTotal: c.carried}
		var reliefs []money.Amount
		for _, part := range c.parts {
			relief, err := i.relief(part)
			if err != nil {
				t.Fatal(err)
			}
			i.AmountDue, i.BaseSettled = i.AmountDue-part, i.BaseSettled+relief
			reliefs = append(reliefs, relief)
		}
		if got := fmt.Sprint(reliefs); got != c.want || i.BaseSettled != c.carried {
			t.Errorf("%d carried at %d, in parts of %v: %s, want %s", c.total, c.carried, c.parts, got, c.want)
		}
	}
}
