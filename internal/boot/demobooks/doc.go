// Package demobooks writes a year of believable activity into the books of a new business: for the demo world, and for
// whatever a fixture asks `books: DEMO` of.
//
// It owns no table. Everything is done by the verbs of the features, in the caller's transaction and in the owner's name,
// so the books hold nothing that the product would refuse. The year is first written down as a script (who orders,
// delivers and pays when), which then is played day by day: nothing lies in the future but the dates on which something is
// due. The same business on the same day always gets the same year; nothing is left to chance.
//
// What a business sells follows from its name (trade_*.go), whom it deals with from its country (place_*.go), how its
// customers order and pay is the same everywhere (habits.go), and prices follow the currency (prices.go). People and
// companies are invented.
package demobooks
