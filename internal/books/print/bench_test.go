package print_test

import (
	"io"
	"strings"
	"testing"

	"daybook/internal/books/print"
)

func BenchmarkInvoice(b *testing.B) {
	big := long(200)
	for i := range big.Lines {
		big.Lines[i].Description = strings.Repeat("lorem ipsum ", 84)[:1000]
	}
	for name, d := range map[string]print.Document{"ordinary": ordinary(), "200 lines of 1000 characters": big} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := print.Invoice(io.Discard, d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
