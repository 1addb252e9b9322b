package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pages measures the real binary: a request through the whole front, and a signed-in page with its look-ups.
func pages(ctx context.Context, dir string) ([]figure, error) {
	binary := filepath.Join(dir, "daybook")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "daybook/cmd/daybook")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	node := exec.CommandContext(ctx, binary, "dev", "--json", "--log-level", "warn", "--api", "127.0.0.1:0", "--app", "127.0.0.1:0", "--data", filepath.Join(dir, "node"))
	stdout, err := node.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := node.Start(); err != nil {
		return nil, err
	}
	defer func() {
		_ = node.Process.Kill()
		_ = node.Wait()
	}()
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("daybook dev did not start: %w", err)
	}
	var facts struct {
		BaseURL, AuthURL string
		Users            []struct{ Email, Password string }
	}
	if err := json.Unmarshal(line, &facts); err != nil {
		return nil, err
	}
	cookie, err := signIn(facts.AuthURL, facts.Users[2].Email, facts.Users[2].Password)
	if err != nil {
		return nil, err
	}
	health, err := requests(strings.TrimPrefix(facts.BaseURL, "http://"), get("/healthz", ""))
	if err != nil {
		return nil, err
	}
	account, err := requests(strings.TrimPrefix(facts.AuthURL, "http://"), get("/account", cookie))
	return []figure{
		{name: "daybook GET /healthz", rate: health, extra: "request id, log, metrics"},
		{name: "daybook GET /account", rate: account, extra: "session and three look-ups, rendered"},
	}, err
}

func signIn(address, email, password string) (string, error) {
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.PostForm(address+"/sign-in", url.Values{"email": {email}, "password": {password}})
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	for _, c := range answer.Cookies() {
		return c.Name + "=" + c.Value, nil
	}
	return "", fmt.Errorf("no session: status %d", answer.StatusCode)
}
