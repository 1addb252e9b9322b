package pages

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"daybook/internal/platform/usage"
)

// chartView is a small picture of bars, with words that say the same. Its units are of no size: it is stretched to where it stands.
type chartView struct {
	Title string
	Words string // instead of the picture
	Key   []state
	Width int
	Bars  []bar
	// First and Last are the ends of the time that it shows.
	First, Last string
}

type bar struct{ X, Y, Width, Height, Tone string }

// outline is all bars of a tone that stand one behind another, as one path: a month by the hour has thousands of bars.
type outline struct{ Tone, Path string }

// Outlines are the bars as they are written.
func (c chartView) Outlines() []outline {
	var list []outline
	var path strings.Builder
	for i, b := range c.Bars {
		path.WriteString("M" + b.X + " " + b.Y + "h" + b.Width + "v" + b.Height + "h-" + b.Width + "z")
		if i == len(c.Bars)-1 || c.Bars[i+1].Tone != b.Tone {
			list = append(list, outline{b.Tone, path.String()})
			path.Reset()
		}
	}
	return list
}

// chartHeight and barStep are the size of a picture: so high, and so wide for each hour or day.
const (
	chartHeight = 100
	barStep     = 10
)

// slots are the hours or days that a chart shows, with or without calls.
type slots struct {
	from   time.Time
	length time.Duration
	n      int
	first  string
	last   string
}

func slotsOf(series usage.Series) slots {
	length := lengths[series.Granularity]
	from := series.From.UTC().Truncate(length)
	n := int((series.To.Sub(from) + length - 1) / length)
	s := slots{from: from, length: length, n: max(n, 1)}
	s.first, s.last = momentName(from, series.Granularity), momentName(from.Add(time.Duration(s.n-1)*length), series.Granularity)
	return s
}

func (s slots) of(t time.Time) int { return int(t.Sub(s.from) / s.length) }

// layer is a part of the bars of a chart: how high it reaches at each point.
type layer struct {
	word, tone string
	height     func(usage.Sums) float64
}

// The layers of the charts. Later ones stand in front of those before them.
var (
	callLayers = []layer{
		{"calls", "good", func(s usage.Sums) float64 { return float64(s.Calls) }},
		{"errors", "bad", func(s usage.Sums) float64 { return float64(s.Errors) }},
		{"rate-limited", "warn", func(s usage.Sums) float64 { return float64(s.RateLimited) }},
	}
	timeLayers = []layer{
		{"p95", "slow", func(s usage.Sums) float64 { return s.P95Ms }},
		{"p50", "good", func(s usage.Sums) float64 { return s.P50Ms }},
	}
)

// draw makes a chart of points.
func (s slots) draw(title string, points []usage.Point, layers []layer) chartView {
	c := chartView{Title: title, Width: s.n * barStep, First: s.first, Last: s.last}
	top := topOf(points, layers)
	for _, l := range layers {
		c.Key = append(c.Key, state{l.word, l.tone})
		for _, p := range points {
			at := s.of(p.At)
			height := l.height(p.Sums) / top * chartHeight
			if at < 0 || at >= s.n || height <= 0 {
				continue
			}
			height = max(height, 1) // what is there can be seen
			c.Bars = append(c.Bars, bar{strconv.Itoa(at*barStep + 1), decimal(chartHeight - height), strconv.Itoa(barStep - 2), decimal(height), l.tone})
		}
	}
	return c
}

func topOf(points []usage.Point, layers []layer) float64 {
	top := 0.0
	for _, p := range points {
		for _, l := range layers {
			top = max(top, l.height(p.Sums))
		}
	}
	return max(top, 1)
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

// seriesCharts show calls, and how long they took.
func seriesCharts(series usage.Series) []chartView {
	s := slotsOf(series)
	grain := grainWords[series.Granularity]
	calls, times := s.draw("Calls by "+grain, series.Points, callLayers), s.draw("Time to answer by "+grain, series.Points, timeLayers)
	busiest, slowest := series.Points[0], series.Points[0]
	for _, p := range series.Points {
		if p.Calls > busiest.Calls {
			busiest = p
		}
		if p.P95Ms > slowest.P95Ms {
			slowest = p
		}
	}
	t := series.Totals
	calls.Words = fmt.Sprintf("%s from %s to %s: %s. The busiest %s was %s with %s.",
		callsOf(t.Calls), s.first, s.last, errorsOf(t), grain, momentName(busiest.At, series.Granularity), grouped(busiest.Calls))
	times.Words = fmt.Sprintf("Half of the calls took up to %s, 95 of 100 up to %s. The slowest %s was %s with a p95 of %s.",
		ms(t.P50Ms), ms(t.P95Ms), grain, momentName(slowest.At, series.Granularity), ms(slowest.P95Ms))
	return []chartView{calls, times}
}

func callsOf(n int64) string {
	if n == 1 {
		return "1 call"
	}
	return grouped(n) + " calls"
}

// errorsOf says how many calls failed.
func errorsOf(s usage.Sums) string {
	words := grouped(s.Errors) + " errors"
	switch s.Errors {
	case 0:
		return "no errors"
	case 1:
		words = "1 error"
	}
	if s.RateLimited > 0 {
		words += ", " + grouped(s.RateLimited) + " of them rate-limited"
	}
	return words
}

// maxCharts is how many groups have a picture; all of them are in the table.
const maxCharts = 8

// groupCharts show the calls of the busiest groups.
func groupCharts(series usage.Series) []chartView {
	s := slotsOf(series)
	groups := groupsOf(series)
	var list []chartView
	for _, g := range groups[:min(len(groups), maxCharts)] {
		c := s.draw(visible(g.name), g.points, callLayers)
		c.Words = fmt.Sprintf("%s from %s to %s: %s.", callsOf(g.sums.Calls), s.first, s.last, errorsOf(g.sums))
		list = append(list, c)
	}
	return list
}

// shares show what became of deliveries, side by side; nil when there are none.
func shares(delivered, retrying, failed int64) *chartView {
	all := delivered + retrying + failed
	if all == 0 {
		return nil
	}
	const width = 1000
	c := chartView{
		Title: "What became of deliveries", Width: width, Key: []state{{"delivered", "good"}, {"retrying", "warn"}, {"failed", "bad"}},
		Words: fmt.Sprintf("Of all %s: %s delivered, %s retrying, %s failed.", grouped(all), grouped(delivered), grouped(retrying), grouped(failed)),
	}
	x := 0.0
	for i, n := range []int64{delivered, retrying, failed} {
		w := float64(n) / float64(all) * width
		if n > 0 {
			c.Bars = append(c.Bars, bar{decimal(x), "0", decimal(w), strconv.Itoa(chartHeight), c.Key[i].Tone})
		}
		x += w
	}
	return &c
}
