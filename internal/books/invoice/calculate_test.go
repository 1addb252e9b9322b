package invoice

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/tax"
)

// rates that the tests tax with.
var rates = map[string]tax.Rate{
	"standard": {ID: "standard", Name: "VAT 21%", Rate: money.MustFactor("21")},
	"reduced":  {ID: "reduced", Name: "VAT 9%", Rate: money.MustFactor("9")},
	"odd":      {ID: "odd", Name: "Odd 13.3333%", Rate: money.MustFactor("13.3333")},
	"zero":     {ID: "zero", Name: "VAT 0%"},
}

// line is written as "quantity × price", with an optional "-5%" or "-5c" off and the name of a rate.
func line(t *testing.T, text string) Line {
	t.Helper()
	words := strings.Fields(text)
	l := Line{Quantity: money.MustFactor(words[0]), UnitPrice: money.MustFactor(words[2])}
	for _, w := range words[3:] {
		switch {
		case strings.HasSuffix(w, "%"):
			f := money.MustFactor(strings.Trim(w, "-%"))
			l.DiscountPercent = &f
		case strings.HasSuffix(w, "c"):
			var a money.Amount
			if _, err := fmt.Sscan(strings.Trim(w, "-c"), &a); err != nil {
				t.Fatal(err)
			}
			l.DiscountAmount = &a
		default:
			l.TaxRateID = &w
		}
	}
	return l
}

func TestWhatAnInvoiceComesTo(t *testing.T) {
	for _, c := range []struct {
		name     string
		currency string
		mode     money.TaxMode
		rounding Rounding
		lines    []string
		want     string // line/net/tax of each line; subtotal+tax=total, less discount; rate: taxable/tax
	}{
		{"the example, rounded per line", "EUR", money.Exclusive, PerLine, []string{"1 × 10.07 standard", "1 × 10.07 standard", "1 × 10.07 standard"},
			"1007/1007/211 1007/1007/211 1007/1007/211; 3021+633=3654 -0; standard: 3021/633"},
		{"the example, rounded per document", "EUR", money.Exclusive, PerDocument, []string{"1 × 10.07 standard", "1 × 10.07 standard", "1 × 10.07 standard"},
			"1007/1007/212 1007/1007/211 1007/1007/211; 3021+634=3655 -0; standard: 3021/634"},
		{"tax contained", "EUR", money.Inclusive, PerLine, []string{"1 × 10.07 standard", "1 × 10.07 standard"},
			"1007/832/175 1007/832/175; 1664+350=2014 -0; standard: 1664/350"},
		{"tax contained, rounded per document", "EUR", money.Inclusive, PerDocument, []string{"1 × 10.07 standard", "1 × 10.07 standard"},
			"1007/832/175 1007/832/175; 1664+350=2014 -0; standard: 1664/350"},
		{"no tax, whatever the rate", "EUR", money.Untaxed, PerLine, []string{"1 × 10.07 standard", "2 × 1"},
			"1007/1007/0 200/200/0; 1207+0=1207 -0"},
		{"rates in the order of first use, and a line without", "EUR", money.Exclusive, PerLine,
			[]string{"1 × 10 reduced", "1 × 5", "1 × 10 standard", "1 × 20 reduced", "1 × 1 zero"},
			"1000/1000/90 500/500/0 1000/1000/210 2000/2000/180 100/100/0; 4600+480=5080 -0; reduced: 3000/270; standard: 1000/210; zero: 100/0"},
		{"discounts", "EUR", money.Exclusive, PerLine, []string{"3 × 9.99 -12.5% standard", "1 × 10 -250c standard"},
			"2622/2622/551 750/750/158; 3372+709=4081 -625; standard: 3372/709"},
		{"goods taken back", "EUR", money.Exclusive, PerLine, []string{"5 × 10 standard", "-2 × 10.005 standard"},
			"5000/5000/1050 -2001/-2001/-420; 2999+630=3629 -0; standard: 2999/630"},
		{"a half is rounded away from zero", "EUR", money.Exclusive, PerLine, []string{"1 × 0.125", "-1 × 0.005", "1 × 0.004"},
			"13/13/0 -1/-1/0 0/0/0; 12+0=12 -0"},
		{"a currency without decimals", "JPY", money.Exclusive, PerLine, []string{"3 × 33.5 odd"}, "101/101/13; 101+13=114 -0; odd: 101/13"},
		{"a currency with three", "KWD", money.Exclusive, PerLine, []string{"1 × 1.2345 odd"}, "1235/1235/165; 1235+165=1400 -0; odd: 1235/165"},
		{"a discount above the price", "EUR", money.Exclusive, PerLine, []string{"1 × 1 -150c", "1 × 1"}, "-50/-50/0 100/100/0; 50+0=50 -150"},
		{"nothing at all", "EUR", money.Exclusive, PerLine, nil, "; 0+0=0 -0"},
		{"lines that cancel out", "EUR", money.Exclusive, PerDocument, []string{"1 × 7 odd", "-1 × 7 odd"},
			"700/700/93 -700/-700/-93; 0+0=0 -0; odd: 0/0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := Invoice{Currency: c.currency, TaxMode: c.mode, TaxRounding: c.rounding}
			for _, text := range c.lines {
				i.Lines = append(i.Lines, line(t, text))
			}
			if err := i.calculate(rates); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, worked(i)); diff != "" {
				t.Error(diff)
			}
			if i.AmountDue != i.Total {
				t.Errorf("of %d only %d is due", i.Total, i.AmountDue)
			}
		})
	}
}

// worked writes what was calculated.
func worked(i Invoice) string {
	var lines []string
	for _, l := range i.Lines {
		lines = append(lines, fmt.Sprintf("%d/%d/%d", l.LineAmount, l.NetAmount, l.TaxAmount))
	}
	text := fmt.Sprintf("%s; %d+%d=%d -%d", strings.Join(lines, " "), i.Subtotal, i.TaxTotal, i.Total, i.DiscountTotal)
	for _, s := range i.TaxSummary {
		text += fmt.Sprintf("; %s: %d/%d", s.TaxRateID, s.TaxableAmount, s.TaxAmount)
	}
	return text
}

func TestTheSummaryKeepsTheRate(t *testing.T) {
	i := Invoice{Currency: "EUR", TaxMode: money.Exclusive, TaxRounding: PerLine, Lines: []Line{line(t, "1 × 10 standard")}}
	if err := i.calculate(rates); err != nil {
		t.Fatal(err)
	}
	want := []TaxSum{{TaxRateID: "standard", Name: "VAT 21%", Rate: money.MustFactor("21"), TaxableAmount: 1000, TaxAmount: 210}}
	if !slices.Equal(i.TaxSummary, want) {
		t.Errorf("got %+v", i.TaxSummary)
	}
}

func TestAmountsBeyondTheirRangeAreTheCallersToChange(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string // paths of the offences
	}{
		{"one line", []string{"1 × 1", "999999999999 × 999999999999", "1 × 1", "-999999999999 × 999999999999"}, "lines.1 lines.3"},
		{"the sum of lines", []string{"90 × 999999999999.99", "90 × 999999999999.99"}, "lines"},
		{"the tax on top", []string{"90 × 999999999999.99 standard"}, "lines"},
		{"discounts", []string{"50 × 999999999999 -61%", "50 × 999999999999 -61%", "50 × 999999999999 -61%"}, "lines"},
		{"less than nothing", []string{"1 × 1", "-1 × 1.01"}, "lines"},
		{"less than nothing by the tax", []string{"1 × 1", "-1 × 1 standard"}, "lines"},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := Invoice{Currency: "EUR", TaxMode: money.Exclusive, TaxRounding: PerLine}
			for _, text := range c.lines {
				i.Lines = append(i.Lines, line(t, text))
			}
			f := fault.From(i.calculate(rates))
			if f == nil || f.Kind != fault.Invalid {
				t.Fatalf("got %v, and a total of %d", f, i.Total)
			}
			var paths []string
			for _, sentence := range f.Fields {
				path, _, _ := strings.Cut(sentence, " ")
				paths = append(paths, path)
			}
			if got := strings.Join(paths, " "); got != c.want {
				t.Errorf("named %s: %v", got, f)
			}
		})
	}
}

// drawn is any invoice that could be asked for.
func drawn(t *rapid.T) Invoice {
	i := Invoice{
		Currency: rapid.SampledFrom([]string{"EUR", "JPY", "KWD"}).Draw(t, "currency"),
		TaxMode:  rapid.SampledFrom([]money.TaxMode{money.Exclusive, money.Inclusive, money.Untaxed}).Draw(t, "mode"),
	}
	names := []string{"standard", "reduced", "odd", "zero", ""}
	for range rapid.IntRange(0, 12).Draw(t, "lines") {
		l := Line{
			Quantity:  money.MustFactor(rapid.StringMatching(`-?[1-9][0-9]{0,3}(\.[0-9]{1,6})?`).Draw(t, "quantity")),
			UnitPrice: money.MustFactor(rapid.StringMatching(`-?[0-9]{1,4}(\.[0-9]{1,10})?`).Draw(t, "price")),
		}
		switch rapid.IntRange(0, 3).Draw(t, "discount") {
		case 1:
			f := money.MustFactor(rapid.StringMatching(`[0-9]{1,2}(\.[0-9]{1,4})?`).Draw(t, "percent"))
			l.DiscountPercent = &f
		case 2:
			a := money.Amount(rapid.Int64Range(0, 10000).Draw(t, "off"))
			l.DiscountAmount = &a
		}
		if name := rapid.SampledFrom(names).Draw(t, "rate"); name != "" {
			l.TaxRateID = &name
		}
		i.Lines = append(i.Lines, l)
	}
	return i
}

func TestSumsAgreeForEveryInvoice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		byLine := drawn(t)
		byLine.TaxRounding = PerLine
		byDocument := byLine
		byDocument.TaxRounding, byDocument.Lines = PerDocument, slices.Clone(byLine.Lines)
		for _, i := range []*Invoice{&byLine, &byDocument} {
			if err := i.calculate(rates); err != nil {
				if i.Total >= 0 {
					t.Fatal(err)
				}
				t.Skip("less than nothing")
			}
			agrees(t, *i)
		}
		// Half a minor unit per line and half a one per rate; twice that to stay with whole numbers.
		off := 2 * (byLine.Total - byDocument.Total)
		if most := money.Amount(len(byLine.Lines) + len(byLine.TaxSummary)); off > most || off < -most {
			t.Errorf("%d per line, %d per document", byLine.Total, byDocument.Total)
		}
	})
}

// agrees holds the sums of an invoice against each other, and every line that is rounded by itself against fractions.
func agrees(t *rapid.T, i Invoice) {
	var nets, taxes, summed, taxable, untaxed money.Amount
	for n, l := range i.Lines {
		nets, taxes = nets+l.NetAmount, taxes+l.TaxAmount
		exact := exactly(i, l)
		if got := rounded(exact); l.LineAmount != got {
			t.Errorf("line %d is %d, exactly %s", n, l.LineAmount, exact.FloatString(6))
		}
		taxed := l.TaxRateID != nil && i.TaxMode != money.Untaxed
		switch {
		case !taxed:
			untaxed += l.NetAmount
			if l.TaxAmount != 0 || l.NetAmount != l.LineAmount {
				t.Errorf("line %d is taxed: %+v", n, l)
			}
		case i.TaxMode == money.Inclusive && l.NetAmount+l.TaxAmount != l.LineAmount,
			i.TaxMode == money.Exclusive && l.NetAmount != l.LineAmount:
			t.Errorf("line %d does not add up: %+v", n, l)
		case i.TaxRounding == PerLine && l.TaxAmount != rounded(exactTax(i, l)):
			t.Errorf("line %d has a tax of %d, exactly %s", n, l.TaxAmount, exactTax(i, l).FloatString(6))
		}
	}
	for _, s := range i.TaxSummary {
		summed, taxable = summed+s.TaxAmount, taxable+s.TaxableAmount
	}
	if i.Subtotal != nets || i.TaxTotal != taxes || i.Total != nets+taxes || summed != taxes || taxable+untaxed != nets {
		t.Errorf("sums disagree: %+v", i)
	}
}

// exactly is gross − discount of a line, in minor units.
func exactly(i Invoice, l Line) *big.Rat {
	exponent := money.MustCurrency(i.Currency).Exponent()
	gross := new(big.Rat).Mul(fraction(l.Quantity), fraction(l.UnitPrice))
	gross.Mul(gross, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)), nil)))
	switch {
	case l.DiscountPercent != nil:
		part := new(big.Rat).Quo(fraction(*l.DiscountPercent), big.NewRat(100, 1))
		return gross.Sub(gross, part.Mul(part, gross))
	case l.DiscountAmount != nil:
		return gross.Sub(gross, big.NewRat(int64(*l.DiscountAmount), 1))
	}
	return gross
}

func exactTax(i Invoice, l Line) *big.Rat {
	rate := fraction(rates[*l.TaxRateID].Rate)
	whole := big.NewRat(100, 1)
	if i.TaxMode == money.Inclusive {
		whole.Add(whole, rate)
	}
	return rate.Mul(rate.Quo(rate, whole), big.NewRat(int64(l.LineAmount), 1))
}

func fraction(f money.Factor) *big.Rat {
	r, _ := new(big.Rat).SetString(f.String())
	return r
}

// rounded is half away from zero.
func rounded(r *big.Rat) money.Amount {
	half := big.NewRat(1, 2)
	if r.Sign() < 0 {
		half.Neg(half)
	}
	sum := new(big.Rat).Add(r, half)
	return money.Amount(new(big.Int).Quo(sum.Num(), sum.Denom()).Int64())
}
