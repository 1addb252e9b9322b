package script

import (
	_ "embed"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"modernc.org/quickjs"

	"daybook/internal/base/clock"
)

//go:embed prelude.js
var prelude string

// engine is one run in the child: a fresh virtual machine, and what it said so far.
type engine struct {
	vm     *quickjs.VM
	say    func(fromChild) error
	order  order
	settle quickjs.Value // hands an answer to the script
	done   *ending
	asked  int // calls that were passed on
	open   int // of those, how many have no answer yet
	log    strings.Builder
	logged int // bytes, those that were passed on included
	cut    bool
	late   atomic.Bool // its time is over
}

// run carries out an order. answers are those to its calls; closed, if the parent is gone.
func run(o order, say func(fromChild) error, answers <-chan answer) error {
	vm, err := quickjs.NewVM()
	if err != nil {
		return err
	}
	defer vm.Close()
	vm.SetMemoryLimit(MaxMemory)
	e := &engine{vm: vm, say: say, order: o}
	alarm := clock.System{}.Alarm(clock.System{}.Now().Add(e.time()))
	defer alarm.Stop()
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-alarm.C:
			e.late.Store(true)
			vm.Interrupt()
		case <-over:
		}
	}()
	end := e.carryOut(answers, alarm.C)
	e.flush(true)
	return say(fromChild{Done: &end})
}

// carryOut starts the script and goes on until it has ended: run what is ready, then wait for an answer.
func (e *engine) carryOut(answers <-chan answer, over <-chan struct{}) ending {
	if err := e.begin(); err != nil {
		return e.failed(err)
	}
	defer e.settle.Free()
	for {
		ran, err := e.vm.ExecutePendingJobs()
		switch {
		case e.late.Load():
			return e.timeout()
		case e.done != nil && e.open == 0:
			return *e.done
		case err != nil && e.done == nil:
			return e.failed(err)
		case ran > 0:
			continue // as many as the engine runs at a time
		case e.open == 0 && swollen(): // the engine loses errors that it has no memory for
			return ending{Outcome: Memory, Error: tooMuch}
		case e.open == 0:
			return ending{Outcome: Failed, Error: "the handler's promise was never settled: nothing was left that it could wait for"}
		}
		select {
		case a := <-answers:
			if err := e.answered(a); err != nil {
				return e.failed(err)
			}
		case <-over:
			return e.timeout()
		}
	}
}

const tooMuch = "the function was stopped because it wanted more than 64 MiB of memory"

func tooLate(limit time.Duration) string { return "the function was stopped after " + limit.String() }

func (e *engine) time() time.Duration { return time.Duration(e.order.Time) * time.Millisecond }

func (e *engine) timeout() ending { return ending{Outcome: Timeout, Error: tooLate(e.time())} }

// swollen reports whether so much memory is in use that a run may have wanted more than there is.
func swollen() bool { return peakMemory()-usedAtStart > MaxMemory/2 }

// begin makes the host's functions, and runs the prelude, which runs the module.
func (e *engine) begin() error {
	e.vm.SetModuleLoader(func(_ *quickjs.VM, name string) (string, error) {
		if name == "function" {
			return e.order.Source, nil
		}
		return "", errors.New("a function cannot import " + strconv.Quote(clip(name, 60)) + ": bundle it first")
	}, func(_ *quickjs.VM, _, name string) (string, error) { return name, nil })
	for name, f := range map[string]quickjs.HostFunc{"$log": e.hostLog, "$call": e.hostCall, "$done": e.hostDone, "$order": e.hostOrder} {
		if err := e.vm.RegisterHostFunc(name, f); err != nil {
			return err
		}
	}
	const gather = `globalThis.$host = { log: $log, call: $call, done: $done, order: $order };
		for (const name of ["$log", "$call", "$done", "$order"]) delete globalThis[name];`
	if _, err := e.vm.Eval(gather, quickjs.EvalGlobal); err != nil {
		return err
	}
	var err error
	e.settle, err = e.vm.EvalValue(prelude, quickjs.EvalGlobal)
	return err
}

func (e *engine) hostOrder([]any) (any, error) {
	offset := e.order.Now - clock.Millis(clock.System{}.Now())
	if offset > -2000 && offset < 2000 { // the way here takes a moment
		offset = 0
	}
	text, err := json.Marshal(map[string]any{"input": e.order.Input, "config": e.order.Config, "offset": offset})
	return string(text), err
}

func (e *engine) hostLog(args []any) (any, error) {
	line, _ := args[0].(string)
	line += "\n"
	if room := MaxLog - e.logged; len(line) > room {
		line, e.cut = clip(line, room), true
	}
	e.logged += len(line)
	e.log.WriteString(line)
	if e.log.Len() >= flushAt {
		e.flush(false)
	}
	return quickjs.Undefined{}, nil
}

// flushAt is how much of the log is passed on at once; less is when the script calls, and in the end.
const flushAt = 4 << 10

func (e *engine) flush(last bool) {
	if e.log.Len() > 0 || last && e.cut {
		_ = e.say(fromChild{Log: e.log.String(), Cut: e.cut}) // a parent that is gone ends this process anyway
		e.log.Reset()
	}
}

func (e *engine) hostCall(args []any) (any, error) {
	id, text := number(args[0]), ""
	if len(args) > 1 {
		text, _ = args[1].(string)
	}
	if e.asked >= MaxCalls {
		return nil, errors.New("a run makes at most " + strconv.Itoa(MaxCalls) + " calls of ctx.api")
	}
	q := question{ID: id}
	if err := json.Unmarshal([]byte(text), &q.Call); err != nil {
		return nil, errors.New("ctx.api takes a method, a path, a body that JSON can hold, and headers whose values are strings")
	}
	e.flush(false)
	if err := e.say(fromChild{Call: &q}); err != nil {
		return nil, errors.New("the body is too large")
	}
	e.asked++
	e.open++
	return quickjs.Undefined{}, nil
}

func number(v any) int {
	n, _ := v.(int)
	return n
}

func (e *engine) hostDone(args []any) (any, error) {
	good, _ := args[0].(bool)
	text, _ := args[1].(string)
	switch {
	case e.done != nil:
	case !good:
		e.done = e.thrown(text)
	case len(text) > MaxResult:
		e.done = &ending{Outcome: Failed, Error: "the result is larger than 64 KiB"}
	case text == "":
		e.done = &ending{Outcome: OK}
	default:
		e.done = &ending{Outcome: OK, Value: json.RawMessage(text)}
	}
	return quickjs.Undefined{}, nil
}

// answered hands an answer to the script.
func (e *engine) answered(a answer) error {
	e.open--
	text, err := json.Marshal(map[string]any{"given": a.Given, "error": a.Error})
	if err != nil {
		return err
	}
	_, err = e.settle.Call(quickjs.UndefinedValue, a.ID, string(text))
	return err
}

// failed is what an error of the engine makes of the run.
func (e *engine) failed(err error) ending {
	if e.late.Load() {
		return e.timeout()
	}
	return *e.thrown(err.Error())
}

// thrown is an error that nobody caught. Where the memory is used up there may be none left for words: then it is null.
func (e *engine) thrown(text string) *ending {
	if strings.HasPrefix(text, "InternalError: out of memory") || text == "null" && swollen() {
		return &ending{Outcome: Memory, Error: tooMuch}
	}
	return &ending{Outcome: Failed, Error: clip(text, maxError)}
}

// clip cuts a text to at most n bytes, between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
