package boot

import (
	"context"

	"daybook/internal/base/db"
	"daybook/internal/books/sandbox"
	"daybook/internal/boot/demobooks"
	"daybook/internal/tenancy/business"
)

// WriteDemoBooks fills the empty books of a business with a year of believable activity.
func (h *House) WriteDemoBooks(ctx context.Context, tx *db.Tx, w demobooks.Whose) error {
	return demobooks.Write(ctx, tx, demobooks.Books{Ledger: h.Ledger, Parties: h.Parties, Invoices: h.Invoices, Payments: h.Payments}, w)
}

// makeSandboxes adds what developers do with their sandboxes; all features of the books are there by then.
func (h *House) makeSandboxes() {
	h.Sandboxes = &sandbox.Service{
		DB: h.DB, IDs: h.IDs, Identity: h.Identity, Businesses: h.Businesses, Apps: h.Apps, Installations: h.Installations, AppData: h.AppData,
		Ledger: h.Ledger, Taxes: h.Taxes, Parties: h.Parties, Invoices: h.Invoices, Payments: h.Payments, Demo: demo{h}, Trail: h.Audit,
	}
}

// demo writes the books of sandboxes with the seed DEMO.
type demo struct{ h *House }

// WriteDemo implements sandbox.Demo.
func (d demo) WriteDemo(ctx context.Context, tx *db.Tx, b business.Business, ownerID string) error {
	return d.h.WriteDemoBooks(ctx, tx, demobooks.Whose{BusinessID: b.ID, Name: b.Name, OwnerID: ownerID})
}
