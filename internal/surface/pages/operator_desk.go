package pages

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"daybook/internal/surface/wire"
)

// operatorLinks are the pages of those who look after the service.
var operatorLinks = []deskLink{
	{Name: "Apps", Path: "/operator/apps"}, {Name: "Review", Path: reviewPath}, {Name: "People", Path: "/operator/users"}, {Name: "Health", Path: "/operator/health"}, {Name: "Audit log", Path: "/operator/audit"},
}

// registerOperator adds the pages of operators.
func (s *Site) registerOperator(mux *http.ServeMux) {
	mux.Handle("GET /operator", s.operatorPage(s.toOperator))
	mux.Handle("GET /operator/apps", s.operatorPage(s.operatorApps))
	mux.Handle("GET /operator/apps/{appId}", s.operatorPage(s.operatorApp))
	mux.Handle("GET /operator/users", s.operatorPage(s.operatorUsers))
	mux.Handle("GET /operator/users/{userId}", s.operatorPage(s.operatorUser))
	mux.Handle("GET /operator/health", s.operatorPage(s.operatorHealth))
	mux.Handle("GET /operator/audit", s.operatorPage(s.operatorAudit))
	s.registerReview(mux)
}

// asOperator is an operator at work.
type asOperator struct {
	who   visitor
	now   time.Time
	names names
}

// operatorPage serves a page to an operator. To anyone else who is signed in there is no such page.
func (s *Site) operatorPage(h func(w http.ResponseWriter, r *http.Request, in asOperator) error) http.Handler {
	return s.page(func(w http.ResponseWriter, r *http.Request) error {
		who, err := s.visitor(r)
		if err != nil {
			return err
		}
		if !who.user.Operator {
			return wire.Nothing(r)
		}
		return h(w, r, asOperator{who, s.Clock.Now(), names{site: s, people: map[string]string{who.user.ID: who.user.DisplayName}, apps: map[string]string{}}})
	})
}

// frame is what stands around a page of operators: which of them is open, and the steps below it.
func (in asOperator) frame(open, title string, below ...crumb) frame {
	mark := "page"
	var way []crumb
	if len(below) > 0 {
		mark = "true"
		at := slices.IndexFunc(operatorLinks, func(l deskLink) bool { return l.Name == open })
		way = append([]crumb{{open, operatorLinks[at].Path}}, below...)
	}
	return frame{
		Title: title + " · Operator", Visitor: in.who.user.DisplayName, Script: true,
		Desk: &desk{Label: "Operator", Links: listed(operatorLinks, "", open, mark), Crumbs: way, Now: in.now},
	}
}

func (s *Site) toOperator(w http.ResponseWriter, r *http.Request, _ asOperator) error {
	seeOther(w, r, operatorLinks[0].Path)
	return nil
}

// auditOf leads to what the audit log has with a filter.
func auditOf(filter, value string) string {
	return "/operator/audit?" + url.Values{filter: {value}}.Encode()
}
