package listing

import (
	"errors"
	"slices"
	"testing"
)

// contract is the table of the specification, written down a second time: what the other one allows beyond it, or forgets, is a mistake.
var contract = map[Side]map[Action]map[State]State{
	Developer: {
		Begin:    {none: Draft},
		Edit:     {Draft: Draft, ChangesRequested: ChangesRequested, Rejected: Draft},
		Submit:   {Draft: Submitted, ChangesRequested: Submitted},
		Withdraw: {Submitted: Draft},
		Discard:  {Draft: Discarded, ChangesRequested: Discarded, Rejected: Discarded},
		Unlist:   {Published: Published},
		Relist:   {Published: Published},
		Comment:  {Draft: Draft, Submitted: Submitted, InReview: InReview, ChangesRequested: ChangesRequested, Rejected: Rejected},
	},
	Reviewer: {
		Claim:          {Submitted: InReview},
		Release:        {InReview: Submitted},
		RequestChanges: {InReview: ChangesRequested},
		Reject:         {InReview: Rejected},
		Approve:        {InReview: Published},
		Supersede:      {Published: Superseded},
		Comment:        {Draft: Draft, Submitted: Submitted, InReview: InReview, ChangesRequested: ChangesRequested, Rejected: Rejected},
	},
}

func TestEveryActionFromEveryState(t *testing.T) {
	for _, from := range append([]State{none}, States...) {
		for _, does := range Actions {
			for _, who := range []Side{Developer, Reviewer} {
				want, allowed := contract[who][does][from]
				got, err := next(from, does, who)
				refusal := ErrStateConflict
				if does == Edit && (from == Submitted || from == InReview) {
					refusal = ErrNotEditable
				}
				switch {
				case allowed && (err != nil || got != want):
					t.Errorf("%s of %q by %s: %q, %v, want %q", does, from, who, got, err, want)
				case !allowed && !errors.Is(err, refusal):
					t.Errorf("%s of %q by %s: %q, %v", does, from, who, got, err)
				}
				if from.May(does, who) != allowed {
					t.Errorf("%q.May(%s, %s)", from, does, who)
				}
			}
		}
	}
}

func TestTheTableHasNoRowTwice(t *testing.T) {
	for i, a := range moves {
		for _, b := range moves[i+1:] {
			if a.from == b.from && a.does == b.does && a.who == b.who {
				t.Errorf("%+v and %+v", a, b)
			}
		}
		if !slices.Contains(Actions, a.does) || a.from != none && !slices.Contains(States, a.from) || !slices.Contains(States, a.to) {
			t.Errorf("%+v is not of the lists", a)
		}
	}
}

// What was superseded or discarded has come to its end, and only what is open is worked on.
func TestWhereLivesEnd(t *testing.T) {
	for _, m := range moves {
		if m.from == Superseded || m.from == Discarded {
			t.Errorf("%+v", m)
		}
		if m.to != m.from && m.from != none && !m.from.Open() && m.from != Published {
			t.Errorf("%+v", m)
		}
	}
	open := 0
	for _, s := range States {
		if s.Open() {
			open++
		}
	}
	if open != 5 {
		t.Errorf("%d states are open", open)
	}
}
