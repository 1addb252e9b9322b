package browser

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The icon is shown under our own content policy, by its link and by the address that browsers try by themselves.
func TestTheIconIsThere(t *testing.T) {
	w := open(t)
	w.visit("/sign-in")
	link := eval[string](w, `new URL(document.querySelector("link[rel=icon]").href).pathname`)
	for _, path := range []string{link, "/favicon.ico"} {
		got := eval[[]bool](w, `(async () => {
			const picture = new Image(); picture.src = "`+path+`"
			await picture.decode()
			return [picture.naturalWidth > 0, picture.naturalWidth == picture.naturalHeight]
		})()`)
		if diff := cmp.Diff([]bool{true, true}, got); diff != "" {
			t.Errorf("%s is no square picture: %s", path, diff)
		}
	}
	for _, path := range []string{link, "/favicon.ico"} {
		if status := w.visit(path); status != 200 {
			t.Errorf("%s: %d", path, status)
		}
	}
}
