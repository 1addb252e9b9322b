package organization

import (
	"time"

	"daybook/internal/base/fault"
	"daybook/internal/base/text"
)

// Organization is a group of developers.
type Organization struct {
	ID        string
	Name      string
	Version   int
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Role of a member.
type Role string

// The roles.
const (
	Owner     Role = "OWNER"
	Developer Role = "DEVELOPER"
	Viewer    Role = "VIEWER"
)

// Roles is every role, the most powerful first.
var Roles = []Role{Owner, Developer, Viewer}

// Ability is something a role may allow.
type Ability int

// The abilities.
const (
	Look    Ability = iota // see apps and what they do
	Build                  // create and change apps, webhooks, fields, listings
	Govern                 // members, ownership, deactivation
	nothing                // no role has it
)

// abilities says how far each role reaches: everything up to and including that ability.
var abilities = map[Role]Ability{Owner: Govern, Developer: Build, Viewer: Look}

// May reports whether the role allows it. An unknown role allows nothing.
func (r Role) May(a Ability) bool {
	reach, known := abilities[r]
	return known && a <= reach && a < nothing
}

// Member is a user in an organization.
type Member struct {
	OrganizationID string
	UserID         string
	Role           Role
	CreatedAt      time.Time
}

// Colleague is a member as the others see them.
type Colleague struct {
	Member
	Email       string
	DisplayName string
}

// Membership is an organization that a user belongs to.
type Membership struct {
	Organization
	Role Role
}

// CheckRole says what is wrong with a role.
func CheckRole(r Role) error { return checkRole(r) }

// CheckName says what is wrong with a name.
func CheckName(name string) error {
	_, err := checkName(name)
	return err
}

func checkName(name string) (string, error) {
	var c fault.Check
	name = text.Line(&c, "name", name, 1, 100)
	return name, c.Err()
}

func checkRole(r Role) error {
	var c fault.Check
	_, known := abilities[r]
	c.Require(known, "role", "must be OWNER, DEVELOPER or VIEWER")
	return c.Err()
}
