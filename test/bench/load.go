package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// errNoMoreCodes ends a measurement that has used up what was made for it.
var errNoMoreCodes = errors.New("used up")

// rate runs do from many goroutines for the span and counts how often it finished. do gets its worker's number and
// its own count so far.
func rate(do func(worker, n int) error) (float64, error) { return usual.measure(do, nil) }

// load is how many call at once, and for how long.
type load struct {
	callers int // at most workers, where each has something of its own
	span    time.Duration
}

var usual = load{workers, span}

// turns is how often measurements take turns, so that what else the machine does meets all alike.
const turns = 4

// pace is how often something was done in a second, and how many seconds of the processor each took, its caller's included.
// The latter is the steadier measure where others use the machine.
type pace struct{ rate, cost float64 }

// unprofiled is next to nothing while a profile is taken: it is to show what is measured, not what it is measured by.
func (l load) unprofiled() load {
	if *profiles != "" {
		l.span = time.Millisecond
	}
	return l
}

// compare measures two things in turns.
func (l load) compare(one, other func(load) (float64, error)) (a, b pace, err error) {
	paces, err := l.inTurns(one, other)
	if err != nil {
		return a, b, err
	}
	return paces[0], paces[1], nil
}

func (l load) inTurns(measures ...func(load) (float64, error)) ([]pace, error) {
	l.span /= turns
	paces := make([]pace, len(measures))
	for range turns {
		for i, measure := range measures {
			if err := paces[i].add(l, measure); err != nil {
				return nil, err
			}
		}
	}
	return paces, nil
}

// add measures once more.
func (p *pace) add(l load, measure func(load) (float64, error)) error {
	begun, used := time.Now(), processor()
	rate, err := measure(l)
	if err != nil {
		return err
	}
	p.cost += (processor() - used).Seconds() / (rate * time.Since(begun).Seconds()) / turns
	p.rate += rate / turns
	return nil
}

// processor is how much of it this process has used, and its children that run functions.
func processor() time.Duration {
	used := functionProcesses()
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			return 0
		}
		used += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return used
}

func (l load) measure(do func(worker, n int) error, enough error) (float64, error) {
	var total atomic.Int64
	var first atomic.Pointer[error]
	var wait sync.WaitGroup
	begun := time.Now()
	end := begun.Add(l.span)
	for w := range l.callers {
		wait.Go(func() {
			for n := 0; time.Now().Before(end) && first.Load() == nil; n++ {
				if err := do(w, n); err != nil {
					first.CompareAndSwap(nil, &err)
					return
				}
				total.Add(1)
			}
		})
	}
	wait.Wait()
	if err := first.Load(); err != nil && (enough == nil || !errors.Is(*err, enough)) {
		return 0, *err
	}
	return float64(total.Load()) / time.Since(begun).Seconds(), nil
}

// requests sends the same request over and over, one connection per worker, and wants 200 each time. The client is as
// thin as it can be: it runs on the same cores as the server.
func requests(address, request string) (float64, error) { return usual.requests(address, request) }

func (l load) requests(address, request string) (float64, error) {
	type line struct {
		conn net.Conn
		in   *bufio.Reader
	}
	lines := make([]line, l.callers)
	for i := range lines {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return 0, err
		}
		defer conn.Close()
		lines[i] = line{conn, bufio.NewReader(conn)}
	}
	return l.measure(func(w, _ int) error {
		if _, err := io.WriteString(lines[w].conn, request); err != nil {
			return err
		}
		answer, err := http.ReadResponse(lines[w].in, nil)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, answer.Body)
		if err == nil && answer.StatusCode != http.StatusOK {
			err = fmt.Errorf("status %d", answer.StatusCode)
		}
		return err
	}, nil)
}

func get(path, cookie string) string {
	request := "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
	if cookie != "" {
		request += "Cookie: " + cookie + "\r\n"
	}
	return request + "\r\n"
}

// bareHello is the yardstick: a net/http server that says hello.
func bareHello() (figure, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return figure{}, err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello\n") })}
	go server.Serve(listener)
	defer server.Close()
	r, err := requests(listener.Addr().String(), get("/", ""))
	return figure{name: "bare net/http hello", rate: r, extra: "requests"}, err
}
