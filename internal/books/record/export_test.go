package record

// WriteCursor makes a cursor for a query.
func WriteCursor(q Query, key any, id string) string {
	return writeCursor(position{Key: key, ID: id, Hash: q.hash})
}

// After is the position that a query's cursor named.
func (q Query) After() (key any, id string, given bool) {
	if q.after == nil {
		return nil, "", false
	}
	return q.after.Key, q.after.ID, true
}
