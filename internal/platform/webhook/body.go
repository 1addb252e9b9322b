package webhook

import (
	"encoding/json"
	"strconv"
	"time"

	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/event"
)

// content is what a body says besides its delivery's own id.
type content struct {
	eventID    *string
	kind       event.Type
	version    string
	businessID string
	created    time.Time
	data       []byte // JSON in the newest shape
}

// body writes the bytes that are signed and sent (HOOK-03). Everything in it besides data is a name of our own, which JSON
// need not escape.
func (c content) body(deliveryID string) (string, error) {
	data, err := apiversion.RewriteEvent(c.version, string(c.kind), c.data)
	if err != nil {
		return "", err
	}
	b := make([]byte, 0, 288+len(data))
	b = append(b, `{"id":"`...)
	b = append(b, deliveryID...)
	b = append(b, `","eventId":`...)
	if c.eventID == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, '"')
		b = append(b, *c.eventID...)
		b = append(b, '"')
	}
	b = append(b, `,"type":"`...)
	b = append(b, c.kind...)
	b = append(b, `","apiVersion":"`...)
	b = append(b, c.version...)
	b = append(b, `","businessId":"`...)
	b = append(b, c.businessID...)
	b = append(b, `","created":`...)
	b = strconv.AppendInt(b, c.created.Unix(), 10)
	b = append(b, `,"data":`...)
	b = append(b, data...)
	b = append(b, '}')
	return string(b), nil
}

// versionOf is the version that an app's deliveries speak: its pin, past its sunset too, or else the newest (VERS-03).
func versionOf(pin *string) string {
	if pin != nil {
		return *pin
	}
	return apiversion.Latest().Name
}

// sampleData is an event's sample, marked as a test (TDEL-01).
func sampleData(sample map[string]any) ([]byte, error) {
	data := map[string]any{"test": true}
	for k, v := range sample {
		data[k] = v
	}
	return json.Marshal(data)
}
