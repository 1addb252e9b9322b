package guides

import (
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/pkg/webhook"
	"daybook/test/harness"
)

const webhooksGuide = "../../docs/guides/webhooks.md"

// block is the one block of a language in the guide to webhooks.
func block(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile(webhooksGuide)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(found) != 1 {
		t.Fatalf("%d blocks of %s", len(found), language)
	}
	return found[0][1]
}

func TestTheVectorOfTheWebhooksGuide(t *testing.T) {
	body, header, _ := strings.Cut(strings.TrimSpace(block(t, "text")), "\n")
	if want := webhook.Sign(time.Unix(1794700000, 0), []byte(body), "whsec_example"); header != want {
		t.Errorf("%s, want %s", header, want)
	}
}

func TestTheReceiversOfTheWebhooksGuide(t *testing.T) {
	for _, r := range []struct {
		language, file string
		command        func(t *testing.T, file string) *exec.Cmd
	}{
		{"go", "main.go", builtByGo},
		{"js", "receiver.mjs", interpretedBy("node")},
		{"python", "receiver.py", interpretedBy("python3")},
	} {
		t.Run(r.language, func(t *testing.T) {
			t.Parallel()
			_, port, _ := net.SplitHostPort(harness.FreeAddress(t))
			program := block(t, r.language)
			if strings.Count(program, "3000") != 1 {
				t.Fatal("the receiver no longer listens on port 3000")
			}
			file := filepath.Join(t.TempDir(), r.file)
			if err := os.WriteFile(file, []byte(strings.Replace(program, "3000", port, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			tryReceiver(t, r.command(t, file), port)
		})
	}
}

func builtByGo(t *testing.T, file string) *exec.Cmd {
	t.Helper()
	binary := filepath.Join(filepath.Dir(file), "receiver")
	if out, err := exec.Command("go", "build", "-o", binary, file).CombinedOutput(); err != nil { // in our module, whose package it imports
		t.Fatalf("%v\n%s", err, out)
	}
	return exec.CommandContext(t.Context(), binary)
}

func interpretedBy(program string) func(*testing.T, string) *exec.Cmd {
	return func(t *testing.T, file string) *exec.Cmd {
		t.Helper()
		needs(t, program)
		return exec.CommandContext(t.Context(), program, file)
	}
}

const guideSecret = "whsec_7Vg0b1Yx3kQm5nTz8wLr2cHs6uJp9dEaFi4oKyBXtNM"

// tryReceiver starts a receiver, sends it everything, and looks at what it took.
func tryReceiver(t *testing.T, cmd *exec.Cmd, port string) {
	t.Helper()
	var out, problems strings.Builder
	cmd.Env = append(os.Environ(), "DAYBOOK_WEBHOOK_SECRET="+guideSecret)
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	url := "http://127.0.0.1:" + port + "/hooks"
	listening := listens("127.0.0.1:" + port)
	if listening {
		for _, c := range requests(time.Now()) {
			if got := send(url, c.header, c.body); !slices.Contains(c.want, got) {
				t.Errorf("%s: %d, want one of %v", c.name, got, c.want)
			}
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed; after this nobody writes to out
	if !listening || t.Failed() {
		t.Fatalf("listening: %t; the receiver said:\n%s", listening, problems.String())
	}
	if got, want := out.String(), "invoice.paid evt_1\ninvoice.paid evt_2\ninvoice.created dlv_3\n"; got != want {
		t.Errorf("the receiver took\n%s, want\n%s", got, want)
	}
}

// listens waits until somebody listens there.
func listens(address string) bool {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			return true
		}
	}
	return false
}

// send answers the status, or 0 when the connection broke.
func send(url, header, body string) int {
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return 0
	}
	r.Header.Set("Content-Type", "application/json")
	if header != "" {
		r.Header.Set(webhook.Header, header)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode
}

type sent struct {
	name, header, body string
	want               []int
}

// requests are what a receiver meets: what Daybook sends, and what others do.
func requests(now time.Time) []sent {
	const (
		first  = `{"id":"dlv_1","eventId":"evt_1","type":"invoice.paid","apiVersion":"2026-06-01","businessId":"biz_1","created":1794700000,"data":{"name":"Café ☕"}}`
		second = `{"id":"dlv_2","eventId":"evt_2","type":"invoice.paid","apiVersion":"2026-06-01","businessId":"biz_1","created":1794700000,"data":{}}`
		test   = `{"id":"dlv_3","eventId":null,"type":"invoice.created","apiVersion":"2026-06-01","businessId":"test","created":1794700000,"data":{"test":true}}`
		forged = `{"id":"dlv_4","eventId":"evt_4","type":"invoice.paid","apiVersion":"2026-06-01","businessId":"biz_1","created":1794700000,"data":{}}`
		other  = "whsec_Zt-4_hNq8cVb2xKs6wPd0yGm3rJf7uLa1eTi5oQzCXE"
	)
	sign := func(after time.Duration, body string, secrets ...string) string {
		return webhook.Sign(now.Add(after), []byte(body), secrets...)
	}
	good := sign(0, forged, guideSecret)
	stamp, value, _ := strings.Cut(good, ",")
	large := forged + strings.Repeat(" ", webhook.MaxBody+1-len(forged))
	taken, refused := []int{http.StatusNoContent}, []int{http.StatusBadRequest}
	return []sent{
		{"one value", sign(0, first, guideSecret), first, taken},
		{"the next attempt, signed afresh", sign(2*time.Second, first, guideSecret), first, taken},
		{"after a rotation, with the old secret", sign(0, second, other, guideSecret), second, taken},
		{"after a rotation, with the new secret", sign(0, second, guideSecret, other), second, taken},
		{"another scheme beside it", sign(0, second, guideSecret) + ",v0=00,v2=YQ==", second, taken},
		{"almost too old", sign(-290*time.Second, second, guideSecret), second, taken},
		{"almost too far ahead", sign(290*time.Second, second, guideSecret), second, taken},
		{"a test", sign(0, test, guideSecret), test, taken},

		{"no signature", "", forged, refused},
		{"another secret", sign(0, forged, other), forged, refused},
		{"an empty secret", sign(0, forged, ""), forged, refused},
		{"the secret without its prefix", sign(0, forged, strings.TrimPrefix(guideSecret, "whsec_")), forged, refused},
		{"another body", good, forged + " ", refused},
		{"another event's signature", sign(0, first, guideSecret), forged, refused},
		{"too old", sign(-302*time.Second, forged, guideSecret), forged, refused},
		{"too far ahead", sign(310*time.Second, forged, guideSecret), forged, refused},
		{"t twice", stamp + "," + good, forged, refused},
		{"t twice, the later too old", good + ",t=1", forged, refused},
		{"no t", value, forged, refused},
		{"no value", stamp, forged, refused},
		{"an empty value", stamp + ",v1=", forged, refused},
		{"a value that is no ASCII", stamp + ",v1=" + strings.Repeat("é", 64), forged, refused},
		{"capital letters", stamp + ",v1=" + strings.ToUpper(value[3:]), forged, refused},
		{"half a value", good[:len(good)-32], forged, refused},
		{"another scheme", stamp + ",v0=" + value[3:], forged, refused},
		{"t is no number", strings.Replace(good, "t=", "t=x", 1), forged, refused},
		{"a header too long", good + ",x=" + strings.Repeat("x", 2000), forged, refused},
		{"a body too large", sign(0, large, guideSecret), large, []int{http.StatusRequestEntityTooLarge, 0}}, // or it hangs up on the rest
	}
}
