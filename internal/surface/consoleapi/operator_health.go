package consoleapi

import (
	"encoding/json"
	"net/http"

	"daybook/internal/base/trail"
	"daybook/internal/platform/audit"
	"daybook/internal/platform/webhook"
	"daybook/internal/surface/wire"
	"daybook/internal/tenancy/identity"
)

type healthBody struct {
	Queue      queueBody  `json:"queue"`
	Store      storeBody  `json:"store"`
	Limits     string     `json:"limits"`
	RequestLog requestLog `json:"requestLog"`
	Jobs       []jobBody  `json:"jobs"`
}

type queueBody struct {
	Waiting   int        `json:"waiting"`
	Due       int        `json:"due"`
	OldestDue *string    `json:"oldestDue"`
	Nodes     []nodeBody `json:"nodes"`
}

type nodeBody struct {
	ID        string  `json:"id"`
	StartedAt *string `json:"startedAt"` // null: it has ended, and what it had in hand is about to be put back
	InHand    int     `json:"inHand"`
}

type storeBody struct {
	Kind  string `json:"kind"`
	Bytes int64  `json:"bytes"`
}

type requestLog struct {
	Lost int64 `json:"lost"`
}

type jobBody struct {
	Name         string  `json:"name"`
	EverySeconds float64 `json:"everySeconds"`
	LastRunAt    *string `json:"lastRunAt"`
	MS           int64   `json:"ms"`
	Failed       bool    `json:"failed"`
}

func newHealthBody(h wire.Condition) healthBody {
	return healthBody{
		Queue: queueBody{
			Waiting: h.Queue.Waiting, Due: h.Queue.Due, OldestDue: optionalInstant(h.Queue.OldestDue),
			Nodes: each(h.Queue.Nodes, func(n webhook.InHand) nodeBody { return nodeBody{n.Node, optionalInstant(n.StartedAt), n.Deliveries} }),
		},
		Store: storeBody{h.Store, h.StoreSize}, Limits: h.Limits, RequestLog: requestLog{h.LostRequests},
		Jobs: each(h.Jobs, func(j wire.Job) jobBody {
			return jobBody{j.Name, j.Every.Seconds(), optionalInstant(j.LastAt), j.Took.Milliseconds(), j.Failed}
		}),
	}
}

func (a *API) showHealth(w http.ResponseWriter, r *http.Request, _ identity.User) error {
	if err := wire.CheckQuery(r); err != nil {
		return err
	}
	h, err := a.Health(r.Context())
	if err != nil {
		return err
	}
	wire.WriteJSON(w, http.StatusOK, newHealthBody(h))
	return nil
}

type auditBody struct {
	ID             string          `json:"id"`
	At             string          `json:"at"`
	Actor          audit.Actor     `json:"actor"`
	UserID         *string         `json:"userId"`
	Action         trail.Action    `json:"action"`
	ObjectType     string          `json:"objectType"`
	ObjectID       string          `json:"objectId"`
	OrganizationID *string         `json:"organizationId"`
	BusinessID     *string         `json:"businessId"`
	IP             *string         `json:"ip"`
	RequestID      *string         `json:"requestId"`
	UserAgent      *string         `json:"userAgent"`
	Details        json.RawMessage `json:"details"`
}

func newAuditBody(r audit.Row) auditBody {
	return auditBody{
		ID: r.ID, At: instant(r.At), Actor: r.Actor, UserID: r.UserID, Action: r.Action, ObjectType: r.Object.Type, ObjectID: r.Object.ID,
		OrganizationID: r.OrganizationID, BusinessID: r.BusinessID, IP: r.IP, RequestID: r.RequestID, UserAgent: r.UserAgent, Details: r.Details,
	}
}

func (a *API) listAudit(w http.ResponseWriter, r *http.Request, _ identity.User) error {
	q, err := paramsOf(r, "action", "userId", "objectId", "organizationId", "businessId", "from", "to", "limit", "cursor")
	if err != nil {
		return err
	}
	f := audit.Filter{
		Action: q.word("action"), UserID: q.word("userId"), ObjectID: q.word("objectId"), OrganizationID: q.word("organizationId"), BusinessID: q.word("businessId"),
	}
	f.From, f.To = q.span()
	limit, at := q.number("limit", defaultPage, 1, audit.MaxPage), q.word("cursor")
	if err := q.wrong.Err(); err != nil {
		return err
	}
	found, err := a.Audit.List(r.Context(), f, at, limit)
	if err != nil {
		return err
	}
	body := newListBody(found.Rows, newAuditBody)
	body.HasMore, body.NextCursor = found.Next != nil, found.Next
	wire.WriteJSON(w, http.StatusOK, body)
	return nil
}
