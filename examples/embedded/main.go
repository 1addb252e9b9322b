// Command embedded is a small app whose pages are shown inside Daybook: beside an invoice, as a tab, in a dialog, or as a page of its
// own. It needs nothing but the standard library. What it shows:
//
//   - the page in the frame asks its host for a session token, by message, and sends it to its own backend (page.js)
//   - the backend proves the token with the published keys and nothing secret (token.go)
//   - it exchanges the token for an access token, once, and reads the record with that (daybook.go)
//
// README.md says how to run it.
package main

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

//go:embed page.html page.js page.css
var files embed.FS

func main() {
	listen := flag.String("listen", "localhost:3000", "where to listen")
	api := flag.String("api", "http://127.0.0.1:8080", "address of Daybook's API host, which issues session tokens")
	host := flag.String("app", "http://127.0.0.1:8081", "address of Daybook's app host, whose pages hold ours in a frame")
	flag.Parse()
	a := &app{
		host:    *host,
		daybook: daybook{base: *api, clientID: cmp.Or(os.Getenv("CLIENT_ID"), "cli_demosync"), clientSecret: os.Getenv("CLIENT_SECRET"), http: &http.Client{Timeout: 10 * time.Second}},
	}
	if a.daybook.clientSecret == "" {
		fmt.Fprintln(os.Stderr, "embedded: CLIENT_SECRET must hold the client secret of the app")
		os.Exit(2)
	}
	door, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("the app answers at http://%s/", *listen)
	log.Fatal((&http.Server{Handler: a.handler(), ReadHeaderTimeout: 5 * time.Second}).Serve(door))
}

// app is the web server.
type app struct {
	host    string // whose pages may hold ours in a frame
	daybook daybook
}

func (a *app) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", a.file("page.html", "text/html; charset=utf-8"))
	mux.HandleFunc("GET /page.js", a.file("page.js", "text/javascript; charset=utf-8"))
	mux.HandleFunc("GET /page.css", a.file("page.css", "text/css; charset=utf-8"))
	mux.HandleFunc("GET /record", a.record)
	return mux
}

// file serves a part of the page. Nobody but Daybook may put it into a frame: what is clicked there is done in somebody's name.
func (a *app) file(name, media string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		content, err := files.ReadFile(name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", media)
		w.Header().Set("Content-Security-Policy", "default-src 'self'; frame-ancestors "+a.host)
		_, _ = w.Write(content)
	}
}

// record answers the page with the record that it stands beside. The session token says who asks, in which business, and about what;
// nothing else of the request is believed.
func (a *app) record(w http.ResponseWriter, r *http.Request) {
	token, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !found {
		refuse(w, http.StatusUnauthorized, errors.New("no session token"))
		return
	}
	claims, err := a.daybook.verify(r.Context(), token, time.Now())
	if err != nil {
		refuse(w, http.StatusUnauthorized, err)
		return
	}
	answer := map[string]any{"user": claims.Subject, "business": claims.BusinessID, "extension": claims.Extension}
	access, err := a.daybook.exchange(r.Context(), token)
	if err == nil {
		answer["record"], err = a.daybook.read(r.Context(), access, claims.Resource)
	}
	if err != nil {
		refuse(w, http.StatusBadGateway, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

func refuse(w http.ResponseWriter, status int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": err.Error()})
}
