package ledger

import (
	"context"
	"slices"
)

// Hold has the Book keep rows back until it closes, so that the rows of many changes go out together, in few statements; and
// remember what was read. It is the first thing done with a Book.
//
// Until then nothing is written, so a change is taken back by returning to a Mark made before it. Only verbs whose rows are all
// Later may be used: creating customers, invoices and payments.
func (b *Book) Hold() {
	b.holding = true
	b.memory = map[any]any{}
}

// Holding tells whether rows are kept back.
func (b *Book) Holding() bool { return b.holding }

// Mark is a state of a Book that holds, to return to.
type Mark struct {
	lastEntry, lastInvoice int64
	numbered               bool
	events, journal        int
	kept                   []int
}

// Mark notes how the Book is now.
func (b *Book) Mark() Mark {
	m := Mark{b.lastEntry, b.lastInvoice, b.numbered, len(b.events), len(b.journal), make([]int, len(b.kept))}
	for i, k := range b.kept {
		m.kept[i] = k.count()
	}
	return m
}

// Return forgets everything that was done since: rows, numbers and what was told.
func (b *Book) Return(m Mark) {
	b.lastEntry, b.lastInvoice, b.numbered = m.lastEntry, m.lastInvoice, m.numbered
	b.events, b.journal = b.events[:m.events], b.journal[:m.journal]
	for i, k := range b.kept {
		if i < len(m.kept) {
			k.cut(m.kept[i])
		} else {
			k.cut(0)
		}
	}
}

// Later is a sort of rows that a Book may keep back.
type Later[K comparable, T any] struct {
	// Rank says when they are written: after those they refer to.
	Rank int
	// Write is nil for what is only to be known until the Book closes.
	Write func(ctx context.Context, b *Book, rows []T) error
	// Key, if not nil, is what a row that is kept back is found by. No two rows have the same.
	Key func(T) K
}

// The ranks. Lines of the journal name customers and suppliers; invoices name customers; payments both; names are given to any.
const (
	RankParty = iota
	RankInvoice
	RankPayment
	RankJournal
	RankCount
	RankName
)

// keeper is the rows of one sort that a Book keeps back.
type keeper interface {
	rank() int
	count() int
	cut(n int)
	write(ctx context.Context, b *Book) error
}

type keeping[K comparable, T any] struct {
	of   *Later[K, T]
	rows []T
	at   map[K]int // the places of rows; it may name some that were cut off
}

// Add writes a row, or keeps it back if the Book does.
func (l *Later[K, T]) Add(ctx context.Context, b *Book, row T) error {
	if !b.holding {
		return l.write(ctx, b, []T{row})
	}
	k := l.in(b)
	if k == nil {
		k = &keeping[K, T]{of: l, at: map[K]int{}}
		b.kept = append(b.kept, k)
	}
	if l.Key != nil {
		k.at[l.Key(row)] = len(k.rows)
	}
	k.rows = append(k.rows, row)
	return nil
}

func (l *Later[K, T]) write(ctx context.Context, b *Book, rows []T) error {
	if l.Write == nil || len(rows) == 0 {
		return nil
	}
	return l.Write(ctx, b, rows)
}

func (l *Later[K, T]) in(b *Book) *keeping[K, T] {
	for _, k := range b.kept {
		if k, ok := k.(*keeping[K, T]); ok && k.of == l {
			return k
		}
	}
	return nil
}

// Kept lists the rows that are kept back.
func (l *Later[K, T]) Kept(b *Book) []T {
	if k := l.in(b); k != nil {
		return k.rows
	}
	return nil
}

// Find finds a row that is kept back.
func (l *Later[K, T]) Find(b *Book, key K) (row T, ok bool) {
	k := l.in(b)
	if k == nil {
		return row, false
	}
	at, ok := k.at[key]
	if !ok || at >= len(k.rows) || l.Key(k.rows[at]) != key {
		return row, false
	}
	return k.rows[at], true
}

func (k *keeping[K, T]) rank() int { return k.of.Rank }

func (k *keeping[K, T]) count() int { return len(k.rows) }

func (k *keeping[K, T]) cut(n int) { k.rows = k.rows[:n] }

func (k *keeping[K, T]) write(ctx context.Context, b *Book) error {
	return k.of.write(ctx, b, k.rows)
}

// release writes what was kept back, sort by sort.
func (b *Book) release(ctx context.Context) error {
	slices.SortStableFunc(b.kept, func(x, y keeper) int { return x.rank() - y.rank() })
	for _, k := range b.kept {
		if err := k.write(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// Recall gives what a Book remembers of a sort, for the feature to fill in as it reads: nothing, unless the Book holds.
func Recall[K comparable, V any](b *Book, sort any) map[K]V {
	if known, ok := b.memory[sort]; ok {
		return known.(map[K]V)
	}
	known := map[K]V{}
	if b.holding {
		b.memory[sort] = known
	}
	return known
}
