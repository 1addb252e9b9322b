package money

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
)

// ErrNotText says that JSON or a column held something else than text where a factor or currency belongs.
var ErrNotText = errors.New("must be a string")

// MarshalText writes the canonical form; JSON uses it and adds the quotes.
func (f Factor) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText is ParseFactor.
func (f *Factor) UnmarshalText(text []byte) error {
	parsed, err := ParseFactor(string(text))
	if err == nil {
		*f = parsed
	}
	return err
}

// UnmarshalJSON reads a string. Numbers are refused, because a parser on the way may have made them floats,
// and null, because a missing factor is not 0; a nullable factor is a *Factor.
func (f *Factor) UnmarshalJSON(data []byte) error { return unmarshalString(data, f.UnmarshalText) }

// Value stores the canonical form as TEXT.
func (f Factor) Value() (driver.Value, error) { return f.String(), nil }

// Scan reads a TEXT column.
func (f *Factor) Scan(column any) error { return scanText(column, f.UnmarshalText) }

// MarshalText writes the code. No currency at all does not leave: a nullable currency is a *Currency.
func (c Currency) MarshalText() ([]byte, error) {
	if c.IsZero() {
		return nil, ErrCurrency
	}
	return []byte(c.code), nil
}

// UnmarshalText is ParseCurrency.
func (c *Currency) UnmarshalText(text []byte) error {
	parsed, err := ParseCurrency(string(text))
	if err == nil {
		*c = parsed
	}
	return err
}

// UnmarshalJSON reads a string; null is refused.
func (c *Currency) UnmarshalJSON(data []byte) error { return unmarshalString(data, c.UnmarshalText) }

// Value stores the code as TEXT; no currency at all is refused.
func (c Currency) Value() (driver.Value, error) {
	code, err := c.MarshalText()
	if err != nil {
		return nil, err
	}
	return string(code), nil
}

// Scan reads a TEXT column.
func (c *Currency) Scan(column any) error { return scanText(column, c.UnmarshalText) }

func unmarshalString(data []byte, read func([]byte) error) error {
	if len(data) == 0 || data[0] != '"' {
		return ErrNotText
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	return read([]byte(text))
}

func scanText(column any, read func([]byte) error) error {
	switch text := column.(type) {
	case string:
		return read([]byte(text))
	case []byte:
		return read(text)
	}
	return fmt.Errorf("%T: %w", column, ErrNotText)
}
