package invoice

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"daybook/internal/books/ledger"
)

// window is how many numbers are asked about at once at most.
const window = 256

// freeNumber takes the next number of the business's series. Numbers that a caller has used before are passed over: they
// exist, so the series has no hole. The usual case is one look; after many used ones the looks grow wider.
func freeNumber(ctx context.Context, b *ledger.Book) (string, error) {
	number := b.NextInvoiceNumber()
	for wide := 1; ; wide = min(2*wide, window) {
		candidates := []string{number}
		for len(candidates) < wide {
			candidates = append(candidates, successor(candidates[len(candidates)-1]))
		}
		used, err := taken(ctx, b.Tx, b.BusinessID, candidates...)
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

// successor is the number after one of the series, as the series writes it.
func successor(number string) string {
	at := strings.LastIndexByte(number, '-') + 1
	n, err := strconv.ParseInt(number[at:], 10, 64)
	if err != nil {
		panic(err) // the series writes a number there
	}
	return fmt.Sprintf("%s%0*d", number[:at], len(number)-at, n+1)
}
