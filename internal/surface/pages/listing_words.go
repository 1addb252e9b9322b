package pages

import (
	"context"
	"slices"
	"strings"
	"time"

	"daybook/internal/platform/event"
	"daybook/internal/platform/listing"
	"daybook/internal/platform/scope"
)

// What the pages of those who make listings and of those who review them have in common.

// revisionStates are the states of a revision as people read them.
var revisionStates = map[listing.State]state{
	listing.Draft: {"draft", "wait"}, listing.Submitted: {"submitted", "wait"}, listing.InReview: {"in review", "wait"}, listing.ChangesRequested: {"changes requested", "warn"},
	listing.Rejected: {"rejected", "bad"}, listing.Published: {"published", "good"}, listing.Superseded: {"replaced by a later one", "off"}, listing.Discarded: {"discarded", "off"},
}

// stage is a step on the way of a revision into the marketplace.
type stage struct {
	Word, Tone, Note string
	Current          bool
}

// stagesOf is the way of a revision, and how far it is.
func stagesOf(s listing.State) []stage {
	names := []string{"Draft", "Submitted", "In review", "Published"}
	at := map[listing.State]int{listing.Submitted: 1, listing.InReview: 2, listing.Published: 3, listing.Superseded: 3}[s]
	list := make([]stage, len(names))
	for i, name := range names {
		list[i] = stage{Word: name}
		switch {
		case i < at:
			list[i].Tone, list[i].Note = "done", "done"
		case i == at:
			list[i].Current, list[i].Tone = true, revisionStates[s].Tone
		}
	}
	if s == listing.ChangesRequested || s == listing.Rejected {
		list[0].Word = shownWord(s)
	}
	return list
}

// checkLine is what a check found, and where it can be mended.
type checkLine struct {
	Check, Title, Words string
	State               state
	Path, Do            string
}

// checkTitles say what each check is about.
var checkTitles = map[listing.Check]string{
	listing.Incomplete: "The texts", listing.AssetsMissing: "The pictures", listing.JustificationMissing: "Reasons for restricted scopes", listing.PrivacyEvents: "Privacy events subscribed to",
	listing.PrivacyUnverified: "Privacy events answered", listing.SignatureUnchecked: "Signatures verified", listing.LoopbackOnly: "Redirect URIs", listing.NotPinned: "API version pinned",
	listing.NearSunset: "API version in use", listing.UnusedScope: "Scopes in use", listing.NoSandboxActivity: "Tried in a sandbox",
}

var levelStates = map[listing.Level]state{listing.Pass: {"passes", "good"}, listing.Warn: {"look at this", "warn"}, listing.Fail: {"fails", "bad"}}

// checksView is what the checks found the last time; without a verdict they were never run.
type checksView struct {
	Verdict      verdict
	Open, Passed []checkLine // Open are those to look at, the worst first
	PassedWords  string
	At           *moment
	Stale        bool // something changed since
}

// newChecks prepares the results of a revision. mend says where something is put right; it may be nil.
func newChecks(r listing.Revision, now time.Time, mend func(listing.Check) (path, words string)) checksView {
	if r.Preflight == nil {
		return checksView{}
	}
	v := checksView{Verdict: checksVerdict(r.Preflight), At: whenever(r.PreflightedAt, now)}
	for _, level := range []listing.Level{listing.Fail, listing.Warn, listing.Pass} {
		for _, one := range r.Preflight {
			if one.Level != level {
				continue
			}
			line := checkLine{Check: string(one.Check), Title: checkTitles[one.Check], Words: visible(one.Message), State: levelStates[level]}
			if level == listing.Pass {
				v.Passed = append(v.Passed, line)
				continue
			}
			if mend != nil {
				line.Path, line.Do = mend(one.Check)
			}
			v.Open = append(v.Open, line)
		}
	}
	v.PassedWords = counted(len(v.Passed), "check passes", "checks pass")
	return v
}

// checksVerdict says in a sentence how it stands with the checks.
func checksVerdict(results []listing.Result) verdict {
	count := map[listing.Level]int{}
	for _, r := range results {
		count[r.Level]++
	}
	switch {
	case count[listing.Fail] > 0:
		return verdict{"bad", counted(count[listing.Fail], "check fails.", "checks fail."), "It cannot be submitted before they pass."}
	case count[listing.Warn] > 0:
		return verdict{"warn", "No check fails.", counted(count[listing.Warn], "point deserves", "points deserve") + " a look; it can be submitted all the same."}
	}
	return verdict{"good", "Every check passes.", ""}
}

// remarkLine is a line of the conversation.
type remarkLine struct {
	Who, Text string
	At        moment
	Ours      bool // of the reader's side
}

// remarkLines are the conversation as one side reads it. To developers reviewers have no name: they speak for the service.
func remarkLines(ctx context.Context, all []listing.Remark, reader listing.Side, n names, now time.Time) ([]remarkLine, error) {
	var list []remarkLine
	for _, m := range all {
		line := remarkLine{Who: "Reviewer", Text: visibleLines(m.Text), At: when(m.CreatedAt, now), Ours: m.Side == reader}
		if m.Side == listing.Developer || reader == listing.Reviewer {
			name, err := n.person(ctx, m.AuthorID)
			if err != nil {
				return nil, err
			}
			line.Who = visible(name)
			if m.Side == listing.Reviewer {
				line.Who += ", reviewer"
			}
		}
		list = append(list, line)
	}
	return list, nil
}

// visibleLines is visible for a text that has several lines.
func visibleLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = visible(line)
	}
	return strings.Join(lines, "\n")
}

// snapshotView is an app as it was submitted. Gone is what was there at the last approval and is no more.
type snapshotView struct {
	Scopes       []snapshotScope
	RedirectURIs []snapshotLine
	Webhooks     []snapshotLine
	Extensions   []snapshotLine
	Gone         []string
}

type snapshotScope struct {
	Sentence, Scope, Care, Why string
	New                        bool // since the last approval
}

// snapshotLine is a redirect URI, a webhook or an extension.
type snapshotLine struct {
	Text, Words string
	Off, New    bool
}

// scopeCare is what reviewers look at more closely.
var scopeCare = map[scope.Class]string{scope.Restricted: "restricted", scope.PersonalData: "personal data"}

// newSnapshot prepares a snapshot; before is what was approved last, nil for nothing.
func newSnapshot(s listing.Snapshot, reasons map[scope.Scope]string, before *listing.Snapshot) *snapshotView {
	v := &snapshotView{RedirectURIs: redirectLines(s), Webhooks: webhookLines(s), Extensions: extensionLines(s)}
	for _, e := range s.Scopes.Entries() {
		v.Scopes = append(v.Scopes, snapshotScope{
			Sentence: e.Sentence, Scope: string(e.Scope), Care: scopeCare[e.Class], Why: visibleLines(reasons[e.Scope]), New: before != nil && !before.Scopes.Has(e.Scope),
		})
	}
	if before == nil {
		return v
	}
	for _, e := range before.Scopes.Minus(s.Scopes).Entries() {
		v.Gone = append(v.Gone, string(e.Scope))
	}
	v.Gone = append(v.Gone, compared(v.RedirectURIs, redirectLines(*before))...)
	v.Gone = append(v.Gone, compared(v.Webhooks, webhookLines(*before))...)
	v.Gone = append(v.Gone, compared(v.Extensions, extensionLines(*before))...)
	return v
}

// compared marks the lines that are new or other than before, and gives those that are gone.
func compared(now, before []snapshotLine) (gone []string) {
	for i, line := range now {
		now[i].New = !slices.Contains(before, line)
	}
	for _, line := range before {
		if !slices.ContainsFunc(now, func(l snapshotLine) bool { return l.Text == line.Text }) {
			gone = append(gone, line.Text)
		}
	}
	return gone
}

func redirectLines(s listing.Snapshot) (list []snapshotLine) {
	for _, uri := range s.RedirectURIs {
		list = append(list, snapshotLine{Text: visible(uri)})
	}
	return list
}

func webhookLines(s listing.Snapshot) (list []snapshotLine) {
	for _, w := range s.Webhooks {
		list = append(list, snapshotLine{Text: visible(w.URL), Words: eventNames(w.Events), Off: !w.Enabled})
	}
	return list
}

func extensionLines(s listing.Snapshot) (list []snapshotLine) {
	for _, e := range s.Extensions {
		words := shownWord(e.Kind)
		if e.ResourceType != nil {
			words += " on " + strings.ToLower(shownWord(*e.ResourceType))
		}
		list = append(list, snapshotLine{Text: visible(e.Label), Words: words + ", path " + visible(e.Path), Off: !e.Enabled})
	}
	return list
}

func eventNames(types []event.Type) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = string(t)
	}
	return strings.Join(words, ", ")
}
