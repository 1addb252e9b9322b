package pages

import (
	"context"
	"net/http"
	"slices"

	"daybook/internal/platform/app"
	"daybook/internal/platform/webhook"
)

type consoleOverviewView struct {
	App                                appFacts
	Steps                              []step
	Done                               int // of the steps
	Failures                           []deliveryLine
	FailuresPath, Listing              string
	Suspension                         string // the operator's reason
	Suspended, Deactivated, Unreviewed bool
}

type appFacts struct {
	ID, ClientID, Kind, Pin string
	Status, Review          state
	Scopes                  int
	Created                 moment
}

// step is one thing to do before an app works, and whether it is done.
type step struct {
	Done       bool
	Name, Path string
	Hint       string
}

var consoleOverviewPage = newPage[consoleOverviewView]("console-overview.html")

// maxFailures is how many recent failures the overview shows.
const maxFailures = 5

func (s *Site) consoleOverview(w http.ResponseWriter, r *http.Request, in inApp) error {
	a := in.app
	v := consoleOverviewView{
		App: appFacts{
			ID: a.ID, ClientID: a.ClientID, Kind: clientKind(a.ClientType), Pin: text(a.PinnedAPIVersion), Status: appState(a), Review: reviewState(a),
			Scopes: len(a.Scopes), Created: when(a.CreatedAt, in.now),
		},
		FailuresPath: in.path("/deliveries?status=failed"), Listing: in.path("/listing"), Suspension: text(a.SuspensionReason), Suspended: a.Status() == app.Suspended,
		Deactivated: a.Status() == app.Deactivated, Unreviewed: a.ReviewStatus != app.Approved,
	}
	hooks, err := s.Webhooks.List(r.Context(), a.ID, in.who.user.ID)
	if err != nil {
		return err
	}
	if v.Failures, err = s.failures(r.Context(), in, hooks); err != nil {
		return err
	}
	if v.Steps, err = s.steps(r.Context(), in, hooks); err != nil {
		return err
	}
	for _, one := range v.Steps {
		if one.Done {
			v.Done++
		}
	}
	consoleOverviewPage.write(w, r, s, http.StatusOK, in.frame("Overview", "Overview"), v)
	return nil
}

// failures are the newest failed deliveries of the app.
func (s *Site) failures(ctx context.Context, in inApp, hooks []webhook.Webhook) ([]deliveryLine, error) {
	var list []webhook.Delivery
	for _, h := range hooks {
		failed, err := s.Webhooks.Deliveries(ctx, in.app.ID, in.who.user.ID, h.ID, webhook.Filter{Status: webhook.Failed})
		if err != nil {
			return nil, err
		}
		list = append(list, failed[:min(len(failed), maxFailures)]...)
	}
	slices.SortFunc(list, func(a, b webhook.Delivery) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return in.deliveryLines(list[:min(len(list), maxFailures)]), nil
}

// steps are what it takes until an app works, in the order in which people do them.
func (s *Site) steps(ctx context.Context, in inApp, hooks []webhook.Webhook) ([]step, error) {
	a := in.app
	steps := []step{{
		Done: len(a.RedirectURIs) > 0, Name: "Register where people return to", Path: in.path("/settings#redirect-uris"),
		Hint: "The consent page sends them only to an address that you listed.",
	}}
	if a.ClientType == app.Confidential {
		secrets, err := s.Apps.Secrets(ctx, a.ID, in.who.user.ID)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step{Done: len(secrets) > 0, Name: "Make a client secret", Path: in.path("/secrets"), Hint: "Your server proves with it that it is your app."})
	}
	installed, err := s.installedInSandbox(ctx, in)
	if err != nil {
		return nil, err
	}
	delivered, tried, err := s.delivered(ctx, in, hooks)
	if err != nil {
		return nil, err
	}
	return append(steps,
		step{Done: len(hooks) > 0, Name: "Add a webhook", Path: in.path("/webhooks/new"), Hint: "Daybook calls it when something happens in a business."},
		step{Done: delivered, Name: "Have a test delivery arrive", Path: tried, Hint: "A sample event, signed and logged like a real one."},
		step{Done: installed, Name: "Connect it to a sandbox business", Path: sandboxesPath + of("organization", *a.OrganizationID), Hint: "Open your app's sign-in, and choose a sandbox of your organization on the consent page. Or have app.installed happen in one."},
	), nil
}

// delivered reports whether a test has arrived, and where to send one.
func (s *Site) delivered(ctx context.Context, in inApp, hooks []webhook.Webhook) (arrived bool, path string, err error) {
	for _, h := range hooks {
		path = in.path("/webhooks/%s#test", h.ID)
		list, err := s.Webhooks.Deliveries(ctx, in.app.ID, in.who.user.ID, h.ID, webhook.Filter{Status: webhook.Delivered, BusinessID: webhook.TestBusiness})
		if err != nil || len(list) > 0 {
			return len(list) > 0, path, err
		}
	}
	return false, path, nil
}

// installedInSandbox looks for the app in those sandboxes of its organization that the developer belongs to.
func (s *Site) installedInSandbox(ctx context.Context, in inApp) (bool, error) {
	list, err := s.Businesses.Of(ctx, in.who.user.ID)
	if err != nil {
		return false, err
	}
	for _, b := range list {
		if !b.Sandbox() || *b.SandboxOf != *in.app.OrganizationID {
			continue
		}
		there, err := s.Installations.List(ctx, b.ID, in.who.user.ID)
		if err != nil {
			return false, err
		}
		for _, i := range there {
			if i.AppID == in.app.ID {
				return true, nil
			}
		}
	}
	return false, nil
}
