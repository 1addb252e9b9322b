package money_test

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"daybook/internal/base/money"
)

var (
	_ driver.Valuer = money.Factor{}
	_ sql.Scanner   = (*money.Factor)(nil)
	_ driver.Valuer = money.Currency{}
	_ sql.Scanner   = (*money.Currency)(nil)
)

func TestFactorsInJSONAreStringsOnly(t *testing.T) {
	cases := map[string]struct {
		json string
		want string
		err  error
	}{
		"a string":              {`"10.0700"`, "10.07", nil},
		"an escaped string":     {`"\u0031.5"`, "1.5", nil},
		"an integer":            {`10`, "", money.ErrNotText},
		"a decimal":             {`10.5`, "", money.ErrNotText},
		"null":                  {`null`, "", money.ErrNotText},
		"a boolean":             {`false`, "", money.ErrNotText},
		"an array":              {`["1"]`, "", money.ErrNotText},
		"a string but no digit": {`"ten"`, "", money.ErrFactor},
		"an exponent in quotes": {`"1e3"`, "", money.ErrFactor},
		"an empty string":       {`""`, "", money.ErrFactor},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := factor("7")
			err := json.Unmarshal([]byte(c.json), &got)
			wantError(t, err, c.err)
			if c.err != nil {
				c.want = "7"
			}
			if got.String() != c.want {
				t.Errorf("got %s, wants %s", got, c.want)
			}
		})
	}
}

func TestCurrenciesInJSON(t *testing.T) {
	cases := map[string]struct {
		json string
		want money.Currency
		err  error
	}{
		"a code":            {`"EUR"`, eur, nil},
		"a code not in use": {`"XXX"`, usd, money.ErrCurrency},
		"lower case":        {`"eur"`, usd, money.ErrCurrency},
		"empty":             {`""`, usd, money.ErrCurrency},
		"a number":          {`978`, usd, money.ErrNotText},
		"null":              {`null`, usd, money.ErrNotText},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := usd
			err := json.Unmarshal([]byte(c.json), &got)
			wantError(t, err, c.err)
			if got != c.want {
				t.Errorf("got %s, wants %s", got, c.want)
			}
		})
	}
}

func TestBrokenJSONIsRefused(t *testing.T) {
	for _, data := range []string{``, `"`, `"1`, `"EUR`, `"\x"`} {
		f, c := factor("7"), usd
		if f.UnmarshalJSON([]byte(data)) == nil || f != factor("7") {
			t.Errorf("a factor was read from %q", data)
		}
		if c.UnmarshalJSON([]byte(data)) == nil || c != usd {
			t.Errorf("a currency was read from %q", data)
		}
	}
}

func TestNoCurrencyIsNotWritten(t *testing.T) {
	_, err := json.Marshal(money.Currency{})
	wantError(t, err, money.ErrCurrency)
	_, err = money.Currency{}.Value()
	wantError(t, err, money.ErrCurrency)
}

func TestNullableValuesArePointers(t *testing.T) {
	type document struct {
		Rate     *money.Factor   `json:"rate"`
		Currency *money.Currency `json:"currency"`
	}
	const text = `{"rate":null,"currency":null}`
	read := document{new(money.Factor), new(money.Currency)}
	if err := json.Unmarshal([]byte(text), &read); err != nil || read.Rate != nil || read.Currency != nil {
		t.Errorf("read %+v, %v", read, err)
	}
	if written, err := json.Marshal(read); err != nil || string(written) != text {
		t.Errorf("wrote %s, %v", written, err)
	}
}

func TestFactorsAndCurrenciesSurviveJSONAndColumns(t *testing.T) {
	type pair struct {
		Factor   money.Factor
		Currency money.Currency
	}
	rapid.Check(t, func(t *rapid.T) {
		in := pair{anyFactor().Draw(t, "factor"), anyCurrency().Draw(t, "currency")}
		data, err := json.Marshal(in)
		if want := `{"Factor":"` + in.Factor.String() + `","Currency":"` + in.Currency.Code() + `"}`; err != nil || string(data) != want {
			t.Fatalf("wrote %s, %v; wants %s", data, err, want)
		}
		var out pair
		if err := json.Unmarshal(data, &out); err != nil || out != in {
			t.Fatalf("%s is read as %v, %v", data, out, err)
		}

		var stored pair
		column, err := in.Factor.Value()
		if err != nil || column != in.Factor.String() || stored.Factor.Scan(column) != nil {
			t.Fatalf("%s is stored as %v, %v", in.Factor, column, err)
		}
		column, err = in.Currency.Value()
		if err != nil || column != in.Currency.Code() || stored.Currency.Scan([]byte(in.Currency.Code())) != nil {
			t.Fatalf("%s is stored as %v, %v", in.Currency, column, err)
		}
		if stored != in {
			t.Fatalf("%v came back as %v", in, stored)
		}
	})
}

func TestColumnsOfOtherTypesAreRefused(t *testing.T) {
	for _, column := range []any{nil, int64(1), 1.5, true} {
		f, c := factor("7"), usd
		wantError(t, f.Scan(column), money.ErrNotText)
		wantError(t, c.Scan(column), money.ErrNotText)
	}
	var f money.Factor
	wantError(t, f.Scan("1e3"), money.ErrFactor)
	var c money.Currency
	wantError(t, c.Scan("eur"), money.ErrCurrency)
}
