package webhook

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/secret"
	"daybook/internal/platform/event"
	"daybook/internal/platform/scope"
)

// receiver is a webhook with everything that decides what it hears. It is never changed once it was read.
type receiver struct {
	webhookID, appID       string
	url                    string
	hears                  map[string]bool
	enabled                bool
	sealed, sealedPrevious []byte
	previousUntil          *time.Time
	registered             scope.Set
	pin                    *string
	suspended, deactivated bool
	hosted                 bool // a function of ours, and no address

	opened   sync.Once // the secrets, at the first attempt
	present  *signer
	previous *signer // nil: there is none
	broken   error
}

// signers that sign now, the present one first.
func (r *receiver) signers(keys *secret.Keys, now time.Time) ([]*signer, error) {
	r.opened.Do(func() {
		present, err := keys.Open(secretUse, r.webhookID, r.sealed)
		var previous []byte
		if err == nil && r.sealedPrevious != nil {
			previous, err = keys.Open(secretUse, r.webhookID, r.sealedPrevious)
		}
		r.present, r.broken = newSigner(string(present)), err
		if len(previous) > 0 {
			r.previous = newSigner(string(previous))
		}
	})
	switch {
	case r.broken != nil:
		return nil, r.broken
	case r.previous != nil && now.Before(*r.previousUntil):
		return []*signer{r.present, r.previous}, nil
	}
	return []*signer{r.present}, nil
}

// facts about a receiver for an event of a business; granted is nil where the app is not installed. No receiver is one
// that was deleted.
func factsOf(r *receiver, granted scope.Set, installed bool) facts {
	if r == nil {
		return facts{deleted: true}
	}
	return facts{off: !r.enabled, suspended: r.suspended, deactivated: r.deactivated, registered: r.registered, installed: installed, granted: granted}
}

// picture is who hears of what, as one transaction sees it.
type picture struct {
	grants    map[string]scope.Set // of the one business, by app
	receivers map[string][]*receiver
}

// drop asks the gate about one webhook.
func (p picture) drop(appID, webhookID string, e event.Entry, test bool) Drop {
	granted, installed := p.grants[appID]
	return gate(e, test, factsOf(findReceiver(p.receivers[appID], webhookID), granted, installed))
}

func findReceiver(list []*receiver, webhookID string) *receiver {
	for _, r := range list {
		if r.webhookID == webhookID {
			return r
		}
	}
	return nil
}

// look reads who hears of a business, and the webhooks of more apps, which need not be installed there.
func look(ctx context.Context, tx *db.Tx, businessID string, apps ...string) (picture, error) {
	p := picture{receivers: map[string][]*receiver{}}
	var err error
	if p.grants, err = grantsOf(ctx, tx, businessID); err != nil {
		return p, err
	}
	for appID := range p.grants {
		p.receivers[appID] = nil
	}
	for _, appID := range apps {
		p.receivers[appID] = nil
	}
	if len(p.receivers) == 0 {
		return p, nil
	}
	list, err := receiversOf(ctx, tx, slices.Collect(maps.Keys(p.receivers)))
	for _, r := range list {
		p.receivers[r.appID] = append(p.receivers[r.appID], r)
	}
	return p, err
}

// memory keeps pictures, so that not every event and attempt has to look. It cannot serve what has changed: everything in
// it was read at one revision, and whoever asks says which revision holds now. Only committed states get in, read in a
// snapshot together with their revision.
type memory struct {
	mu       sync.RWMutex
	revision int64
	pictures map[string]picture // by business; never changed once they are in
	apps     map[string][]*receiver
}

// maxRemembered businesses or apps. When it is full, memory starts anew: simple, and rare.
const maxRemembered = 1 << 15

// recall finds the picture of a business, with more apps that need not be installed there.
func (m *memory) recall(revision int64, businessID string, apps ...string) (picture, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.revision != revision {
		return picture{}, false
	}
	p, known := m.pictures[businessID]
	if !known {
		return picture{}, false
	}
	for _, appID := range apps {
		if _, there := p.receivers[appID]; there {
			continue
		}
		list, known := m.apps[appID]
		if !known {
			return picture{}, false
		}
		p.receivers = maps.Clone(p.receivers)
		p.receivers[appID] = list
	}
	return p, true
}

// keep remembers a picture that was read at a revision, and gives back the one to use.
func (m *memory) keep(revision int64, businessID string, p picture) picture {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case revision < m.revision:
		return p
	case revision > m.revision || m.pictures == nil || max(len(m.pictures), len(m.apps)) >= maxRemembered:
		m.revision, m.pictures, m.apps = revision, map[string]picture{}, map[string][]*receiver{}
	}
	for id, list := range p.receivers {
		if known, there := m.apps[id]; there { // the same, with its secrets already open
			p.receivers[id] = known
		} else {
			m.apps[id] = list
		}
	}
	m.pictures[businessID] = p
	return p
}
