package function

import (
	"context"
	"encoding/json"

	"daybook/internal/base/db"
	"daybook/internal/base/id"
	"daybook/internal/platform/app"
	"daybook/internal/platform/event"
	"daybook/internal/platform/webhook"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/organization"
)

// Trial is a run by hand.
type Trial struct {
	// BusinessID is a sandbox of the app's organization.
	BusinessID string
	// VersionID is what is tried; empty stands for the newest one.
	VersionID string
	// Type is the event that the function is told of; empty stands for its first one.
	Type event.Type
	// Data is what the event says; nil stands for a sample.
	Data json.RawMessage
}

// Invoke runs a function by hand in a sandbox, whatever state it is in, and answers the run. It counts for nothing else.
func (s *Service) Invoke(ctx context.Context, appID, by, functionID string, t Trial) (Run, error) {
	f, versionID, err := s.admit(ctx, appID, by, functionID, t)
	if err != nil {
		return Run{}, err
	}
	w, err := s.prepare(ctx, appID, functionID, t.BusinessID, versionID)
	if err != nil {
		return Run{}, err
	}
	kind, data, err := f.sample(t)
	if err != nil {
		return Run{}, err
	}
	body, err := webhook.SampleBody(s.IDs.New(id.Delivery), kind, w.pin, t.BusinessID, s.Clock.Now(), data)
	if err != nil {
		return Run{}, err
	}
	r := w.run
	r.Kind, r.Type = ByHand, kind
	if r, err = s.carryOut(ctx, w, r, body); err != nil {
		return Run{}, err
	}
	err = s.DB.Write(ctx, func(tx *db.Tx) error { return insertRun(ctx, tx, r) })
	return r, err
}

// admit asks who tries what, and where.
func (s *Service) admit(ctx context.Context, appID, by, functionID string, t Trial) (f Function, versionID string, err error) {
	err = s.DB.Snapshot(ctx, func(tx *db.Tx) error {
		of, err := app.Authorize(ctx, tx, appID, by, organization.Build)
		if err != nil {
			return err
		}
		if f, err = current(ctx, tx, appID, functionID, 0); err != nil {
			return err
		}
		place, err := business.FindSandbox(ctx, tx, t.BusinessID, by, organization.Build)
		if err != nil {
			return err
		}
		if of.OrganizationID == nil || place.OrganizationID != *of.OrganizationID {
			return business.ErrNoSandbox
		}
		v, err := chosen(ctx, tx, functionID, t.VersionID)
		versionID = v.ID
		return err
	})
	return f, versionID, err
}

// sample is what a function is told by a trial.
func (f Function) sample(t Trial) (event.Type, []byte, error) {
	kind := t.Type
	switch {
	case kind != "":
		if _, ok := event.Find(kind); !ok {
			return "", nil, webhook.ErrUnknownEvent.With(clip(string(kind), 60))
		}
	case f.Trigger.Kind == BySchedule:
		kind = f.Trigger.Every.occasion()
	case f.Trigger.Kind == ByEvent:
		kind = f.Trigger.Events[0]
	default:
		kind = event.InvoiceCreated
	}
	if t.Data != nil {
		return kind, t.Data, nil
	}
	if _, ok := event.Find(kind); !ok {
		return kind, []byte(`{"test":true}`), nil
	}
	data, err := webhook.SampleData(kind)
	return kind, data, err
}
