package business

import (
	"slices"

	"daybook/internal/base/fault"
)

// Role of a member.
type Role string

// The roles.
const (
	Owner      Role = "OWNER"
	Admin      Role = "ADMIN"
	Accountant Role = "ACCOUNTANT"
	Staff      Role = "STAFF"
	Viewer     Role = "VIEWER"
)

// Roles is every role, the most powerful first.
var Roles = []Role{Owner, Admin, Accountant, Staff, Viewer}

// Permission is one thing a member may do in a business.
type Permission string

// The permissions.
const (
	InvoicesView    Permission = "invoices.view"
	InvoicesManage  Permission = "invoices.manage"
	InvoicesVoid    Permission = "invoices.void"
	CustomersView   Permission = "customers.view"
	CustomersManage Permission = "customers.manage"
	SuppliersView   Permission = "suppliers.view"
	SuppliersManage Permission = "suppliers.manage"
	PaymentsView    Permission = "payments.view"
	PaymentsRecord  Permission = "payments.record"
	PaymentsRefund  Permission = "payments.refund"
	PaymentsDelete  Permission = "payments.delete"
	AccountsView    Permission = "accounts.view"
	AccountsManage  Permission = "accounts.manage"
	JournalView     Permission = "journal.view"
	JournalPost     Permission = "journal.post"
	TaxesView       Permission = "taxes.view"
	TaxesManage     Permission = "taxes.manage"
	ReportsView     Permission = "reports.view"
	BooksLock       Permission = "books.lock"
	PrivacyRedact   Permission = "privacy.redact"
	AppsConnect     Permission = "apps.connect" // consent to an app, approve a device
	AppsManage      Permission = "apps.manage"  // uninstall, revoke access
	MembersManage   Permission = "members.manage"
	SettingsManage  Permission = "settings.manage"
	PlanManage      Permission = "plan.manage"
)

var (
	everyone    = []Role{Owner, Admin, Accountant, Staff, Viewer}
	workers     = []Role{Owner, Admin, Accountant, Staff}
	accountants = []Role{Owner, Admin, Accountant}
	admins      = []Role{Owner, Admin}
	readers     = []Role{Owner, Admin, Accountant, Viewer}
)

// defaults says which roles hold each permission unless the business overrides it.
var defaults = map[Permission][]Role{
	InvoicesView: everyone, InvoicesManage: workers, InvoicesVoid: accountants,
	CustomersView: everyone, CustomersManage: workers,
	SuppliersView: everyone, SuppliersManage: accountants,
	PaymentsView: everyone, PaymentsRecord: workers, PaymentsRefund: accountants, PaymentsDelete: admins,
	AccountsView: everyone, AccountsManage: admins,
	JournalView: readers, JournalPost: admins,
	TaxesView: everyone, TaxesManage: admins,
	ReportsView: readers,
	BooksLock:   admins, PrivacyRedact: admins,
	AppsConnect: workers, AppsManage: admins,
	MembersManage: admins, SettingsManage: admins, PlanManage: {Owner},
}

// Permissions is every permission, sorted.
var Permissions = func() []Permission {
	var list []Permission
	for p := range defaults {
		list = append(list, p)
	}
	slices.Sort(list)
	return list
}()

// Effect of an override.
type Effect string

// The effects.
const (
	Grant Effect = "GRANT"
	Deny  Effect = "DENY"
)

// Access is what a member may do in a business, at one moment.
type Access struct {
	Role        Role
	Permissions []Permission // sorted
}

// May reports whether the permission is held.
func (a Access) May(p Permission) bool { return slices.Contains(a.Permissions, p) }

// effective works out a member's permissions: member override, else role override, else default; an OWNER has all.
func effective(role Role, roleOverrides, memberOverrides map[Permission]Effect) Access {
	a := Access{Role: role, Permissions: []Permission{}}
	for _, p := range Permissions {
		held := slices.Contains(defaults[p], role)
		if e, ok := roleOverrides[p]; ok {
			held = e == Grant
		}
		if e, ok := memberOverrides[p]; ok {
			held = e == Grant
		}
		if held || role == Owner {
			a.Permissions = append(a.Permissions, p)
		}
	}
	return a
}

// CheckRole says whether there is such a role.
func CheckRole(c *fault.Check, r Role) {
	c.Require(slices.Contains(Roles, r), "role", "must be OWNER, ADMIN, ACCOUNTANT, STAFF or VIEWER")
}

func checkOverride(c *fault.Check, p Permission, e *Effect) {
	_, known := defaults[p]
	c.Require(known, "permission", "must be a permission such as journal.post")
	c.Require(e == nil || *e == Grant || *e == Deny, "effect", "must be GRANT, DENY or null")
}
