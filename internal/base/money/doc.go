// Package money is the exact arithmetic of money: amounts, currencies, factors, and the few laws that join
// them (pricing a line, taxing it, spreading a rounded total, converting, settling in part).
//
// It owns three values. An Amount is a whole number of minor units: what is booked or paid. A Currency says
// how many decimals those minor units are. A Factor is an exact decimal that an amount is made from and
// never is one itself: a price per unit, a quantity, a percentage, a rate of exchange.
//
// Nothing here is a float, nothing wraps around, and every result is rounded once, by Round's law: half away
// from zero. Hence rounding, taxing, spreading and converting are odd: the mirrored amount gives the
// mirrored result, so a reversal cancels exactly what it reverses.
//
// It does no I/O and knows no documents, accounts or wire errors. It refuses with the plain errors declared
// beside each rule.
package money
