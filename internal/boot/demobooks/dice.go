package demobooks

import "hash/fnv"

// dice fall the same way every time: what they show follows from their name.
type dice struct{ state uint64 }

func diceOf(names ...string) *dice {
	h := fnv.New64a()
	for _, n := range names {
		h.Write([]byte(n))
		h.Write([]byte{0})
	}
	return &dice{h.Sum64()}
}

// next is splitmix64.
func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// between is a whole number from least to most.
func (d *dice) between(least, most int) int {
	return least + int(d.next()%uint64(most-least+1))
}

// about is an amount, some percent more or less.
func (d *dice) about(amount int64, percent int) int64 {
	return amount * int64(d.between(1000-10*percent, 1000+10*percent)) / 1000
}
