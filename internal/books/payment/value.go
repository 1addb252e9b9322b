package payment

import (
	"errors"

	"daybook/internal/base/fault"
	"daybook/internal/base/money"
	"daybook/internal/books/ledger"
)

// fits judges the account that the money comes to or goes from: one that holds money, and in a currency that fits. An
// account in a foreign currency takes that currency only; one in the base currency takes all, at the payment's rate.
func fits(path string, bank ledger.Account, base, currency money.Currency) error {
	if !bank.HoldsMoney() {
		return ledger.ErrType.With(path, "BANK or CASH")
	}
	if own := currencyOf(bank, base); own != base.Code() && own != currency.Code() {
		return ErrCurrency.With(path, own, currency.Code())
	}
	return nil
}

// currencyOf an account; the base currency where it has none of its own.
func currencyOf(a ledger.Account, base money.Currency) string {
	if a.Currency == nil {
		return base.Code()
	}
	return *a.Currency
}

// rateFor is the rate that a payment in that currency has: nil in the base currency.
func rateFor(currency, base money.Currency, given *string) (*money.Factor, error) {
	one := money.MustFactor("1")
	var rate *money.Factor
	if given != nil {
		f, err := money.ParseFactor(*given)
		if err != nil {
			return nil, err
		}
		rate = &f
	}
	switch {
	case currency == base && (rate == nil || *rate == one):
		return nil, nil
	case currency == base:
		return nil, fault.InvalidFields("exchangeRate must be absent or \"1\" in the base currency")
	case rate == nil:
		return nil, ErrRate.With(currency.Code(), base.Code())
	}
	return rate, nil
}

// valueOf is an amount in the base currency.
func valueOf(amount money.Amount, currency, base money.Currency, rate *money.Factor) (money.Amount, error) {
	if rate == nil {
		return amount, nil
	}
	value, err := money.Convert(amount, currency, base, *rate)
	return value, tooLarge(err)
}

// tooLarge says in the caller's terms that a value is beyond what the books can hold.
func tooLarge(err error) error {
	if errors.Is(err, money.ErrOutOfRange) {
		return fault.InvalidFields("amount must be smaller: its value in the base currency is beyond what the books can hold")
	}
	return err
}
