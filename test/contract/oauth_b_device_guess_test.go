package contract_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"daybook/test/harness"
)

// tooManyGuesses proves that a code was refused unread.
func tooManyGuesses(t *testing.T, a harness.Answer) {
	t.Helper()
	page(t, a, http.StatusTooManyRequests)
	if wait, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || wait < 1 || wait > 24*60*60 {
		t.Errorf("Retry-After %q", a.Header.Get("Retry-After"))
	}
}

// wrongCodes types that many codes that no device shows.
func (n *oauthNode) wrongCodes(t *testing.T, browser *http.Client, count int) {
	t.Helper()
	letters := "BCDFGHJKLMNPQRSTVWXZ"
	for i := range count {
		code := fmt.Sprintf("ZZZZ-ZZ%c%c", letters[i], letters[time.Now().UnixNano()%20])
		if i%2 == 0 {
			page(t, n.typeCode(t, browser, code), http.StatusNotFound)
		} else { // the second form counts as the first does
			page(t, n.decideDevice(t, browser, code, "", "allow"), http.StatusNotFound)
		}
	}
}

// deviceGuesses holds the limit of DEVC-11: five wrong codes per person and ten minutes, twenty a day.
func deviceGuesses(t *testing.T, n *oauthNode) {
	n.Advance(t, "10m") // wrong codes of other cases no longer count
	bakery := n.business(t, "Bakery Brandt")
	olivia, sam, samElsewhere := n.worksIn(t, "olivia", "Bakery Brandt"), n.worksIn(t, "sam", "Bakery Brandt"), n.worksIn(t, "sam", "Bakery Brandt")

	t.Run("DEVC-11 four wrong codes are no reason to refuse a right one", func(t *testing.T) {
		n.wrongCodes(t, olivia, 4)
		for range 3 { // right ones do not count
			d := n.startDevice(t, tillApp, "invoices:read")
			page(t, n.typeCode(t, olivia, d.UserCode), http.StatusOK)
			seeOther(t, n.decideDevice(t, olivia, d.UserCode, bakery, "allow"), "/device/done?decision=allow")
		}
	})
	first := n.time(t)
	t.Run("DEVC-11 after five wrong codes the right one is refused", func(t *testing.T) {
		n.wrongCodes(t, sam, 5)
		d := n.startDevice(t, tillApp, "invoices:read")
		tooManyGuesses(t, n.typeCode(t, sam, d.UserCode))
		tooManyGuesses(t, n.decideDevice(t, sam, d.UserCode, bakery, "allow"))
		tooManyGuesses(t, n.decideDevice(t, sam, d.UserCode, bakery, "deny"))
		tooManyGuesses(t, n.typeCode(t, samElsewhere, d.UserCode)) // per person, not per browser
		pending(t, n.poll(t, tillApp, d.DeviceCode))
		seeOther(t, n.decideDevice(t, olivia, d.UserCode, bakery, "allow"), "/device/done?decision=allow")
		tokens(t, n.poll(t, tillApp, d.DeviceCode))
	})
	t.Run("DEVC-11 until ten minutes are over", func(t *testing.T) {
		after := n.time(t)
		n.setTime(t, first.Add(9*time.Minute+57*time.Second))
		d := n.startDevice(t, tillApp, "invoices:read")
		if a := n.typeCode(t, sam, d.UserCode); n.time(t).Before(first.Add(10 * time.Minute)) {
			tooManyGuesses(t, a)
		}
		n.setTime(t, after.Add(10*time.Minute))
		page(t, n.typeCode(t, sam, d.UserCode), http.StatusOK)
	})
	t.Run("DEVC-11 twenty wrong codes are enough for a day", func(t *testing.T) {
		for range 3 {
			n.wrongCodes(t, sam, 5)
			n.Advance(t, "10m")
		}
		d := n.startDevice(t, tillApp, "invoices:read")
		tooManyGuesses(t, n.typeCode(t, sam, d.UserCode))
		n.setTime(t, first.Add(23*time.Hour+50*time.Minute))
		sam, d := n.worksIn(t, "sam", "Bakery Brandt"), n.startDevice(t, tillApp, "invoices:read")
		tooManyGuesses(t, n.typeCode(t, sam, d.UserCode))
		n.setTime(t, first.Add(24*time.Hour+time.Minute))
		d = n.startDevice(t, tillApp, "invoices:read")
		page(t, n.typeCode(t, sam, d.UserCode), http.StatusOK)
		n.wrongCodes(t, sam, 5) // of the day's twenty, five are free again
		tooManyGuesses(t, n.typeCode(t, sam, d.UserCode))
	})
}
