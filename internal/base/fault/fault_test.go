package fault_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"daybook/internal/base/fault"
)

var declared = fault.New(fault.Forbidden, "PLAN_LIMIT", "Plan {0} allows {1} invoices")

func TestARefusalIsFoundInsideWrappedErrors(t *testing.T) {
	err := fmt.Errorf("creating: %w", declared.With("FREE", 500))
	if !errors.Is(err, declared) {
		t.Error("the same refusal with values is not recognised")
	}
	if f := fault.From(err); f == nil || f.Text() != "Plan FREE allows 500 invoices" {
		t.Errorf("got %v", f)
	}
	if fault.KindOf(err) != fault.Forbidden || fault.KindOf(errors.New("disk")) != fault.Internal {
		t.Error("kinds are wrong")
	}
}

func TestAddingToARefusalLeavesTheDeclarationAlone(t *testing.T) {
	cause := errors.New("cause")
	got := declared.With(1, 2).WithDetails("d").After(time.Second).Because(cause)
	if declared.Params != nil || declared.Details != nil || declared.RetryAfter != 0 || declared.Unwrap() != nil {
		t.Error("the declared value changed")
	}
	if !errors.Is(got, cause) || got.Details != "d" || got.RetryAfter != time.Second || len(got.Params) != 2 {
		t.Errorf("lost something: %+v", got)
	}
	if got.Text() != "Plan 1 allows 2 invoices" {
		t.Errorf("the cause must not show in the text: %q", got.Text())
	}
}

func TestACheckNamesEveryOffence(t *testing.T) {
	var c fault.Check
	if c.Err() != nil {
		t.Fatal("nothing was wrong")
	}
	c.Require(true, "name", "must be present")
	c.Add("name", "must be %d characters or fewer", 50)
	c.Add("lines.0.quantity", "must be a decimal string")
	f := fault.From(c.Err())
	if f == nil || len(f.Fields) != 2 || f.Code != "" || f.Kind != fault.Invalid {
		t.Fatalf("got %+v", f)
	}
	if f.Fields[0] != "name must be 50 characters or fewer" {
		t.Errorf("got %q", f.Fields[0])
	}
}
