package sandbox

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/id"
	"daybook/internal/base/text"
	"daybook/internal/base/trail"
	"daybook/internal/books/invoice"
	"daybook/internal/books/ledger"
	"daybook/internal/books/party"
	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/books/tax"
	"daybook/internal/platform/app"
	"daybook/internal/platform/appdata"
	"daybook/internal/platform/event"
	"daybook/internal/platform/install"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
	"daybook/internal/tenancy/organization"
)

// Service has the verbs of sandboxes.
type Service struct {
	DB            *db.DB
	IDs           *id.Source
	Identity      *identity.Service
	Businesses    *business.Service
	Apps          *app.Service
	Installations *install.Service
	AppData       *appdata.Service
	Ledger        *ledger.Service
	Taxes         *tax.Service
	Parties       *party.Service
	Invoices      *invoice.Service
	Payments      *payment.Service
	Demo          Demo
	// Trail, if not nil, keeps who did what.
	Trail trail.Keeper
}

// Demo writes a year of believable books.
type Demo interface {
	WriteDemo(ctx context.Context, tx *db.Tx, b business.Business, ownerID string) error
}

// View is a sandbox as it is shown.
type View struct {
	business.Sandbox
	Usage invoice.Usage
}

// New is what it takes to make a sandbox.
type New struct {
	Name     string
	Country  string
	Currency string
	Seed     business.Seed // EMPTY by default
}

// asked is the business that it is going to be.
func (n New) asked(organizationID string) business.New {
	return business.New{Name: n.Name, Country: n.Country, Currency: n.Currency, SandboxOf: &organizationID, Seed: n.Seed}
}

// Check says what is wrong with the members.
func (n New) Check() error { return n.asked("").Check() }

// Create makes a sandbox with the books of its seed. Who makes it owns it.
func (s *Service) Create(ctx context.Context, organizationID, by string, n New) (View, error) {
	create, err := s.Businesses.Prepare(n.asked(organizationID), by)
	if err != nil {
		return View{}, err
	}
	var made business.Business
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		if _, err = organization.Authorize(ctx, tx, organizationID, by, organization.Build); err != nil {
			return err
		}
		if made, err = create(ctx, tx); err != nil {
			return err
		}
		if err = s.leave(ctx, tx, by, actCreated, made, map[string]any{"seed": n.Seed}); err != nil || n.Seed != business.DemoSeed {
			return err
		}
		return s.Demo.WriteDemo(ctx, tx, made, by)
	})
	if err != nil {
		return View{}, err
	}
	return s.Get(ctx, made.ID, by)
}

// List shows the sandboxes of an organization to one of its members, the first one made first.
func (s *Service) List(ctx context.Context, organizationID, by string) ([]View, error) {
	var list []business.Sandbox
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = organization.Authorize(ctx, tx, organizationID, by, organization.Look); err != nil {
			return err
		}
		list, err = business.Sandboxes(ctx, tx, organizationID)
		return err
	})
	views := make([]View, 0, len(list))
	for _, one := range list {
		v, err := s.view(ctx, one)
		if err != nil {
			return nil, err
		}
		views = append(views, v)
	}
	return views, err
}

// Get shows a sandbox to a member of its organization.
func (s *Service) Get(ctx context.Context, businessID, by string) (View, error) {
	one, err := s.find(ctx, businessID, by, organization.Look)
	if err != nil {
		return View{}, err
	}
	return s.view(ctx, one)
}

// Admit says whether somebody may do that with a sandbox, for a door that asks before it reads on.
func (s *Service) Admit(ctx context.Context, businessID, by string, a organization.Ability) error {
	_, err := s.find(ctx, businessID, by, a)
	return err
}

func (s *Service) find(ctx context.Context, businessID, by string, a organization.Ability) (business.Sandbox, error) {
	var one business.Sandbox
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		one, err = business.FindSandbox(ctx, tx, businessID, by, a)
		return err
	})
	return one, err
}

func (s *Service) view(ctx context.Context, one business.Sandbox) (View, error) {
	usage, err := s.Invoices.Usage(ctx, record.Call{BusinessID: one.ID})
	return View{one, usage}, err
}

// Patch is what may change of a sandbox; nil stays. What plan and usage say holds from the next call on.
type Patch struct {
	Name *string
	Plan *string
	Used invoice.Used
}

// told is what is kept of a patch.
func (p Patch) told() map[string]any {
	return map[string]any{"renamed": p.Name != nil, "plan": p.Plan, "invoices": p.Used.Invoices, "turnover": p.Used.Turnover}
}

// Judge says what is wrong with a patch.
func (s *Service) Judge(p Patch) error {
	var c fault.Check
	if p.Name != nil {
		text.Line(&c, "name", *p.Name, 1, 150)
	}
	if p.Plan != nil {
		s.Businesses.CheckPlan(&c, *p.Plan)
	}
	p.Used.Check(&c)
	return c.Err()
}

// Change gives a sandbox another name or plan, or puts what it has used of its plan where a ceiling can be tried. seen is the
// version that the caller has seen, 0 for none. Apps are told of it as of any other change of settings.
func (s *Service) Change(ctx context.Context, businessID, by string, seen int, p Patch) (View, error) {
	call, err := s.act(ctx, businessID, by)
	if err != nil {
		return View{}, err
	}
	if err := s.Judge(p); err != nil {
		return View{}, err
	}
	_, err = db.Run(ctx, s.DB, ledger.Do(s.Ledger, call, func(ctx context.Context, b *ledger.Book) (struct{}, error) {
		one, err := business.FindSandbox(ctx, b.Tx, businessID, by, organization.Build) // it may have gone since
		if err != nil {
			return struct{}{}, err
		}
		if err := s.leave(ctx, b.Tx, by, actChanged, one.Business, p.told()); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.change(ctx, b, seen, p)
	}))
	if err != nil {
		return View{}, err
	}
	return s.Get(ctx, businessID, by)
}

func (s *Service) change(ctx context.Context, b *ledger.Book, seen int, p Patch) (err error) {
	var edits business.Edits
	if p.Name != nil {
		edits.Name = business.Edit[string]{Given: true, Value: p.Name}
	}
	var replanned bool
	if p.Plan != nil {
		if replanned, err = s.Businesses.SetPlan(ctx, b.Tx, b.BusinessID, *p.Plan); err != nil {
			return err
		}
	}
	var version *int
	if seen != 0 {
		version = &seen
	}
	is, changed, err := business.Update(ctx, b.Tx, b.BusinessID, edits, replanned, version)
	if err != nil {
		return err
	}
	if replanned {
		changed = append(changed, "plan") // which sorts after name
	}
	tellUpdated(b, is, changed)
	return s.Invoices.SetUsed(ctx, b, p.Used)
}

// tellUpdated tells of settings that changed, as the API's own verb does.
func tellUpdated(b *ledger.Book, is business.Business, changed []string) {
	if len(changed) == 0 {
		return
	}
	b.Tell(event.BusinessUpdated, event.Data{
		"changes": changed, "currency": is.Currency, "country": is.Country, "timeZone": is.TimeZone, "version": is.Version,
	})
}

// act finds in whose name a member of the organization works in a sandbox: their own if they own it, else its first owner's.
func (s *Service) act(ctx context.Context, businessID, by string) (record.Call, error) {
	call := record.Call{BusinessID: businessID, Actor: event.Actor{Type: event.User}}
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = business.FindSandbox(ctx, tx, businessID, by, organization.Build); err != nil {
			return err
		}
		call.Actor.UserID, err = business.Actor(ctx, tx, businessID, by)
		return err
	})
	return call, err
}
