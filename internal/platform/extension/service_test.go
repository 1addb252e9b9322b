package extension_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/extension"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/organization"
)

func TestAnExtensionFromCreationToDeletion(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e := w.add(t, w.app, draft(extension.Panel, appdata.Invoice, " Shipping ", "invoice?x=1"))
		if e.Version != 1 || e.Label != "Shipping" || *e.ResourceType != appdata.Invoice || !e.Enabled || e.Hidden != extension.Shown || !id.Valid(id.Extension, e.ID) || !e.CreatedAt.Equal(w.Clock.Now()) {
			t.Errorf("%+v", e)
		}
		if e.Address.URL != "https://app.example/daybook/invoice?x=1" || e.Address.Origin != "https://app.example" {
			t.Errorf("%+v", e.Address)
		}
		second := w.add(t, w.app, draft(extension.Page, "", "Home", ""))
		list, err := w.pages.List(ctx, w.app, w.viewer)
		if err != nil || len(list) != 2 || list[0].ID != e.ID || list[1].ID != second.ID || list[1].ResourceType != nil {
			t.Fatalf("%+v, %v", list, err)
		}
		w.Clock.Advance(time.Minute)
		tab, off, path, label := extension.Tab, false, "/other", "Parcels"
		beside := appdata.Customer
		to := &beside
		changed, err := w.pages.Change(ctx, w.app, w.developer, e.ID, 1, extension.Patch{Kind: &tab, ResourceType: &to, Enabled: &off, Path: &path, Label: &label})
		if err != nil || changed.Version != 2 || changed.Kind != tab || *changed.ResourceType != beside || changed.Enabled || changed.Address.URL != "https://app.example/other" || changed.Label != label ||
			changed.Hidden != extension.SwitchedOff || !changed.CreatedAt.Equal(e.CreatedAt) || !changed.UpdatedAt.Equal(w.Clock.Now()) {
			t.Fatalf("%+v, %v", changed, err)
		}
		must(t, w.Read(ctx, func(tx *db.Tx) error {
			frozen, err := extension.ForSnapshot(ctx, tx, w.app)
			if err != nil || len(frozen) != 2 || frozen[0] != changedAs(changed, frozen[0]) || frozen[1].Label != "Home" {
				t.Errorf("%+v, %v", frozen, err)
			}
			return nil
		}))
		_, err = w.pages.Change(ctx, w.app, w.developer, e.ID, 1, extension.Patch{})
		want(t, err, extension.ErrVersionChanged)
		want(t, w.pages.Delete(ctx, w.app, w.developer, e.ID, 1), extension.ErrVersionChanged)
		other := w.newApp(t, "Other")
		want(t, w.pages.Delete(ctx, other, w.developer, e.ID, 0), extension.ErrNotFound)
		_, err = w.pages.Change(ctx, other, w.developer, e.ID, 0, extension.Patch{})
		want(t, err, extension.ErrNotFound)
		must(t, w.pages.Delete(ctx, w.app, w.developer, e.ID, 2))
		want(t, w.pages.Delete(ctx, w.app, w.developer, e.ID, 0), extension.ErrNotFound)
	})
}

// changedAs is what was answered, with the pointer of what was read: both point at the same word.
func changedAs(p extension.Placed, read extension.Extension) extension.Extension {
	if p.ResourceType != nil && read.ResourceType != nil && *p.ResourceType == *read.ResourceType {
		p.ResourceType = read.ResourceType
	}
	return p.Extension
}

func TestWhatMembersAnExtensionHas(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		no := ""
		for name, c := range map[string]struct {
			change func(*extension.New)
			named  string
		}{
			"no such kind":           {func(n *extension.New) { n.Kind = "POPUP" }, "kind"},
			"no kind":                {func(n *extension.New) { n.Kind = "" }, "kind"},
			"a panel of nothing":     {func(n *extension.New) { n.ResourceType = nil }, "resourceType"},
			"an action of nothing":   {func(n *extension.New) { n.Kind, n.ResourceType = extension.Action, nil }, "resourceType"},
			"a page beside a record": {func(n *extension.New) { n.Kind = extension.Page }, "resourceType"},
			"an unknown record":      {func(n *extension.New) { *n.ResourceType = "BILL" }, "resourceType"},
			"no label":               {func(n *extension.New) { n.Label = " " }, "label"},
			"a label too long":       {func(n *extension.New) { n.Label = strings.Repeat("é", 41) }, "label"},
			"a label of two lines":   {func(n *extension.New) { n.Label = "a\nb" }, "label"},
			"no path":                {func(n *extension.New) { n.Path = nil }, "path"},
			"everything":             {func(n *extension.New) { *n = extension.New{ResourceType: new(appdata.ResourceType("x"))} }, "label path kind resourceType"},
		} {
			n := draft(extension.Panel, appdata.Invoice, strings.Repeat("é", 40), no)
			c.change(&n)
			_, err := w.pages.Create(ctx, w.app, w.developer, n)
			var named []string
			if f := fault.From(err); f != nil {
				for _, sentence := range f.Fields {
					path, _, _ := strings.Cut(sentence, " ")
					named = append(named, path)
				}
			}
			for _, path := range strings.Fields(c.named) {
				if !strings.Contains(" "+strings.Join(named, " ")+" ", " "+path+" ") || len(named) != len(strings.Fields(c.named)) {
					t.Errorf("%s: named %v, want %s", name, named, c.named)
				}
			}
		}
		w.add(t, w.app, draft(extension.Panel, appdata.Invoice, strings.Repeat("é", 40), no))
	})
}

// CONS-03: the scope and the path are asked for when something is placed, and only then.
func TestWhatAnExtensionMustFit(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, err := w.pages.Create(ctx, w.app, w.developer, draft(extension.Tab, appdata.Supplier, "x", "x"))
		want(t, err, extension.ErrScopeRequired)
		for _, path := range []string{`a\b`, "a b", "a\x01", "//evil.example", "https://evil.example/"} {
			_, err = w.pages.Create(ctx, w.app, w.developer, draft(extension.Page, "", "x", path))
			want(t, err, extension.ErrPathInvalid)
		}
		e := w.add(t, w.app, draft(extension.Tab, appdata.Customer, "Grade", "https://app.example/grade"))
		supplier, bad, label, off, on, tab := new(appdata.Supplier), "//evil.example", "Rank", false, true, extension.Tab
		for name, p := range map[string]extension.Patch{"scope": {ResourceType: &supplier}, "path": {Path: &bad}} {
			_, err = w.pages.Change(ctx, w.app, w.developer, e.ID, 0, p)
			want(t, err, map[string]*fault.Fault{"scope": extension.ErrScopeRequired, "path": extension.ErrPathInvalid}[name])
		}
		w.setURL(t, w.app, "https://elsewhere.example/")
		for _, p := range []extension.Patch{{Label: &label}, {Enabled: &on}, {Enabled: &off}} { // nobody is held up by what changed since
			_, err = w.pages.Change(ctx, w.app, w.developer, e.ID, 0, p)
			must(t, err)
		}
		for _, p := range []extension.Patch{{Enabled: &on}, {Kind: &tab}} {
			_, err = w.pages.Change(ctx, w.app, w.developer, e.ID, 0, p)
			want(t, err, extension.ErrPathInvalid)
		}
		for _, appURL := range []string{"", "https://books.example/x"} {
			w.setURL(t, w.app, appURL)
			_, err = w.pages.Create(ctx, w.app, w.developer, draft(extension.Page, "", "x", "x"))
			want(t, err, extension.ErrPathInvalid)
		}
	})
}

func TestWhoMayLookAtExtensionsAndChangeThem(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e := w.add(t, w.app, draft(extension.Page, "", "Home", ""))
		for name, verb := range map[string]struct {
			needs organization.Ability
			do    func(by string) error
		}{
			"List": {organization.Look, func(by string) error { _, err := w.pages.List(ctx, w.app, by); return err }},
			"Create": {organization.Build, func(by string) error {
				_, err := w.pages.Create(ctx, w.app, by, draft(extension.Page, "", "More", ""))
				return err
			}},
			"Change": {organization.Build, func(by string) error {
				_, err := w.pages.Change(ctx, w.app, by, e.ID, 0, extension.Patch{})
				return err
			}},
			"Delete": {organization.Build, func(by string) error { return w.pages.Delete(ctx, w.app, by, "ext_none", 0) }},
		} {
			for _, actor := range []struct {
				id    string
				reach organization.Ability
			}{{w.viewer, organization.Look}, {w.developer, organization.Build}, {w.owner, organization.Govern}, {w.stranger, organization.Look - 1}, {"", organization.Look - 1}} {
				err := verb.do(actor.id)
				switch {
				case actor.reach < organization.Look:
					want(t, err, app.ErrNotFound)
				case actor.reach < verb.needs:
					want(t, err, organization.ErrRoleTooLow)
				case err != nil && fault.KindOf(err) == fault.Forbidden:
					t.Errorf("CONS-06 %s: %v", name, err)
				}
			}
		}
	})
}

func TestTheCeilingHoldsWhoeverRaces(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i := range extension.MaxExtensions - 2 {
			w.add(t, w.app, draft(extension.Page, "", fmt.Sprint(i), ""))
		}
		const racers = 12
		var wins, refusals atomic.Int32
		var wait sync.WaitGroup
		for i := range racers {
			wait.Go(func() {
				_, err := w.pages.Create(ctx, w.app, w.developer, draft(extension.Page, "", fmt.Sprint("race", i), ""))
				switch {
				case err == nil:
					wins.Add(1)
				case fault.From(err) != nil && fault.From(err).Code == "EXTENSION_LIMIT_REACHED":
					refusals.Add(1)
				default:
					t.Errorf("%v", err)
				}
			})
		}
		wait.Wait()
		if wins.Load() != 2 || refusals.Load() != racers-2 {
			t.Errorf("%d got in, %d did not", wins.Load(), refusals.Load())
		}
		list, err := w.pages.List(ctx, w.app, w.viewer)
		if err != nil || len(list) != extension.MaxExtensions {
			t.Fatalf("%d extensions, %v", len(list), err)
		}
		w.add(t, w.newApp(t, "Other"), draft(extension.Page, "", "x", ""))
		must(t, w.pages.Delete(ctx, w.app, w.developer, list[3].ID, 0))
		w.add(t, w.app, draft(extension.Page, "", "room again", ""))
	})
}

// Of many who change one version of an extension one does; nobody's change is lost unseen.
func TestOfManyChangesOfOneVersionOneCounts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e := w.add(t, w.app, draft(extension.Page, "", "x", ""))
		var wins atomic.Int32
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				_, err := w.pages.Change(ctx, w.app, w.developer, e.ID, 1, extension.Patch{Label: new(fmt.Sprint(i))})
				if err == nil {
					wins.Add(1)
					return
				}
				want(t, err, extension.ErrVersionChanged)
			})
		}
		wait.Wait()
		if wins.Load() != 1 {
			t.Errorf("%d changed version 1", wins.Load())
		}
	})
}

func TestWhyAnExtensionIsNotShown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		off := draft(extension.Page, "", "off", "")
		off.Enabled = false
		w.add(t, w.app, off)
		w.add(t, w.app, draft(extension.Panel, appdata.Customer, "panel", "x"))
		w.add(t, w.app, draft(extension.Page, "", "absolute", "https://app.example/x"))
		check := func(what, want string) {
			t.Helper()
			if got := w.hidden(t, w.app); got != want {
				t.Errorf("%s: %s", what, got)
			}
		}
		check("at first", "off:DISABLED panel: absolute:")
		_, err := w.apps.SetScopes(ctx, w.app, w.owner, 0, scope.Of(scope.ProfileRead, scope.InvoicesRead))
		must(t, err)
		check("without the scope", "off:DISABLED panel:EXTENSION_SCOPE_REQUIRED absolute:")
		w.setURL(t, w.app, "https://elsewhere.example/")
		check("with another App URL", "off:DISABLED panel:EXTENSION_SCOPE_REQUIRED absolute:EXTENSION_PATH_INVALID")
		w.setURL(t, w.app, "")
		check("without an App URL", "off:DISABLED panel:EXTENSION_PATH_INVALID absolute:EXTENSION_PATH_INVALID")
		_, err = w.apps.Deactivate(ctx, w.app, w.owner, 0)
		must(t, err)
		check("of a stopped app", "off:DISABLED panel:APP_NOT_ACTIVE absolute:APP_NOT_ACTIVE")
	})
}
