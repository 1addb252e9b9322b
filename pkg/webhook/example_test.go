package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"daybook/pkg/webhook"
)

const secret = "whsec_example"

func ExampleVerify() {
	now := time.Unix(1794700000, 0)
	body := []byte(`{"id":"dlv_1"}`)
	header := webhook.Sign(now, body, secret)

	secrets := []string{secret}
	fmt.Println(webhook.Verify(header, body, secrets, webhook.Tolerance, now))
	fmt.Println(webhook.Verify(header, []byte(`{}`), secrets, webhook.Tolerance, now))
	late := webhook.Verify(header, body, secrets, webhook.Tolerance, now.Add(time.Hour))
	fmt.Println(errors.Is(late, webhook.ErrTooOld))
	// Output:
	// <nil>
	// webhook: no signature matches
	// true
}

func ExampleHandler() {
	now := func() time.Time { return time.Unix(1794700000, 0) } // time.Now, outside of tests
	secrets := func() []string { return []string{secret} }
	inbox := map[string]webhook.Event{} // a table with a unique key, outside of tests
	handler := webhook.Handler(secrets, now, func(_ context.Context, e webhook.Event) error {
		inbox[e.EventID] = e
		return nil
	})

	body := `{"id":"dlv_1","eventId":"evt_1","type":"invoice.paid","businessId":"biz_1","data":{}}`
	for range 2 { // Daybook may repeat itself
		r := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(body))
		r.Header.Set(webhook.Header, webhook.Sign(now(), []byte(body), secret))
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		fmt.Println(w.Code, len(inbox), inbox["evt_1"].Type)
	}
	// Output:
	// 204 1 invoice.paid
	// 204 1 invoice.paid
}
