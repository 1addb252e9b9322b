package boot

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"daybook/internal/base/db"
	"daybook/internal/platform/webhook"
	"daybook/internal/surface/wire"
)

// metrics is what operators watch. Labels are routes and statuses, never paths, ids or people.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	attempts *prometheus.HistogramVec
}

func newMetrics(h *House, degraded func() bool, version string) *metrics {
	d := h.DB
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "daybook_http_request_duration_seconds", Help: "How long requests took, by host, method, route and status.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"host", "method", "route", "status"}),
		attempts: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "daybook_webhook_attempt_duration_seconds", Help: "How long attempts to deliver took, by outcome: delivered, failed or dropped (not sent).",
			Buckets: []float64{.001, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"outcome"}),
	}
	count := func(name, help string, value func(db.Stats) int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, func() float64 { return float64(value(d.Stats())) })
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "daybook_build_info", Help: "Always 1; the labels say what is running.",
		ConstLabels: prometheus.Labels{"version": version, "store": d.Dialect().String()},
	})
	build.Set(1)
	m.registry.MustRegister(m.requests, m.attempts, build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		count("daybook_db_writes_total", "Write transactions asked for.", func(s db.Stats) int64 { return s.Writes }),
		count("daybook_db_commits_total", "Commits that carried them; on SQLite several share one.", func(s db.Stats) int64 { return s.Commits }),
		count("daybook_db_retries_total", "Transactions run again after a conflict.", func(s db.Stats) int64 { return s.Retries }),
		count("daybook_db_statements_total", "SQL statements.", func(s db.Stats) int64 { return s.Statements }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "daybook_request_log_lost_total", Help: "Calls of apps that found no room on their way to the request log."},
			func() float64 { return float64(h.Requests.Lost()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "daybook_limits_degraded", Help: "1 while Redis is away and limits are counted per node."},
			func() float64 {
				if degraded() {
					return 1
				}
				return 0
			}),
	)
	return m
}

func (m *metrics) observe(o wire.Observation) {
	m.requests.WithLabelValues(o.Host, o.Method, o.Route, strconv.Itoa(o.Status)).Observe(o.Duration.Seconds())
}

func (m *metrics) delivered(o webhook.Observation) {
	outcome := "failed"
	switch {
	case o.Dropped:
		outcome = "dropped"
	case o.Delivered:
		outcome = "delivered"
	}
	m.attempts.WithLabelValues(outcome).Observe(o.Duration.Seconds())
}

func (m *metrics) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	return mux
}
