// Stripe's SDK, which verifies the same signature scheme: its receivers take our deliveries as they come. Only its payload
// validation: ConstructEvent goes on to ask for Stripe's own API version in the body.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/stripe/stripe-go/v85/webhook"
)

// delivery is written by signature_test.go.
type delivery struct {
	Name, Header, Body string
	Secrets            []string
}

func main() {
	log.SetFlags(0)
	var deliveries []delivery
	if err := json.Unmarshal([]byte(os.Getenv("DAYBOOK_FACTS")), &deliveries); err != nil {
		log.Fatal(err)
	}
	for _, d := range deliveries {
		for _, secret := range d.Secrets {
			d.accepted(secret)
			d.altered(secret)
		}
		d.refused("by another secret", d.Body, d.Header, "whsec_another")
		fmt.Println("ok", d.Name)
	}
}

func (d delivery) accepted(secret string) {
	if err := webhook.ValidatePayload([]byte(d.Body), d.Header, secret); err != nil {
		log.Fatalf("%s: %v", d.Name, err)
	}
}

func (d delivery) altered(secret string) {
	d.refused("a longer body", d.Body+" ", d.Header, secret)
	d.refused("another body", strings.Replace(d.Body, `"id"`, `"ID"`, 1), d.Header, secret)
	d.refused("another instant", d.Body, strings.Replace(d.Header, ",", "0,", 1), secret)
	d.refused("other values", d.Body, strings.ReplaceAll(d.Header, "v1=", "v1=00"), secret)
	d.refused("without the prefix", d.Body, d.Header, strings.TrimPrefix(secret, "whsec_"))
}

func (d delivery) refused(what, body, header, secret string) {
	if webhook.ValidatePayload([]byte(body), header, secret) == nil {
		log.Fatalf("%s: accepted %s", d.Name, what)
	}
}
