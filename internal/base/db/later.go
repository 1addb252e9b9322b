package db

import (
	"context"
	"slices"
	"strings"
)

// Later is Exec for rows that nothing reads in the transaction that writes them. On SQLite those of all closures of a group are
// written together, which costs half as much: before the first statement that names the table, and at the latest before the commit.
// A row that the table refuses has the group run again, and then fails the closure that it belongs to.
func (i *Insert) Later(ctx context.Context, tx *Tx, values []any) error {
	if tx.later == nil {
		return i.Exec(ctx, tx, values)
	}
	if len(values) == 0 {
		return nil
	}
	if err := tx.ready(ctx, i.text(1)); err != nil {
		return err
	}
	tx.later.add(i, values)
	return nil
}

// later is the rows that SQLite's writer has yet to write.
type later struct {
	parts []laterRows // of every table that ever had some
	rows  bool        // there are some
	// failed: some could not be written, and are gone. Whoever's they are, the group must be run again.
	failed bool
}

type laterRows struct {
	insert *Insert
	values []any       // plain
	rows   map[any]int // where the row with a key begins, of an insert that knows one
}

// Aside, at its end, marks a statement whose author knows what was put off, and that nothing of it is asked for.
const Aside = ` /* aside */`

func (l *later) add(i *Insert, values []any) {
	at := -1
	for n := range l.parts {
		if l.parts[n].insert == i {
			at = n
		}
	}
	if at < 0 {
		at = len(l.parts)
		l.parts = append(l.parts, laterRows{insert: i})
	}
	p := &l.parts[at]
	for ; len(values) > 0; values = values[i.columns:] {
		p.add(i, values[:i.columns])
	}
	l.rows = true
}

func (p *laterRows) add(i *Insert, row []any) {
	begin := len(p.values)
	if i.keyed {
		if p.rows == nil {
			p.rows = map[any]int{}
		}
		key := plainOne(row[0])
		if there, ok := p.rows[key]; ok { // only the last one counts
			begin = there
		}
		p.rows[key] = begin
	}
	if begin == len(p.values) {
		p.values = append(p.values, row...) // room
	}
	for n, v := range row {
		p.values[begin+n] = plainOne(v)
	}
}

// clear forgets the rows, and keeps their room.
func (l *later) clear() {
	l.rows = false
	for i := range l.parts {
		clear(l.parts[i].values)
		l.parts[i].values = l.parts[i].values[:0]
		clear(l.parts[i].rows)
	}
}

// concerns reports whether a statement names a table that rows are yet to be written to.
func (l *later) concerns(s *sqliteStatement) bool {
	for i := range l.parts {
		if len(l.parts[i].values) == 0 {
			continue
		}
		known, ok := s.names[l.parts[i].insert]
		if !ok {
			known = strings.Contains(s.sql, l.parts[i].insert.table) && !strings.Contains(s.sql, Aside)
			if s.names == nil {
				s.names = map[*Insert]bool{}
			}
			s.names[l.parts[i].insert] = known
		}
		if known {
			return true
		}
	}
	return false
}

// writeLater writes the rows that were put off.
func (c *sqliteConn) writeLater() (err error) {
	c.later.rows = false // the statements below name the tables, too
	defer func() {
		c.later.clear()
		c.later.failed = c.later.failed || err != nil
	}()
	for _, p := range c.later.parts {
		for values := p.values; len(values) > 0; {
			n := some(len(values)/p.insert.columns) * p.insert.columns
			if err := c.writePutOff(p.insert, p.insert.textPutOff(n/p.insert.columns), values[:n]); err != nil {
				return err
			}
			values = values[n:]
		}
	}
	return nil
}

// writePutOff writes some of them. What is kept knows them already, but not what a trigger makes of them.
func (c *sqliteConn) writePutOff(i *Insert, sql string, values []any) error {
	st, err := c.prepare(sql)
	if err != nil {
		return err
	}
	if len(st.changes) > 1 {
		c.known.forget(slices.DeleteFunc(slices.Clone(st.changes), func(name string) bool { return name == i.table }))
	}
	if err := st.bind(values); err != nil {
		return err
	}
	cur := &sqliteCursor{statement: st}
	for cur.next() {
	}
	return cur.close()
}
