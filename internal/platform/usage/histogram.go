package usage

import (
	"math"
	"math/bits"
	"time"
)

// histogram counts durations in buckets of which each is twice as wide as the one before: small, addable, and good enough to
// tell 3 ms from 6 ms and 3 s from 6 s. Up to 0.5 ms is bucket 0; the last one takes all above 8.192 s.
type histogram [buckets]int64

const (
	buckets = 16
	finest  = 500 * time.Microsecond // the upper bound of bucket 0
)

func bucketOf(d time.Duration) int {
	if d <= finest {
		return 0
	}
	return min(bits.Len64(uint64((d-1)/finest)), buckets-1)
}

// bounds of a bucket: above low, up to high. The last one has no end: it is taken for its low bound.
func bounds(bucket int) (low, high time.Duration) {
	high = finest << bucket
	if bucket > 0 {
		low = high / 2
	}
	if bucket == buckets-1 {
		high = low
	}
	return low, high
}

func (h *histogram) add(o histogram) {
	for i, n := range o {
		h[i] += n
	}
}

func (h *histogram) count() (n int64) {
	for _, c := range h {
		n += c
	}
	return n
}

// percentile is the duration that so many percent of the calls did not exceed, in milliseconds with one decimal. It is right to
// the bucket: inside of one, calls are taken as evenly spread.
func (h *histogram) percentile(percent int64) float64 {
	rank := (h.count()*percent + 99) / 100
	for i, n := range h {
		if rank > n || n == 0 {
			rank -= n
			continue
		}
		low, high := bounds(i)
		d := float64(low) + float64(high-low)*(float64(rank)-0.5)/float64(n)
		return math.Round(d/float64(time.Millisecond)*10) / 10
	}
	return 0
}
