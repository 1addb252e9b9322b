package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"

	"daybook/internal/base/clock"
	"daybook/internal/boot"
	"daybook/internal/boot/fixture"
)

// books measures the business API over HTTP, each call against a bare server that answers the same bytes.
func books(ctx context.Context, dir string) ([]figure, error) {
	databases, names, drop, err := both(ctx, dir, "books.db")
	if err != nil {
		return nil, err
	}
	defer drop()
	var figures []figure
	for _, name := range names {
		shop, err := openShop(ctx, dir, databases[name])
		if err != nil {
			return nil, err
		}
		more, err := shop.measure(ctx, name)
		shop.close()
		if err != nil {
			return nil, err
		}
		figures = append(figures, more...)
	}
	return figures, nil
}

// shop is a node with one business whose plan has no ceiling, and an app's token for it.
type shop struct {
	node     *boot.Node
	stop     context.CancelFunc
	ended    chan error
	address  string
	pageHost string
	token    string
	customer string
	rate     string
	count    atomic.Int64
	others   []*shop // more businesses of the same node
}

// manyShops is how many businesses there are.
const manyShops = 16

const shopWorld = `
users: [{key: olivia, email: olivia@example.test, password: "a few words", name: Olivia}]
organizations: [{key: acme, name: Acme, members: [{user: olivia, role: OWNER}]}]
businesses:%s
apps:
  - {key: bench, organization: acme, name: Bench, clientType: CONFIDENTIAL, clientId: cli_bench, clientSecret: cs_bench, redirectUris: ["https://bench.example/callback"],
     scopes: [profile:read, invoices:read, invoices:write, customers:write, taxes:read], review: APPROVED}
`

const shopPlans = `
plans:
  - {key: FREE, invoicesPerYear: 1000000000}
  - {key: SCALE, invoicesPerYear: 1000000000}
  - {key: SANDBOX, invoicesPerYear: 1000000000}
`

func openShop(ctx context.Context, dir, database string) (*shop, error) {
	plans := filepath.Join(dir, "plans.yaml")
	if err := os.WriteFile(plans, []byte(shopPlans), 0o600); err != nil {
		return nil, err
	}
	var businesses strings.Builder
	for i := range manyShops {
		fmt.Fprintf(&businesses, "\n  - {key: shop%d, name: Shop %d, country: NL, currency: EUR, plan: SCALE, members: [{user: olivia, role: OWNER}]}", i, i)
	}
	file, err := fixture.Parse(fmt.Appendf(nil, shopWorld, businesses.String()))
	if err != nil {
		return nil, err
	}
	now := clock.NewMovable(clock.System{}.Now())
	c := boot.Config{
		Database: database, BaseURL: "http://127.0.0.1", AuthURL: "http://127.0.0.1", APIListen: "127.0.0.1:0", AppListen: "127.0.0.1:0",
		KeyFile: filepath.Join(dir, "books.key"), ServiceName: "Daybook", PlansFile: plans, Clock: now,
		Development: &boot.Development{Clock: now, LimitScale: math.MaxInt32},
	}
	doors, err := boot.Listen(c)
	if err != nil {
		return nil, err
	}
	s := &shop{address: doors.API.Addr().String(), pageHost: doors.App.Addr().String(), ended: make(chan error, 1)}
	log := slog.New(slog.NewJSONHandler(io.Discard, nil)) // the work of logging is part of the figure
	var ids []string
	s.node, err = boot.Start(ctx, c, doors, log, func(ctx context.Context, h *boot.House) error {
		loaded, err := fixture.Load(ctx, h, file, func(string) {})
		if err == nil {
			for i := range manyShops {
				ids = append(ids, loaded.IDs["businesses"]["shop"+strconv.Itoa(i)])
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(ctx)
	s.stop = stop
	go func() { s.ended <- s.node.Run(running) }()
	for _, businessID := range ids[1:] {
		other := &shop{address: s.address}
		if err := other.prepare(businessID); err != nil {
			return nil, err
		}
		s.others = append(s.others, other)
	}
	return s, s.prepare(ids[0])
}

func (s *shop) close() {
	s.stop()
	<-s.ended
}

func (s *shop) prepare(businessID string) error {
	var token struct {
		AccessToken string `json:"access_token"`
	}
	if err := s.call("POST", "/dev/tokens", `{"clientId":"cli_bench","userEmail":"olivia@example.test","businessId":"`+businessID+`"}`, &token); err != nil {
		return err
	}
	s.token = token.AccessToken
	var customer struct{ ID string }
	if err := s.call("POST", "/customers", `{"displayName":"Café Zon"}`, &customer); err != nil {
		return err
	}
	s.customer = customer.ID
	var rates struct{ Data []struct{ ID string } }
	if err := s.call("GET", "/tax-rates?category=STANDARD", "", &rates); err != nil {
		return err
	}
	if len(rates.Data) == 0 {
		return errors.New("no rate of tax")
	}
	s.rate = rates.Data[0].ID
	return nil
}

func (s *shop) call(method, path, body string, into any) error {
	request, err := http.NewRequest(method, "http://"+s.address+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if s.token != "" {
		request.Header.Set("Authorization", "Bearer "+s.token)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %d %s", method, path, answer.StatusCode, text)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func (s *shop) invoice() string {
	line := func(text, price string) string {
		return `{"description":"` + text + `","quantity":"3","unitPrice":"` + price + `","taxRateId":"` + s.rate + `"}`
	}
	return `{"customerId":"` + s.customer + `","issue":true,"lines":[` + line("Sourdough loaf", "10.07") + `,` + line("Rye loaf", "4.50") + `,` + line("Spelt rolls, by the dozen", "7.25") + `]}`
}

// draft is an invoice that is not issued.
func (s *shop) draft() string {
	return strings.Replace(s.invoice(), `"issue":true`, `"issue":false`, 1)
}

// rows of one import.
const importRows = 200

func (s *shop) importBody() string {
	var b strings.Builder
	b.WriteString(`{"invoices":[`)
	for i := range importRows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"externalId":"row-` + strconv.FormatInt(s.count.Add(1), 10) + `",` + s.invoice()[1:])
	}
	b.WriteString(`]}`)
	return b.String()
}

func (s *shop) measure(ctx context.Context, name string) ([]figure, error) {
	var first struct{ ID string }
	for range 60 {
		if err := s.call("POST", "/invoices", s.invoice(), &first); err != nil {
			return nil, err
		}
	}
	var figures []figure
	add := func(what string, unit string, measure func() (here, bare pace, err error)) error {
		end, err := profiling(name + " " + what)
		if err != nil {
			return err
		}
		here, bare, err := measure()
		figures = append(figures, figure{name: name + ": " + what, rate: here.rate, extra: fmt.Sprintf("%s; %.1f %% of a bare server with the same bytes, %.1f %% by processor time (%.0f and %.0f µs)",
			unit, 100*here.rate/bare.rate, 100*bare.cost/here.cost, 1e6*here.cost, 1e6*bare.cost)})
		return errors.Join(err, end())
	}
	read := func(path string) func() (here, bare pace, err error) {
		return func() (here, bare pace, err error) { return s.reading(usual, path) }
	}
	write := func(path string, body func() string, rows float64) func() (here, bare pace, err error) {
		return func() (here, bare pace, err error) { return s.writing(usual, s.post(path, body), rows) }
	}
	shops, turn := append([]*shop{s}, s.others...), atomic.Int64{}
	everywhere := func() string {
		one := shops[turn.Add(1)%int64(len(shops))]
		return one.post("/invoices", one.invoice)()
	}
	alone := load{1, span}
	err := errors.Join(
		add("GET /invoices/{id}", "calls", read("/invoices/"+first.ID)),
		add("GET /invoices, 50 rows", "calls", read("/invoices")),
		add("GET /invoices/{id}, while one writes", "calls", func() (here, bare pace, err error) { return s.readingBeside("/invoices/" + first.ID) }),
		add("POST /invoices, 3 lines, draft", "durable invoices", write("/invoices", s.draft, 1)),
		add("POST /invoices, 3 lines, issued", "durable invoices", write("/invoices", s.invoice, 1)),
		add("POST /invoices, 3 lines, issued, "+strconv.Itoa(manyShops)+" businesses", "durable invoices", func() (here, bare pace, err error) { return s.writing(usual, everywhere, 1) }),
		add("bulk import", "durable invoices", write("/invoices/bulk-import", s.importBody, importRows)),
	)
	if err != nil {
		return nil, err
	}
	bulk, post, err := alone.compare(
		func(l load) (float64, error) {
			r, err := l.posts(s.address, s.post("/invoices/bulk-import", s.importBody))
			return r * importRows, err
		},
		func(l load) (float64, error) { return l.posts(s.address, s.post("/invoices", s.invoice)) },
	)
	return append(figures,
		figure{name: name + ": POST /invoices, by one caller", rate: post.rate, extra: "durable invoices"},
		figure{name: name + ": bulk import, by one caller", rate: bulk.rate, extra: fmt.Sprintf("durable invoices; %.1f times the single posts, %.1f times by processor time", bulk.rate/post.rate, post.cost/bulk.cost)},
	), err
}

// profiling writes a profile of the processor to the folder that -profile names, until it is ended.
func profiling(name string) (end func() error, err error) {
	if *profiles == "" {
		return func() error { return nil }, nil
	}
	file, err := os.Create(filepath.Join(*profiles, strings.NewReplacer("/", "", " ", "-", "{", "", "}", "", ",", "").Replace(name)+".pprof"))
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return file.Close()
	}, nil
}

// reading measures a GET, here and at a bare server.
func (s *shop) reading(l load, path string) (here, bare pace, err error) {
	request := "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + s.token + "\r\n\r\n"
	head, body, err := exchange(s.address, request)
	if err != nil {
		return here, bare, err
	}
	err = withBare(head, body, func(address string) (err error) {
		bare, here, err = l.compare(
			func(l load) (float64, error) { return l.unprofiled().requests(address, request) },
			func(l load) (float64, error) { return l.requests(s.address, request) },
		)
		return err
	})
	return here, bare, err
}

// readingBeside measures a GET while somebody else makes drafts as fast as one caller can, which keeps anything from being remembered
// for long.
func (s *shop) readingBeside(path string) (here, bare pace, err error) {
	done, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-done:
				ended <- nil
				return
			default:
			}
			var made struct{ ID string }
			if err := s.call("POST", "/invoices", s.draft(), &made); err != nil {
				ended <- err
				return
			}
		}
	}()
	here, bare, err = s.reading(usual, path)
	close(done)
	return here, bare, errors.Join(err, <-ended)
}

// writing measures a POST; each is worth so many rows.
func (s *shop) writing(l load, request func() string, rows float64) (here, bare pace, err error) {
	head, answer, err := exchange(s.address, request())
	if err != nil {
		return here, bare, err
	}
	err = withBare(head, answer, func(address string) (err error) {
		bare, here, err = l.compare(
			func(l load) (float64, error) { return l.unprofiled().posts(address, request) },
			func(l load) (float64, error) { return l.posts(s.address, request) },
		)
		return err
	})
	return here.times(rows), bare.times(rows), err
}

// times is the pace of the parts of what was done.
func (p pace) times(parts float64) pace { return pace{p.rate * parts, p.cost / parts} }

// post makes requests with bodies that are made anew each time.
func (s *shop) post(path string, body func() string) func() string {
	return func() string {
		text := body()
		return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + s.token + "\r\nContent-Type: application/json\r\nContent-Length: " +
			strconv.Itoa(len(text)) + "\r\n\r\n" + text
	}
}

// posts sends requests made anew each time.
func (l load) posts(address string, request func() string) (float64, error) {
	lines, err := dialAll(address)
	if err != nil {
		return 0, err
	}
	defer closeAll(lines)
	return l.measure(func(worker, _ int) error {
		l := lines[worker]
		if _, err := io.WriteString(l.conn, request()); err != nil {
			return err
		}
		answer, err := http.ReadResponse(l.in, nil)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(answer.Body)
		if err == nil && answer.StatusCode >= 300 {
			err = fmt.Errorf("status %d: %s", answer.StatusCode, text)
		}
		return err
	}, nil)
}

// exchange sends one request and keeps its answer.
func exchange(address, request string) (http.Header, []byte, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, nil, err
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		return nil, nil, err
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, nil, err
	}
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 300 {
		err = fmt.Errorf("status %d: %s", answer.StatusCode, text)
	}
	return answer.Header, text, err
}

// withBare serves an answer from a bare server that reads the body and does nothing else.
func withBare(head http.Header, body []byte, measure func(address string) error) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", head.Get("Content-Type"))
		_, _ = w.Write(body)
	})}
	go server.Serve(listener)
	defer server.Close()
	return measure(listener.Addr().String())
}
