package torture_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/schema/dbtest"
	"daybook/test/harness"
)

// The field that is measured: as many endpoints, by https, each of which hears of every event.
const (
	figureEndpoints = 200
	figureBurst     = 60 // events written as fast as they can be
	figureBursts    = 3
	figureRate      = 5 // events a second, for the time from call to receipt
	figureSteady    = 10 * time.Second
)

// figurePhase says what each endpoint is; absent ones hear of nothing.
type figurePhase struct {
	name string
	kind func(i int) string
}

const endpointAbsent = "absent"

func healthyBut(every int, kind func(i int) string) func(i int) string {
	return func(i int) string {
		if i%every == every-1 {
			return kind(i)
		}
		return endpointHealthy
	}
}

func always(kind string) func(int) string { return func(int) string { return kind } }

func hostileOf(i int) string { return hostileKinds[i/2%len(hostileKinds)] }

// figurePhases: each trouble stands beside all in health, and beside the same endpoints with nobody else there,
// where no deliveries to the others are even written.
var figurePhases = []figurePhase{
	{"all healthy", always(endpointHealthy)},
	{"180, nobody else", healthyBut(10, always(endpointAbsent))},
	{"180, and 10 % answer after 9 s", healthyBut(10, always(endpointSlow))},
	{"100, nobody else", healthyBut(2, always(endpointAbsent))},
	{"100, and half are hostile", healthyBut(2, hostileOf)},
}

// figure is what one run of a phase showed.
type figure struct {
	burst      time.Duration // until the last healthy endpoint had the last event
	perSecond  float64       // deliveries to healthy endpoints
	each       float64       // events a second that each healthy endpoint hears of
	p50, p99   time.Duration // from the call to the receipt, at the steady rate
	memory     float64       // resident at most, MiB
	goroutines float64
	files      float64
	cpu        float64        // seconds of the node's, in all
	failed     map[string]int // attempts at healthy endpoints, by what was written down
}

// TestHookIsolationFigures measures what trouble at some endpoints costs the others (F-10, DLIV-06). It asserts nothing, takes
// minutes, and runs when DAYBOOK_TORTURE_HOOK_FIGURES says how often each phase is run.
func TestHookIsolationFigures(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv("DAYBOOK_TORTURE_HOOK_FIGURES"))
	if err != nil || rounds < 1 {
		t.Skip("DAYBOOK_TORTURE_HOOK_FIGURES is not a number of rounds")
	}
	all := map[string][][]figure{"SQLite": make([][]figure, len(figurePhases)), "PostgreSQL": make([][]figure, len(figurePhases))}
	for range rounds { // in turns, so that what else the machine does meets all alike
		for i, p := range figurePhases {
			dbtest.EachDatabase(t, func(t *testing.T, database string) {
				store := "SQLite"
				if db.IsPostgres(database) {
					store = "PostgreSQL"
				}
				all[store][i] = append(all[store][i], measurePhase(t, database, p))
			})
			if t.Failed() {
				return
			}
		}
	}
	for store, list := range all {
		if len(list[0]) == 0 { // not to be had here
			continue
		}
		t.Logf("%s: %d endpoints, bursts of %d events, then %d a second; the median of %d", store, figureEndpoints, figureBurst, figureRate, rounds)
		t.Logf("%-32s %9s %12s %9s %9s %9s %9s %11s %6s %9s %7s", "healthy endpoints", "burst", "per second", "each", "p50", "p99", "MiB most", "goroutines", "files", "node's s", "failed")
		for i, p := range figurePhases {
			f := medianOf(list[i])
			t.Logf("%-32s %9v %12.0f %9.1f %9v %9v %9.0f %11.0f %6.0f %9.1f %7d", p.name, f.burst.Round(time.Millisecond), f.perSecond, f.each, f.p50.Round(100*time.Microsecond), f.p99.Round(100*time.Microsecond),
				f.memory, f.goroutines, f.files, f.cpu, countAll(list[i]))
		}
	}
}

// countAll counts the attempts at healthy endpoints that failed, in all runs.
func countAll(list []figure) (n int) {
	for _, f := range list {
		for _, one := range f.failed {
			n += one
		}
	}
	return n
}

func medianOf(list []figure) figure {
	mid := func(get func(figure) float64) float64 {
		values := make([]float64, len(list))
		for i, f := range list {
			values[i] = get(f)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	span := func(get func(figure) time.Duration) time.Duration {
		return time.Duration(mid(func(f figure) float64 { return float64(get(f)) }))
	}
	return figure{
		burst: span(func(f figure) time.Duration { return f.burst }), perSecond: mid(func(f figure) float64 { return f.perSecond }), each: mid(func(f figure) float64 { return f.each }),
		p50: span(func(f figure) time.Duration { return f.p50 }), p99: span(func(f figure) time.Duration { return f.p99 }),
		memory: mid(func(f figure) float64 { return f.memory }), goroutines: mid(func(f figure) float64 { return f.goroutines }), files: mid(func(f figure) float64 { return f.files }),
		cpu: mid(func(f figure) float64 { return f.cpu }),
	}
}

// measured is one node with its field.
type measured struct {
	node    *harness.Node
	metrics string
	field   []*endpoint
	console *endpoint // where redirects lead
	tokens  []string
	shop    string
	writer  *hookWriter
	calls   int
	healthy int
}

func measurePhase(t *testing.T, database string, p figurePhase) figure {
	t.Helper()
	m := newMeasured(t, database, p)
	m.write(t, 40, 4) // connections, statements, memories: warm; who wastes connections is known for it
	m.arrive(t)
	var f figure
	before := m.read(t, cpuLine)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		m.watch(t, &f, stop)
	}()
	begun := time.Now()
	for range figureBursts {
		m.write(t, figureBurst, 8)
		m.arrive(t)
	}
	f.burst = time.Since(begun) / figureBursts
	f.each = figureBurst / f.burst.Seconds()
	f.perSecond = f.each * float64(m.healthy)
	sent := m.steady(t)
	m.arrive(t)
	f.p50, f.p99 = m.latency(sent)
	close(stop)
	<-done
	f.cpu = m.read(t, cpuLine) - before
	f.failed = m.failures(t, database)
	if _, came := m.console.underWay(); came != 0 {
		t.Error("redirects were followed")
	}
	t.Logf("%s: %+v", p.name, f)
	m.node.Kill()
	return f
}

func newMeasured(t *testing.T, database string, p figurePhase) *measured {
	t.Helper()
	m := &measured{metrics: harness.FreeAddress(t)}
	certificate, authority := newCertificate(t)
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"http/1.1"}}
	console := newEndpoint(t, endpointHealthy, "", config, nil)
	m.console = console
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	var slow *endpoint
	for i := range figureEndpoints {
		kind := p.kind(i)
		if kind == endpointSlow { // one endpoint with a tenth of the traffic
			if slow == nil {
				slow = newEndpoint(t, kind, "", config, hold)
			}
			m.field = append(m.field, slow)
			continue
		}
		if kind == endpointHealthy {
			m.healthy++
		}
		m.field = append(m.field, newEndpoint(t, strings.Replace(kind, endpointAbsent, endpointClose, 1), "https://"+console.address+"/", config, hold))
	}
	dir := t.TempDir()
	ca := filepath.Join(dir, "receiver.pem")
	must(t, os.WriteFile(ca, authority, 0o600))
	w := fieldWorld(figureEndpoints, func(i int) bool { return p.kind(i) != endpointAbsent })
	w.load(t, dir, database, filepath.Join(dir, "daybook.key"), func(path string) string { return "https://" + m.field[fieldNumber(path)].address + path })
	m.node = harness.Serve(t, harness.ServeOptions{
		Dir: dir, BaseURL: pairAPI, AuthURL: pairApp, Env: []string{"SSL_CERT_FILE=" + ca},
		Args: []string{"--database", database, "--trusted-proxies", "127.0.0.1", "--outbound-allow", "127.0.0.0/8", "--metrics-listen", m.metrics},
	})
	m.connect(t, database)
	return m
}

// newCertificate makes a certificate for loopback, of the kind whose handshakes are cheap.
func newCertificate(t *testing.T) (tls.Certificate, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// connect gets a token for every app: each may call 300 times a minute.
func (m *measured) connect(t *testing.T, database string) {
	t.Helper()
	p := &pair{nodes: [2]*harness.Node{m.node, m.node}, http: newRunner(t, 4)}
	a, err := p.send(p.http, 0, call{app: true, path: "/sign-in", form: url.Values{"email": {"hana@example.test"}, "password": {hookPassword}}})
	must(t, err)
	p.cookie, _, _ = strings.Cut(a.Header.Get("Set-Cookie"), ";")
	m.shop = shopsOf(t, database)[0]
	for i := range figureEndpoints / 10 {
		token, err := p.connect("cli_app"+strconv.Itoa(i), "cs_app"+strconv.Itoa(i), writerScopes, m.shop)
		must(t, err)
		m.tokens = append(m.tokens, token)
	}
	m.writer = newHookWriter(t, "writer", m.shop, m.tokens[0], m.node.BaseURL)
	m.writer.http = newRunner(t, 16)
}

// post writes one invoice and gives its id.
func (m *measured) post(t *testing.T, n int) string {
	w := *m.writer
	w.token = m.tokens[n%len(m.tokens)]
	status, text, _, err := w.send(m.node.BaseURL, http.MethodPost, hookCall{path: "/invoices", body: fmt.Sprintf(
		`{"customerId":%q,"issue":false,"lines":[{"description":"Bread","quantity":"3","unitPrice":"10.07","taxRateId":%q}]}`, w.customer, w.rate)})
	var made struct{ ID string }
	if err != nil || status != http.StatusCreated || json.Unmarshal(text, &made) != nil {
		t.Errorf("POST /invoices: %d %v\n%s", status, err, text)
	}
	return made.ID
}

func (m *measured) write(t *testing.T, events, writers int) {
	t.Helper()
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			for n := w; n < events; n += writers {
				m.post(t, m.calls+n)
			}
		})
	}
	wait.Wait()
	m.calls += events
}

// arrive waits until every healthy endpoint has heard of everything.
func (m *measured) arrive(t *testing.T) {
	t.Helper()
	soon(t, "every healthy endpoint hears of every invoice", func() bool { return toldAll(m.field, m.calls) })
}

// steady writes at a fixed rate, and tells when each call was made.
func (m *measured) steady(t *testing.T) map[string]time.Time {
	t.Helper()
	sent := map[string]time.Time{}
	tick := time.NewTicker(time.Second / figureRate)
	defer tick.Stop()
	for range int(figureSteady.Seconds() * figureRate) {
		<-tick.C
		at := time.Now()
		sent[m.post(t, m.calls)] = at
		m.calls++
	}
	return sent
}

func (m *measured) latency(sent map[string]time.Time) (p50, p99 time.Duration) {
	var all []time.Duration
	for _, e := range m.field {
		if e.kind != endpointHealthy {
			continue
		}
		e.mu.Lock()
		for id, at := range sent {
			all = append(all, e.came[id].Sub(at))
		}
		e.mu.Unlock()
	}
	slices.Sort(all)
	return all[len(all)/2], all[len(all)*99/100]
}

// failures counts attempts at healthy endpoints that failed, which none should: the machine had no time for them.
func (m *measured) failures(t *testing.T, database string) map[string]int {
	t.Helper()
	d := openStore(t, database)
	defer d.Close()
	ctx, found := context.Background(), map[string]int{}
	paths := readHooks(t, d).paths
	must(t, d.Read(ctx, func(tx *db.Tx) error {
		_, err := db.All(ctx, tx, func(scan db.Scan) (none struct{}, err error) {
			var webhookID, said string
			err = scan(&webhookID, &said)
			if m.field[fieldNumber(paths[webhookID])].kind == endpointHealthy {
				found[said]++
			}
			return none, err
		}, `SELECT d.webhook_id, a.error FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE a.error IS NOT NULL`)
		return err
	}))
	return found
}

var (
	residentLine   = regexp.MustCompile(`(?m)^process_resident_memory_bytes (\S+)$`)
	goroutinesLine = regexp.MustCompile(`(?m)^go_goroutines (\S+)$`)
	cpuLine        = regexp.MustCompile(`(?m)^process_cpu_seconds_total (\S+)$`)
	filesLine      = regexp.MustCompile(`(?m)^process_open_fds (\S+)$`)
)

// watch keeps the most that the node takes of memory, goroutines and descriptors.
func (m *measured) watch(t *testing.T, f *figure, stop chan struct{}) {
	for {
		f.memory = max(f.memory, m.read(t, residentLine)/(1<<20))
		f.goroutines, f.files = max(f.goroutines, m.read(t, goroutinesLine)), max(f.files, m.read(t, filesLine))
		select {
		case <-stop:
			return
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// read finds one of the node's metrics.
func (m *measured) read(t *testing.T, line *regexp.Regexp) float64 {
	answer, err := http.Get("http://" + m.metrics + "/metrics")
	if err != nil {
		t.Errorf("no metrics: %v", err)
		return 0
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	found := line.FindSubmatch(text)
	if found == nil {
		t.Errorf("no %s among the metrics", line)
		return 0
	}
	v, _ := strconv.ParseFloat(string(found[1]), 64)
	return v
}
