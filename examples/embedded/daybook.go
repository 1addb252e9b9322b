package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// daybook is the API, as this app uses it.
type daybook struct {
	base                   string
	clientID, clientSecret string
	http                   *http.Client
	keys                   keys
}

// exchange turns a session token into an access token. That works once; the next session token is one message away.
func (d *daybook) exchange(ctx context.Context, sessionToken string) (string, error) {
	form := url.Values{
		"grant_type": {"urn:ietf:params:oauth:grant-type:token-exchange"}, "subject_token": {sessionToken},
		"subject_token_type": {"urn:ietf:params:oauth:token-type:jwt"},
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.base+"/oauth/token", strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(url.QueryEscape(d.clientID), url.QueryEscape(d.clientSecret))
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	err = d.send(request, &answer)
	return answer.AccessToken, err
}

// paths of the API, by the sort of record.
var paths = map[string]string{
	"INVOICE": "/invoices/", "CUSTOMER": "/customers/", "SUPPLIER": "/suppliers/", "PAYMENT": "/payments/", "ACCOUNT": "/accounts/", "JOURNAL_ENTRY": "/journal-entries/",
}

// read reads the record that a page stands beside; of a page that stands by itself, the business.
func (d *daybook) read(ctx context.Context, accessToken string, r *record) (map[string]any, error) {
	path := "/me"
	if r != nil {
		path = paths[r.Type] + url.PathEscape(r.ID)
	}
	var answer map[string]any
	err := d.get(ctx, path, accessToken, &answer)
	return answer, err
}

func (d *daybook) get(ctx context.Context, path, accessToken string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.base+path, nil)
	if err != nil {
		return err
	}
	if accessToken != "" {
		request.Header.Set("Authorization", "Bearer "+accessToken)
	}
	return d.send(request, into)
}

// maxAnswer bytes are read.
const maxAnswer = 1 << 20

func (d *daybook) send(request *http.Request, into any) error {
	answer, err := d.http.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %d", request.URL.Path, answer.StatusCode)
	}
	return json.Unmarshal(body, into)
}
