package clients

import (
	"context"
	"testing"
	"time"

	"golang.org/x/oauth2"
)

// askForDevice starts a device flow. The library sends only the client id there; a confidential app adds its secret
// itself.
func askForDevice(t *testing.T, ctx context.Context, c *oauth2.Config) *oauth2.DeviceAuthResponse {
	t.Helper()
	var secret []oauth2.AuthCodeOption
	if c.ClientSecret != "" {
		secret = append(secret, oauth2.SetAuthURLParam("client_secret", c.ClientSecret))
	}
	device, err := c.DeviceAuth(ctx, secret...)
	if err != nil {
		t.Fatal(err)
	}
	if left := time.Until(device.Expiry); left < 590*time.Second || left > 600*time.Second || device.Interval != 5 {
		t.Errorf("the library thinks that the code lives another %v and is polled every %d s", left, device.Interval)
	}
	return device
}

func getsTokensForAnApprovedDevice(t *testing.T, p person) {
	c := goClient(p.node, appOf(t, p.node, "CONFIDENTIAL"))
	ctx, w := watched()
	device := askForDevice(t, ctx, c)
	p.decides(t, device.UserCode, "allow")
	token, err := c.DeviceAccessToken(ctx, device)
	if err != nil {
		t.Fatal(err)
	}
	usable(t, token)
	w.saw(t, "body 200", "Basic 200")
}

// While nothing is decided, the library asks twice at once, once in each style, takes the second answer, and slows down by
// five seconds. The server must survive that: were its own interval to grow too, or the extra polls to count as failures,
// such a client would starve.
func pollsTwiceAtOnceAndStillGetsItsTokens(t *testing.T, p person) {
	c := goClient(p.node, appOf(t, p.node, "PUBLIC"))
	ctx, w := watched()
	device := askForDevice(t, ctx, c)
	type outcome struct {
		token *oauth2.Token
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		token, err := c.DeviceAccessToken(ctx, device)
		done <- outcome{token, err}
	}()
	for range 3 { // the request for the code, and both halves of the first poll
		<-w.news
	}
	p.decides(t, device.UserCode, "allow")
	end := <-done
	if end.err != nil {
		t.Fatal(end.err)
	}
	usable(t, end.token)
	w.saw(t, "body 200", "Basic 400 authorization_pending", "body 400 slow_down", "Basic 200")
}

func isToldThatADeviceWasDenied(t *testing.T, p person) {
	c := goClient(p.node, appOf(t, p.node, "PUBLIC"))
	ctx, w := watched()
	device := askForDevice(t, ctx, c)
	p.decides(t, device.UserCode, "deny")
	_, err := c.DeviceAccessToken(ctx, device)
	refusedWith(t, err, "access_denied", "the user denied the request")
	w.saw(t, "body 200", "Basic 400 access_denied", "body 400 access_denied")
}
