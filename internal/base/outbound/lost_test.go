package outbound

import (
	"errors"
	"testing"
)

// Only a connection that was made and thrown away is lost, and that is known of internal addresses, too, whose failures are hidden.
func TestLost(t *testing.T) {
	lost := map[Reason]bool{ReasonTLS: true, ReasonReset: true, ReasonClosed: true, ReasonHeadersLarge: true, ReasonMalformed: true}
	for r := range words {
		if e := fail(r, errors.New("cause")); Lost(e) != lost[r] || Lost(hidden(e)) != lost[r] {
			t.Errorf("%s: lost %t, hidden %t", r, Lost(e), Lost(hidden(e)))
		}
	}
	if Lost(nil) || Lost(errors.New("another one")) {
		t.Error("lost without a reason")
	}
}
