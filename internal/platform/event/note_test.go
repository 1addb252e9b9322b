package event_test

import (
	"errors"
	"testing"

	"daybook/internal/base/db"
	"daybook/internal/platform/event"
)

func TestOnlyWhatIsCommittedIsNoted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		noting, noted := event.Note(ctx)
		other := errors.New("changed its mind")
		for i, outcome := range []error{nil, other, nil} {
			err := w.Write(ctx, func(tx *db.Tx) error {
				under := noting
				if i == 2 {
					under = ctx // somebody else's
				}
				err := w.feed.Log.Append(under, tx, "biz_1", event.Actor{Type: event.System},
					event.Happening{Type: event.BooksLocked, Data: event.Data{}}, event.Happening{Type: event.BooksUnlocked, Data: event.Data{}})
				return errors.Join(err, outcome)
			})
			if !errors.Is(err, outcome) {
				t.Fatal(err)
			}
		}
		got := noted.Events()
		if len(got) != 2 || got[0].Type != event.BooksLocked || got[1].Type != event.BooksUnlocked || got[0].ID == "" || got[1].Number != 2 {
			t.Errorf("%+v", got)
		}
	})
}
