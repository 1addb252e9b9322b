package business

import "time"

// Member is a user in a business.
type Member struct {
	BusinessID string
	UserID     string
	Role       Role
	CreatedAt  time.Time
}

// Membership is a business as one of its members sees it.
type Membership struct {
	Business
	Role Role
}
