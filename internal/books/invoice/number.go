package invoice

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"daybook/internal/books/ledger"
)

// window is how many numbers are asked about at once at most.
const window = 64

// freeNumber takes the next number of the business's series. Numbers that a caller has used before are passed over: they
// exist, so the series has no hole. The usual case is one look; after many used ones the looks grow wider.
func freeNumber(ctx context.Context, b *ledger.Book) (string, error) {
	number := b.NextInvoiceNumber()
	wide := 1
	if _, known := ledger.Recall[string, bool](b, numbersRead{})[number]; b.Holding() && !known {
		wide = window // the next ones will be asked for, too
	}
	for ; ; wide = min(2*wide, window) {
		candidates := []string{number}
		for len(candidates) < wide {
			candidates = append(candidates, successor(candidates[len(candidates)-1]))
		}
		used, err := usedNumbers(ctx, b, candidates...)
		if err != nil {
			return "", err
		}
		for _, candidate := range candidates {
			if candidate != number {
				number = b.NextInvoiceNumber()
			}
			if !slices.Contains(used, candidate) {
				return number, nil
			}
		}
		number = b.NextInvoiceNumber()
	}
}

type numbersRead struct{}

// numbering knows the numbers of invoices that are kept back; with these they are written.
var numbering = &ledger.Later[string, string]{Key: func(number string) string { return number }}

// usedNumbers lists which of the numbers are in use.
func usedNumbers(ctx context.Context, b *ledger.Book, numbers ...string) (used []string, err error) {
	known := ledger.Recall[string, bool](b, numbersRead{})
	var unknown []string
	for _, n := range numbers {
		if _, ok := known[n]; !ok {
			unknown = append(unknown, n)
			known[n] = false
		}
	}
	if len(unknown) > 0 {
		found, err := takenOf(ctx, b, unknown)
		if err != nil {
			return nil, err
		}
		for _, n := range found {
			known[n] = true
		}
	}
	for _, n := range numbers {
		if _, kept := numbering.Find(b, n); kept || known[n] {
			used = append(used, n)
		}
	}
	return used, nil
}

// takenOf asks for few numbers one by one, and for a stretch of the series as a whole.
func takenOf(ctx context.Context, b *ledger.Book, numbers []string) ([]string, error) {
	if first, last := numbers[0], numbers[len(numbers)-1]; len(numbers) == window && len(first) == len(last) {
		return takenBetween(ctx, b.Tx, b.BusinessID, first, last)
	}
	return taken(ctx, b.Tx, b.BusinessID, numbers...)
}

// zeros are as many as the series writes before a number.
const zeros = "000000"

// successor is the number after one of the series, as the series writes it.
func successor(number string) string {
	at := strings.LastIndexByte(number, '-') + 1
	n, err := strconv.ParseInt(number[at:], 10, 64)
	if err != nil {
		panic(err) // the series writes a number there
	}
	next := strconv.FormatInt(n+1, 10)
	return number[:at] + zeros[:max(0, min(len(number)-at-len(next), len(zeros)))] + next
}
