package asset

import (
	"time"

	"daybook/internal/base/fault"
)

// Kind is what a picture is for.
type Kind string

// The kinds.
const (
	Icon       Kind = "ICON"
	Screenshot Kind = "SCREENSHOT"
)

// Kinds are all of them.
var Kinds = []Kind{Icon, Screenshot}

// MaxPerApp is how many pictures an app has at most: those of the live listing and of the revision that is worked on, and as many again
// to choose from.
const MaxPerApp = 40

// The types that are taken, and kept.
const (
	PNG  = "image/png"
	JPEG = "image/jpeg"
)

// endings of the addresses.
var endings = map[string]string{PNG: "png", JPEG: "jpg"}

// Asset is a picture, without its bytes.
type Asset struct {
	ID        string
	AppID     string
	Kind      Kind
	Hash      string // SHA-256 of the bytes, in lower-case hexadecimal digits
	Media     string
	Width     int
	Height    int
	Size      int // bytes
	CreatedAt time.Time
}

// Path is its address on either host.
func (a Asset) Path() string { return "/assets/" + a.Hash + "." + endings[a.Media] }

// rule is what a picture of a kind must be.
type rule struct {
	maxBytes                                 int
	minWidth, maxWidth, minHeight, maxHeight int
}

var rules = map[Kind]rule{
	Icon:       {1 << 20, 512, 512, 512, 512},
	Screenshot: {4 << 20, 640, 3840, 360, 2160},
}

// MaxBytes of the largest kind.
const MaxBytes = 4 << 20

func checkKind(k Kind) error {
	var c fault.Check
	_, known := rules[k]
	c.Require(known, "kind", "must be ICON or SCREENSHOT")
	return c.Err()
}
