package browser

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/google/go-cmp/cmp"
)

func isMarkedUp(w *window, s sight) {
	type markup struct {
		Title, Lang, Mode, Viewport, Icon string
		Headings, Mains                   int
		TwiceUsed                         []string
	}
	got := eval[markup](w, `({
		Title: document.title, Lang: document.documentElement.lang, Mode: document.compatMode,
		Viewport: document.querySelector("meta[name=viewport]").content, Icon: new URL(document.querySelector("link[rel=icon]").href).pathname.split(".").pop(),
		Headings: document.querySelectorAll("h1").length, Mains: document.querySelectorAll("main").length,
		TwiceUsed: [...document.querySelectorAll("[id]")].map(e => e.id).filter((id, i, all) => all.indexOf(id) != i),
	})`)
	want := markup{Title: s.title + " · Daybook", Lang: "en", Mode: "CSS1Compat", Viewport: "width=device-width, initial-scale=1", Icon: "svg",
		Headings: 1, Mains: 1, TwiceUsed: []string{}}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Error(diff)
	}
}

func isPlain(w *window, _ sight) {
	for _, found := range eval[[]string](w, `[...document.querySelectorAll("*")]
		.filter(e => e.matches("script:not([src^='/static/console.']:empty, [src^='/static/embed.']:empty), style, iframe:not([sandbox='allow-scripts allow-forms allow-same-origin allow-popups']), object, embed, base, [style]") || [...e.attributes].some(a => a.name.startsWith("on")))
		.map(e => e.outerHTML.slice(0, 100))`) {
		w.t.Errorf("the content policy forbids this: %s", found)
	}
}

// control is something a person can use, as assistive technology tells it.
type control struct{ Role, Name string }

// controls are those of the page, in their order.
func (w *window) controls() []control {
	w.t.Helper()
	nodes := map[accessibility.NodeID]*accessibility.Node{}
	all := ask(w, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes
	for _, n := range all {
		nodes[n.NodeID] = n
	}
	var list []control
	var walk func(n *accessibility.Node)
	walk = func(n *accessibility.Node) {
		if role := word(n.Role); !n.Ignored && slices.Contains([]string{"textbox", "searchbox", "button", "link", "combobox", "checkbox", "radio", "DisclosureTriangle"}, role) {
			list = append(list, control{role, word(n.Name)})
		}
		for _, child := range n.ChildIDs {
			if c := nodes[child]; c != nil {
				walk(c)
			}
		}
	}
	walk(all[0])
	return list
}

func word(v *accessibility.Value) string {
	var s string
	if v != nil {
		_ = json.Unmarshal(v.Value, &s) // what is no string has no words
	}
	return s
}

func isNamed(w *window, _ sight) {
	for _, c := range w.controls() {
		if strings.TrimSpace(c.Name) == "" {
			w.t.Errorf("a %s has no name", c.Role)
		}
	}
}

func TestAssistiveTechnologyHears(t *testing.T) {
	w := open(t)
	always := []control{{"link", "Skip to the page"}, {"link", "Daybook"}}
	t.Run("the controls of the sign-in page", func(t *testing.T) {
		w := w.in(t)
		w.visit("/sign-in")
		want := append(slices.Clone(always), control{"textbox", "Email"}, control{"textbox", "Password"}, control{"button", "Sign in"})
		if diff := cmp.Diff(want, w.controls()); diff != "" {
			t.Error(diff)
		}
	})
	u := w.signIn("olivia")
	t.Run("the controls of the account page", func(t *testing.T) {
		w := w.in(t)
		want := append(slices.Clone(always), control{"link", u.Name}, control{"button", "Sign out"}, control{"button", "Switch to " + otherBusiness(w)},
			control{"link", "Connected apps"}, control{"textbox", "Present password"}, control{"textbox", "New password"}, control{"button", "Change password"})
		if diff := cmp.Diff(want, w.controls()); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("what is wrong together with the field", func(t *testing.T) {
		w := w.in(t)
		changePassword(w, "not her password", "olivia owns it all")
		w.wantFocus("password")
		if got := w.described("Present password"); got != "The present password is not right." {
			t.Errorf("heard %q", got)
		}
		run(w, noValidation)
		changePassword(w, u.Password, "short")
		w.wantFocus("newPassword")
		if got := w.described("New password"); !strings.HasPrefix(got, "The new password must have at least 10 characters.") {
			t.Errorf("heard %q", got)
		}
	})
}

// described is what is told about a field behind its name.
func (w *window) described(field string) string {
	w.t.Helper()
	for _, n := range ask(w, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if word(n.Role) == "textbox" && word(n.Name) == field {
			return word(n.Description)
		}
	}
	return ""
}
