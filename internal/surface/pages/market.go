package pages

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/limit"
	"daybook/internal/platform/install"
	"daybook/internal/platform/listing"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/business"
	"daybook/internal/tenancy/identity"
)

const marketPath = "/marketplace"

// registerMarket adds the pages that everybody may see, signed in or not.
func (s *Site) registerMarket(mux *http.ServeMux) {
	mux.Handle("GET "+marketPath, s.page(s.market))
	mux.Handle("GET "+marketPath+"/{slug}", s.page(s.marketListing))
}

// marketRule bounds how often one place looks around: nobody has to be known for it.
var marketRule = limit.Rule{Name: "marketplace", Max: 300, Per: time.Minute}

var errMarketBusy = fault.New(fault.Limited, "TOO_MANY_REQUESTS", "The marketplace was looked at too often from here in the last minute. Wait a little, then try again.")

// shopper is somebody in the marketplace: anybody.
type shopper struct {
	who  *visitor // nil: not signed in
	desk *atDesk  // nil: without a business
}

func (s *Site) shopper(r *http.Request) (shopper, error) {
	if window := s.Limits.Take(r.Context(), limit.Hit{Rule: marketRule, Key: wire.ClientKey(r.Context())})[0]; !window.Allowed {
		return shopper{}, errMarketBusy.After(window.Reset)
	}
	who, err := s.visitor(r)
	switch {
	case errors.Is(err, identity.ErrNoSession):
		return shopper{}, nil
	case err != nil:
		return shopper{}, err
	}
	d, err := s.sitDown(r.Context(), who)
	return shopper{&who, d}, err
}

// frame is that of the business somebody works in, or none.
func (p shopper) frame(title string, way ...crumb) frame {
	switch {
	case p.desk != nil:
		return p.desk.frame("Marketplace", title, way...)
	case p.who != nil:
		return frame{Title: title, Visitor: p.who.user.DisplayName}
	}
	return frame{Title: title}
}

type marketView struct {
	Here, Search, Category string // Category is the code of the one that is looked at
	Shelf                  string // its name
	Shelves                []choiceLink
	Filtered               bool
	Cards                  []marketCard
	Pager                  pager
	Home                   string // of the marketplace
}

// marketCard is a listing in a list of them.
type marketCard struct {
	Path  string
	Shown shownListing
}

var marketPage = newPage[marketView]("market.html")

// marketPageSize is how many listings a page of the marketplace has.
const marketPageSize = 24

func (s *Site) market(w http.ResponseWriter, r *http.Request) error {
	who, err := s.shopper(r)
	if err != nil {
		return err
	}
	q := searchQuery(r, "search", "category")
	shelf, known := listing.FindCategory(listing.Category(q.get("category")))
	if !known {
		q.given.Del("category")
	}
	found, err := s.Listings.Browse(r.Context(), listing.Search{Category: shelf.Category, Text: q.get("search")}, r.URL.Query().Get("cursor"), marketPageSize)
	if err != nil {
		return err
	}
	v := marketView{
		Here: marketPath, Home: marketPath, Search: visible(q.get("search")), Category: string(shelf.Category), Shelf: shelf.Name, Shelves: shelves(shelf.Category, q.get("search")),
		Filtered: known || q.get("search") != "", Pager: q.pager(found.Next),
	}
	for _, e := range found.Entries {
		v.Cards = append(v.Cards, marketCard{listingPath(e.Slug), show(e.Content, e.Publisher, nil, e.Icon, nil)})
	}
	title := "Marketplace"
	if known {
		title = shelf.Name + " · Marketplace"
	}
	marketPage.write(w, r, s, http.StatusOK, who.frame(title), v)
	return nil
}

func listingPath(slug string) string { return marketPath + "/" + slug }

func shelfPath(c listing.Category) string {
	return marketPath + "?" + url.Values{"category": {string(c)}}.Encode()
}

// shelves lead to the categories, and keep what is searched for.
func shelves(open listing.Category, search string) []choiceLink {
	path := func(c listing.Category) string {
		v := url.Values{}
		if c != "" {
			v.Set("category", string(c))
		}
		if search != "" {
			v.Set("search", search)
		}
		if len(v) == 0 {
			return marketPath
		}
		return marketPath + "?" + v.Encode()
	}
	list := []choiceLink{{Name: "All", Path: path(""), Chosen: open == ""}}
	for _, e := range listing.Categories {
		list = append(list, choiceLink{Name: e.Name, Path: path(e.Category), Chosen: e.Category == open})
	}
	return list
}

type marketListingView struct {
	Shown   shownListing
	Install installView
	Home    string
	Since   string
}

// installView is how the visitor gets the app. An authorization request is the app's own: its redirect URI, its state, its PKCE. So
// the button leads to the app, which sends the person to the consent page.
type installView struct {
	Address, Host string
	Business      string // that the visitor works in; empty without one
	Installed     bool   // there
	Connected     string // where that is seen
	MayConnect    bool
	SignIn        string // empty for who is signed in
}

var marketListingPage = newPage[marketListingView]("market-listing.html")

func (s *Site) marketListing(w http.ResponseWriter, r *http.Request) error {
	who, err := s.shopper(r)
	if err != nil {
		return err
	}
	e, err := s.Listings.BySlug(r.Context(), r.PathValue("slug"))
	if err != nil {
		return err
	}
	v := marketListingView{Shown: show(e.Content, e.Publisher, e.Scopes, e.Icon, e.Screenshots), Home: marketPath, Since: e.PublishedAt.UTC().Format("2 January 2006")}
	if v.Install, err = s.installing(r, who, e); err != nil {
		return err
	}
	marketListingPage.write(w, r, s, http.StatusOK, who.frame(v.Shown.Name, crumb{"Marketplace", marketPath}, crumb{v.Shown.Name, ""}), v)
	return nil
}

func (s *Site) installing(r *http.Request, who shopper, e listing.Entry) (installView, error) {
	start := e.AppURL
	if start == nil {
		start = e.Content.WebsiteURL
	}
	v := installView{Connected: "/apps"}
	if u, err := url.Parse(text(start)); err == nil && u.Host != "" {
		v.Address, v.Host = u.String(), visible(u.Host)
	}
	if who.who == nil {
		v.SignIn = "/sign-in?next=" + escapeNext(r)
	}
	if who.desk == nil {
		return v, nil
	}
	v.Business, v.MayConnect = visible(who.desk.business.Name), who.desk.access.May(business.AppsConnect)
	there, err := s.Installations.List(r.Context(), who.desk.business.ID, who.who.user.ID)
	for _, i := range there {
		v.Installed = v.Installed || i.AppID == e.AppID && i.Status == install.Active
	}
	return v, err
}
