package markdown_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"daybook/internal/base/markdown"
)

func TestWhatIsShown(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"a paragraph of two lines", "one\ntwo", "<p>one two</p>"},
		{"two paragraphs", "one\n\ntwo", "<p>one</p>\n<p>two</p>"},
		{"headings", "# A\n## B ##\n### C\n#### D", "<h3>A</h3>\n<h4>B</h4>\n<h5>C</h5>\n<p>#### D</p>"},
		{"a list", "- a\n* b\n+ c\nmore", "<ul><li>a</li><li>b</li><li>c more</li></ul>"},
		{"a numbered list behind a paragraph", "so:\n1. a\n2) b", "<p>so:</p>\n<ol><li>a</li><li>b</li></ol>"},
		{"bold, italic and code", "**b** *i* _i_ __b__ `c*d*`", "<p><strong>b</strong> <em>i</em> <em>i</em> <strong>b</strong> <code>c*d*</code></p>"},
		{"bold with italic inside", "**a _b_ c**", "<p><strong>a <em>b</em> c</strong></p>"},
		{"a link", "see [*our* site](https://a.example/x?y=1&z=2)", `<p>see <a href="https://a.example/x?y=1&amp;z=2" rel="nofollow noopener noreferrer ugc"><em>our</em> site</a></p>`},
		{"a link of another scheme is text", "[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"},
		{"a relative link is text", "[x](/oauth/authorize)", "<p>[x](/oauth/authorize)</p>"},
		{"a link that would leave its attribute is text", `[x](https://a.example/"onclick=1)`, "<p>[x](https://a.example/&#34;onclick=1)</p>"},
		{"tags are text", "<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"},
		{"tags in code are text", "`<b>`", "<p><code>&lt;b&gt;</code></p>"},
		{"pictures are none", "![x](https://a.example/x.png)", `<p>!<a href="https://a.example/x.png" rel="nofollow noopener noreferrer ugc">x</a></p>`},
		{"signs without an end", "2 * 3 * 4, a*b, ** and `", "<p>2 * 3 * 4, a*b, ** and `</p>"},
		{"signs that stand for themselves", `\*not\* \[a\]`, "<p>*not* [a]</p>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.TrimSpace(string(markdown.HTML(c.in))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestText(t *testing.T) {
	if got := markdown.Text("# Big\n\nA **bold** [site](https://a.example) `x`\n- one\n- two"); got != "Big\nA bold site x\none\ntwo" {
		t.Errorf("%q", got)
	}
}

var (
	allowed = regexp.MustCompile(`^(</?(p|h3|h4|h5|ul|ol|li|strong|em|code)>|</a>|<a href="https?://[^"<>\s]+" rel="nofollow noopener noreferrer ugc">)$`)
	anyTag  = regexp.MustCompile(`<[^>]*>?`)
)

// sound proves that nothing but our own tags comes out, that they are closed in their order, and that it is done in no time.
func sound(t *testing.T, source string) {
	begun := time.Now()
	out := string(markdown.HTML(source))
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("%d bytes took %v", len(source), took)
	}
	var open []string
	for _, tag := range anyTag.FindAllString(out, -1) {
		if !allowed.MatchString(tag) {
			t.Fatalf("%q came out of %q", tag, source)
		}
		name, _, _ := strings.Cut(strings.Trim(tag, "</>"), " ")
		if !strings.HasPrefix(tag, "</") {
			open = append(open, name)
			continue
		}
		if len(open) == 0 || open[len(open)-1] != name {
			t.Fatalf("%q closes nothing in %q", tag, out)
		}
		open = open[:len(open)-1]
	}
	if len(open) > 0 {
		t.Fatalf("%v stay open in %q", open, out)
	}
	if rest := anyTag.ReplaceAllString(out, ""); strings.ContainsAny(rest, `<>"`) {
		t.Fatalf("%q is not escaped", rest)
	}
	markdown.Text(source)
}

func TestHostileTexts(t *testing.T) {
	for _, source := range []string{
		strings.Repeat("*", 20000), strings.Repeat("**a ", 5000), strings.Repeat("[", 20000), strings.Repeat("`a", 10001), strings.Repeat("_*", 10000),
		strings.Repeat("[a](https://", 2000), strings.Repeat("- ", 10000), strings.Repeat("#", 20000), strings.Repeat("1. *a\n", 4000), strings.Repeat("\\", 20001),
		"[**[a](https://x.example)**](https://y.example)", "[a](https://x.example/'onmouseover='1)", "\x00\xff<svg onload=1>", "&lt;b&gt; &amp;", "[a](https://x\u2028y)",
	} {
		sound(t, source)
	}
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{"# a", "- b\n1. c", "**a** _b_ `c` [d](https://e.example)", "<script>", `[x](https://a"b)`, "***", "[[a](http://b)](http://c)"} {
		f.Add(s)
	}
	f.Fuzz(sound)
}
