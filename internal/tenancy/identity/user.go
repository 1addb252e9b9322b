package identity

import (
	"net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/base/text"
)

// Status of a user.
type Status string

// The statuses.
const (
	Active    Status = "ACTIVE"
	Suspended Status = "SUSPENDED"
)

// User is a person with an account.
type User struct {
	ID          string
	Email       string
	DisplayName string
	Locale      string // BCP 47
	Operator    bool
	// SuspendedAt is set while an operator has suspended the user.
	SuspendedAt *time.Time
	// RestrictedAt is set while the user's data may be kept but not processed.
	RestrictedAt *time.Time
	Version      int
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Status is SUSPENDED while suspended.
func (u User) Status() Status {
	if u.SuspendedAt != nil {
		return Suspended
	}
	return Active
}

// MayAct reports whether apps may act in the user's name (INST-04).
func (u User) MayAct() bool { return u.SuspendedAt == nil && u.RestrictedAt == nil }

// NewUser is what it takes to create one.
type NewUser struct {
	Email       string
	DisplayName string
	Locale      string // en by default
	Password    secret.Secret
	Operator    bool
}

const defaultLocale = "en"

// Check says what is wrong with the members, before anything is opened or hashed for them.
func (n NewUser) Check() error {
	_, err := n.check()
	return err
}

// check cleans the members and names everything that is wrong with them.
func (n NewUser) check() (NewUser, error) {
	var c fault.Check
	n.Email = checkEmail(&c, n.Email)
	if n.DisplayName == "" {
		n.DisplayName, _, _ = strings.Cut(n.Email, "@")
	} else {
		n.DisplayName = text.Line(&c, "displayName", n.DisplayName, 1, 200)
	}
	n.Locale = text.Line(&c, "locale", n.Locale, 0, 35)
	if n.Locale == "" {
		n.Locale = defaultLocale
	}
	c.Require(!n.Password.Empty(), "password", "must not be empty")
	return n, c.Err()
}

func checkEmail(c *fault.Check, email string) string {
	email = text.Line(c, "email", email, 1, 254)
	address, err := mail.ParseAddress(email)
	if email != "" && (err != nil || address.Address != email) {
		c.Add("email", "must be an e-mail address such as ada@example.com")
	}
	return email
}

// EmailKey is what makes two addresses the same account.
func EmailKey(email string) string { return strings.ToLower(text.Clean(email)) }

const (
	minPassword = 10
	// maxPassword keeps a sign-in from hashing megabytes.
	maxPassword = 200
)

// CheckPassword judges a password that a person chooses. Length is what helps (NIST SP 800-63B, 5.1.1.2): no rules
// about digits and signs.
func CheckPassword(c *fault.Check, path string, password secret.Secret) {
	n := utf8.RuneCountInString(password.Reveal())
	c.Require(n >= minPassword, path, "must have at least %d characters", minPassword)
	c.Require(n <= maxPassword, path, "must have at most %d characters", maxPassword)
}
