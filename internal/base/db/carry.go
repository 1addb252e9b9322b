package db

// carryOver writes the log into the database. Readers let go before, so that all of it can be carried over, and after, so that the log
// can begin anew: those who come then need it no more.
func (s *sqliteStore) carryOver(c *sqliteConn) error {
	s.letAllGo()
	err := c.run("PRAGMA wal_checkpoint(PASSIVE)")
	s.letAllGo()
	return err
}

// isLong reports whether the log is to be carried over.
func (s *sqliteStore) isLong(pages uint32) bool { return s.wal != nil && s.wal.frames() >= pages }

// shorten has a log that has become long carried over, beside the groups that follow, by a connection of its own. That takes a while.
// What they write meanwhile the writer then carries over itself, between two groups, so that nothing is left and the log begins anew.
//
// What fails is tried again after the next commit, and a disk that fails tells then.
func (w *writer) shorten() {
	switch {
	case !w.store.isLong(longLog), w.store.broken.Load():
	case w.carrying == nil:
		done := make(chan struct{})
		w.carrying = done
		go func() {
			defer close(done)
			w.carryBeside()
		}()
	case isClosed(w.carrying) || w.store.isLong(tooLongLog):
		<-w.carrying
		w.carrying = nil
		if w.arrived() == nil {
			_ = w.store.carryOver(w.conn)
		}
	}
}

func (w *writer) carryBeside() {
	if w.carrier == nil {
		c, err := w.store.connect()
		if err != nil {
			return
		}
		w.carrier = c
	}
	_ = w.store.carryOver(w.carrier)
}

// endCarrying waits for what is under way.
func (w *writer) endCarrying() {
	if w.carrying != nil {
		<-w.carrying
	}
	if w.carrier != nil {
		w.store.leave(w.carrier)
	}
}

// leave closes a connection. SQLite carries the log over when the last one is closed; it must not where the disk may lack some of it.
func (s *sqliteStore) leave(c *sqliteConn) {
	if s.broken.Load() {
		c.handle.keepLog()
	}
	c.close()
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
