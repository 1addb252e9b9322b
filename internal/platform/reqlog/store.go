package reqlog

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
)

const columns = `app_id, last_id, first_id, calls, marks, entries`

var insertion = db.NewInsert("request_blocks", columns, ` ON CONFLICT (app_id, last_id, first_id, calls) DO NOTHING`)

func insert(ctx context.Context, tx *db.Tx, list []block) error {
	values := insertion.Rows(len(list))
	for _, b := range list {
		values = append(values, b.appID, b.last, b.first, b.calls, b.marks, b.entries)
	}
	return insertion.Exec(ctx, tx, values)
}

func scanEnds(scan db.Scan) (e ends, err error) {
	err = scan(&e.last, &e.first, &e.calls)
	return e, err
}

// head is a block without its entries; without marks if nobody asked for them.
type head struct {
	ends
	marks []byte
}

func scanHead(scan db.Scan) (h head, err error) {
	err = scan(&h.last, &h.first, &h.calls, &h.marks)
	return h, err
}

// headColumns are found in the key alone, as long as nobody asks for marks.
func headColumns(marked bool) string {
	if marked {
		return `last_id, first_id, calls, marks`
	}
	return `last_id, first_id, calls, NULL`
}

// across lists the blocks that hold ids on both sides of one, which is the first of the second side. Their last one is of the same day.
func across(ctx context.Context, tx *db.Tx, appID string, at id.Bits, marked bool) ([]head, error) {
	return db.All(ctx, tx, scanHead, `
		SELECT `+headColumns(marked)+` FROM request_blocks
		WHERE app_id = $1 AND last_id >= $2 AND last_id < $3 AND first_id < $2
		ORDER BY last_id DESC, first_id DESC, calls DESC`, appID, at.ID(id.Request), dayEnd(at))
}

// behind lists blocks, newest first, from behind the given ends on and as far as they reach back to an id.
func behind(ctx context.Context, tx *db.Tx, appID string, at ends, from string, marked bool, limit int) ([]head, error) {
	return db.All(ctx, tx, scanHead, `
		SELECT `+headColumns(marked)+` FROM request_blocks
		WHERE app_id = $1 AND last_id >= $2 AND last_id <= $3 AND (last_id, first_id, calls) < ($3, $4, $5)
		ORDER BY last_id DESC, first_id DESC, calls DESC LIMIT $6`, appID, from, at.last, at.first, at.calls, limit)
}

func entriesOf(ctx context.Context, tx *db.Tx, appID string, e ends) ([]byte, error) {
	return db.One(ctx, tx, db.Value[[]byte], `SELECT entries FROM request_blocks WHERE app_id = $1 AND last_id = $2 AND first_id = $3 AND calls = $4`,
		appID, e.last, e.first, e.calls)
}

// smallBlocks is the index of blocks that may be merged. The condition has its words.
const (
	smallBlocks = "request_blocks_small"
	isSmall     = `calls < 1024`
)

// scattered lists the apps that have so many small blocks at least.
func scattered(ctx context.Context, tx *db.Tx, least int) ([]string, error) {
	return db.All(ctx, tx, db.Value[string], `
		SELECT app_id FROM request_blocks `+tx.Dialect().IndexedBy(smallBlocks)+` WHERE `+isSmall+` GROUP BY app_id HAVING count(*) >= $1 ORDER BY app_id`, least)
}

// small lists an app's small blocks, oldest first.
func small(ctx context.Context, tx *db.Tx, appID string, limit int) ([]ends, error) {
	return db.All(ctx, tx, scanEnds, `
		SELECT last_id, first_id, calls FROM request_blocks `+tx.Dialect().IndexedBy(smallBlocks)+` WHERE `+isSmall+` AND app_id = $1
		ORDER BY last_id, first_id, calls LIMIT $2`, appID, limit)
}

// takeSmall deletes an app's small blocks from one to another, and gives their entries: each to one taker only.
func takeSmall(ctx context.Context, tx *db.Tx, appID string, from, to ends) ([][]byte, error) {
	return db.All(ctx, tx, db.Value[[]byte], `
		DELETE FROM request_blocks `+tx.Dialect().IndexedBy(smallBlocks)+` WHERE `+isSmall+` AND app_id = $1 AND last_id >= $2 AND last_id <= $5
			AND (last_id, first_id, calls) >= ($2, $3, $4) AND (last_id, first_id, calls) <= ($5, $6, $7)
		RETURNING entries`, appID, from.last, from.first, from.calls, to.last, to.first, to.calls)
}

// nextApp is the app behind another one that has blocks; nil when there is none.
func nextApp(ctx context.Context, tx *db.Tx, behind string) (*string, error) {
	return db.One(ctx, tx, db.Value[*string], `SELECT min(app_id) FROM request_blocks WHERE app_id > $1`, behind)
}

// deleteOld deletes up to limit blocks of an app that end before an id.
func deleteOld(ctx context.Context, tx *db.Tx, appID, before string, limit int) (int64, error) {
	last, err := db.One(ctx, tx, db.Value[*string], `
		SELECT max(o.last_id) FROM (SELECT last_id FROM request_blocks WHERE app_id = $1 AND last_id < $2 ORDER BY last_id LIMIT $3) o`,
		appID, before, limit)
	if err != nil || last == nil {
		return 0, err
	}
	return tx.Exec(ctx, `DELETE FROM request_blocks WHERE app_id = $1 AND last_id <= $2`, appID, *last)
}
