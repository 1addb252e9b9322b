package business

import (
	"strings"
	"time"

	"daybook/internal/base/fault"
)

// MaxSandboxes is how many sandboxes an organization has at most.
const MaxSandboxes = 10

// Seed is what the books of a sandbox begin with.
type Seed string

// The seeds.
const (
	EmptySeed Seed = "EMPTY" // a chart of accounts and rates of tax
	DemoSeed  Seed = "DEMO"  // a year of believable books
)

// SandboxState says what is being done with a sandbox.
type SandboxState string

// The states.
const (
	SandboxReady     SandboxState = "READY"
	SandboxResetting SandboxState = "RESETTING" // its books are being emptied, to begin anew
	SandboxClosing   SandboxState = "CLOSING"   // its rows are being removed; for everybody it is gone
)

// Sandbox is a business that an organization tries things out in.
type Sandbox struct {
	Business
	OrganizationID string
	Seed           Seed
	State          SandboxState
	Since          time.Time // of the state
}

func (n New) checkSeed(c *fault.Check) Seed {
	switch {
	case n.Seed == "" && n.SandboxOf != nil:
		return EmptySeed
	case n.Seed != "" && n.SandboxOf == nil:
		c.Add("seed", "is for sandboxes only")
	case n.Seed != "":
		c.Require(n.Seed == EmptySeed || n.Seed == DemoSeed, "seed", "must be EMPTY or DEMO")
	}
	return n.Seed
}

// freeDomains are names that nobody can own (RFC 2606, RFC 6761), so an address there is nobody's.
var freeDomains = []string{".test", ".example", ".invalid", ".example.com", ".example.net", ".example.org"}

// IsTestAddress reports whether an address is one that no person can have. Only such an account may be made by somebody else:
// any other might be the one that its owner signs up with, or that a colleague adds to an organization, some day.
func IsTestAddress(email string) bool {
	_, domain, _ := strings.Cut(email, "@")
	domain = "." + strings.ToLower(domain)
	for _, free := range freeDomains {
		if strings.HasSuffix(domain, free) {
			return true
		}
	}
	return false
}
