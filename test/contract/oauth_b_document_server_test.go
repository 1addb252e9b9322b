package contract_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// documents is a web site on loopback that publishes client metadata documents, under a certificate of an authority that
// only the nodes of this test know.
type documents struct {
	URL       string
	authority string // a file with the authority's certificate
	port      string

	mu          sync.Mutex
	pages       map[string]http.HandlerFunc
	fetched     map[string]int
	connections int
}

func newDocuments(t *testing.T) *documents {
	t.Helper()
	d := &documents{pages: map[string]http.HandlerFunc{}, fetched: map[string]int{}, authority: filepath.Join(t.TempDir(), "authority.pem")}
	server := httptest.NewUnstartedServer(d)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certify(t, d.authority)}}
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			d.mu.Lock()
			d.connections++
			d.mu.Unlock()
		}
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	d.URL = server.URL
	_, d.port, _ = net.SplitHostPort(server.Listener.Addr().String())
	return d
}

// certify makes an authority, writes its certificate to a file, and gives a certificate of it for this machine.
func certify(t *testing.T, file string) tls.Certificate {
	t.Helper()
	make := func(template, parent *x509.Certificate, signer *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		must(t, err)
		if signer == nil {
			parent, signer = template, key
		}
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
		der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
		must(t, err)
		made, err := x509.ParseCertificate(der)
		must(t, err)
		return made, key
	}
	root, rootKey := make(&x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}, nil, nil)
	leaf, key := make(&x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, root, rootKey)
	must(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Raw}), 0o600))
	return tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key}
}

func (d *documents) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	d.fetched[r.URL.Path]++
	answer := d.pages[r.URL.Path]
	d.mu.Unlock()
	if answer == nil {
		http.NotFound(w, r)
		return
	}
	answer(w, r)
}

func (d *documents) put(path string, answer http.HandlerFunc) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pages[path] = answer
}

// publish puts a good document at a path, with changes (nil removes a member), and gives its address: a client id.
func (d *documents) publish(path string, changes map[string]any) string {
	body := d.document(path, changes)
	d.put(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	})
	return d.URL + path
}

func (d *documents) document(path string, changes map[string]any) []byte {
	members := map[string]any{
		"client_id": d.URL + path, "client_name": "Garden Shed", "redirect_uris": []string{returnURI}, "token_endpoint_auth_method": "none", "scope": "profile:read invoices:read",
	}
	for name, value := range changes {
		if members[name] = value; value == nil {
			delete(members, name)
		}
	}
	body, _ := json.Marshal(members)
	return body
}

// sized is a good document of exactly that many bytes.
func (d *documents) sized(path string, size int) string {
	short := len(d.document(path, map[string]any{"padding": ""}))
	return d.publish(path, map[string]any{"padding": strings.Repeat("p", size-short)})
}

func (d *documents) fetches(path string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fetched[path]
}

// requests counts all requests, and connections that came to none.
func (d *documents) requests() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	sum := d.connections
	for _, count := range d.fetched {
		sum += count
	}
	return sum
}

// below lists the pages of a folder.
func (d *documents) below(folder string) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []string
	for path := range d.pages {
		if strings.HasPrefix(path, folder) {
			list = append(list, path)
		}
	}
	return list
}
