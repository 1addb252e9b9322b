package pages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"daybook/internal/base/fault"
	"daybook/internal/platform/audit"
)

type operatorAuditView struct {
	Here                        string
	Who, What, Object, From, To string // the filters
	Filtered                    bool
	List                        []auditLine
	Pager                       pager
	Months                      int // that the log goes back, at least
}

// auditLine is one act that was kept.
type auditLine struct {
	Who, WhoPath         string
	Action, ActionPath   string
	Object, ObjectPath   string // its kind, and all that was done about it
	ObjectID             string
	About                string // the organization or business that it concerns
	IP, Agent, RequestID string
	Details              []fact
	At                   moment
}

var operatorAuditPage = newPage[operatorAuditView]("operator-audit.html")

func (s *Site) operatorAudit(w http.ResponseWriter, r *http.Request, in asOperator) error {
	q := searchQuery(r, "who", "what", "object", "from", "to")
	v := operatorAuditView{Here: "/operator/audit", Who: visible(q.get("who")), What: visible(q.get("what")), Object: visible(q.get("object")), Months: audit.KeepInMonths}
	f := audit.Filter{Action: q.get("what"), ObjectID: q.get("object"), From: q.instant("from"), To: q.instant("to")}
	v.From, v.To = q.get("from"), q.get("to")
	if q.get("who") != "" {
		u, err := s.lookUp(r.Context(), q.get("who"))
		switch {
		case fault.KindOf(err) == fault.NotFound: // nobody did anything, or somebody whose account is gone
			f.UserID = q.get("who")
		case err != nil:
			return err
		default:
			f.UserID = u.ID
		}
	}
	v.Filtered = f != audit.Filter{}
	found, err := s.Audit.List(r.Context(), f, r.URL.Query().Get("cursor"), maxOperated)
	if err != nil {
		return err
	}
	if v.List, err = s.auditLines(r, in, found.Rows); err != nil {
		return err
	}
	v.Pager = q.pager(found.Next)
	operatorAuditPage.write(w, r, s, http.StatusOK, in.frame("Audit log", "Audit log"), v)
	return nil
}

// maxLatest is how much of the audit log the page about something shows.
const maxLatest = 10

// latest are the newest rows with a filter.
func (s *Site) latest(r *http.Request, in asOperator, f audit.Filter) ([]auditLine, error) {
	found, err := s.Audit.List(r.Context(), f, "", maxLatest)
	if err != nil {
		return nil, err
	}
	return s.auditLines(r, in, found.Rows)
}

func (s *Site) auditLines(r *http.Request, in asOperator, rows []audit.Row) ([]auditLine, error) {
	var list []auditLine
	for _, row := range rows {
		line := auditLine{
			Action: string(row.Action), ActionPath: auditOf("what", string(row.Action)), Object: visible(row.Object.Type), ObjectPath: auditOf("object", row.Object.ID), ObjectID: visible(row.Object.ID),
			IP: visible(text(row.IP)), Agent: visible(text(row.UserAgent)), RequestID: visible(text(row.RequestID)), At: when(row.At, in.now),
		}
		line.About = cmp.Or(visible(text(row.BusinessID)), visible(text(row.OrganizationID)))
		line.Details = detailWords(row.Details)
		var err error
		if line.Who, err = s.doer(r, in, row); err != nil {
			return nil, err
		}
		if row.UserID != nil {
			line.WhoPath = auditOf("who", *row.UserID)
		}
		list = append(list, line)
	}
	return list, nil
}

// detailWords are the members of details, each on a line.
func detailWords(details json.RawMessage) []fact {
	var members map[string]any
	if json.Unmarshal(details, &members) != nil {
		return []fact{{Name: "details", Value: visible(string(details))}}
	}
	var list []fact
	for _, name := range slices.Sorted(maps.Keys(members)) {
		list = append(list, fact{visible(name), visible(detailWord(members[name]))})
	}
	return list
}

// detailWord is a value as people write it: a list without its brackets.
func detailWord(value any) string {
	all, ok := value.([]any)
	if !ok {
		return fmt.Sprint(value)
	}
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = fmt.Sprint(one)
	}
	return cmp.Or(strings.Join(words, ", "), "none")
}

// doer is who did something.
func (s *Site) doer(r *http.Request, in asOperator, row audit.Row) (string, error) {
	switch {
	case row.UserID != nil:
		name, err := in.names.person(r.Context(), *row.UserID)
		return visible(name), err
	case row.Actor == audit.Command:
		return "The command line", nil
	}
	return s.Name + ", by itself", nil
}
