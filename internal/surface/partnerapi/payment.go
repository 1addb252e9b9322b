package partnerapi

import (
	"context"
	"net/http"

	"daybook/internal/books/payment"
	"daybook/internal/books/record"
	"daybook/internal/platform/apiversion"
	"daybook/internal/platform/idem"
	"daybook/internal/platform/scope"
	"daybook/internal/tenancy/business"
)

type paymentDoc struct {
	ID                string          `json:"id"`
	ExternalID        *string         `json:"externalId"`
	Kind              string          `json:"kind" enum:"RECEIPT,DISBURSEMENT,REFUND"`
	Status            string          `json:"status" enum:"POSTED"`
	Date              string          `json:"date"`
	Amount            amount          `json:"amount"`
	Currency          string          `json:"currency"`
	ExchangeRate      *decimal        `json:"exchangeRate"`
	Method            string          `json:"method" enum:"BANK_TRANSFER,CARD,CASH,CHECK,DIRECT_DEBIT,OTHER"`
	BankAccountID     string          `json:"bankAccountId"`
	CustomerID        *string         `json:"customerId"`
	SupplierID        *string         `json:"supplierId"`
	Allocations       []allocationDoc `json:"allocations" nullable:"false"`
	Reference         *string         `json:"reference"`
	Memo              *string         `json:"memo"`
	AllocatedAmount   amount          `json:"allocatedAmount"`
	UnallocatedAmount amount          `json:"unallocatedAmount"`
	RefundedAmount    amount          `json:"refundedAmount"`
	RefundOfPaymentID *string         `json:"refundOfPaymentId"`
	Version           int             `json:"version"`
	CreatedAt         string          `json:"createdAt"`
	UpdatedAt         string          `json:"updatedAt"`
}

func (d paymentDoc) revision() int { return d.Version }

type allocationDoc struct {
	ID        string `json:"id"`
	InvoiceID string `json:"invoiceId"`
	Amount    amount `json:"amount"`
	Date      string `json:"date"`
	CreatedAt string `json:"createdAt"`
}

func newPaymentDoc(p payment.Payment) paymentDoc {
	return paymentDoc{
		ID: p.ID, ExternalID: p.ExternalID, Kind: string(p.Kind), Status: payment.Status, Date: p.Date, Amount: p.Amount, Currency: p.Currency,
		ExchangeRate: p.ExchangeRate, Method: string(p.Method), BankAccountID: p.BankAccountID, CustomerID: p.CustomerID, SupplierID: p.SupplierID,
		Allocations: each(p.Allocations, newAllocationDoc), Reference: p.Reference, Memo: p.Memo, AllocatedAmount: p.Allocated,
		UnallocatedAmount: p.Unallocated, RefundedAmount: p.Refunded, RefundOfPaymentID: p.RefundOf, Version: p.Version,
		CreatedAt: instant(p.CreatedAt), UpdatedAt: instant(p.UpdatedAt),
	}
}

func newAllocationDoc(a payment.Allocation) allocationDoc {
	return allocationDoc{a.ID, a.InvoiceID, a.Amount, a.Date, instant(a.CreatedAt)}
}

type newPayment struct {
	Kind          payment.Kind    `json:"kind" enum:"RECEIPT,DISBURSEMENT"`
	Date          string          `json:"date"`
	Amount        amount          `json:"amount" minimum:"1"`
	Currency      *string         `json:"currency,omitempty" doc:"By default the bank account's"`
	ExchangeRate  *string         `json:"exchangeRate,omitempty" doc:"Base currency per unit, a decimal string"`
	Method        *payment.Method `json:"method,omitempty" enum:"BANK_TRANSFER,CARD,CASH,CHECK,DIRECT_DEBIT,OTHER"`
	BankAccountID string          `json:"bankAccountId"`
	CustomerID    *string         `json:"customerId,omitempty" doc:"Of a RECEIPT"`
	SupplierID    *string         `json:"supplierId,omitempty" doc:"Of a DISBURSEMENT"`
	Allocations   []newAllocation `json:"allocations,omitempty" maxItems:"100"`
	Reference     *string         `json:"reference,omitempty" maxLength:"100"`
	Memo          *string         `json:"memo,omitempty" maxLength:"500"`
	ExternalID    *string         `json:"externalId,omitempty" maxLength:"100"`
}

func (b newPayment) made() payment.New {
	return payment.New{
		Kind: b.Kind, Date: b.Date, Amount: b.Amount, Currency: b.Currency, ExchangeRate: b.ExchangeRate, Method: b.Method, BankAccountID: b.BankAccountID,
		CustomerID: b.CustomerID, SupplierID: b.SupplierID, Allocations: wanted(b.Allocations), Reference: b.Reference, Memo: b.Memo, ExternalID: b.ExternalID,
	}
}

type newAllocation struct {
	InvoiceID string  `json:"invoiceId"`
	Amount    *amount `json:"amount,omitempty" minimum:"1" doc:"By default the smaller of what is left and what is due"`
}

func wanted(list []newAllocation) []payment.Wanted {
	return each(list, func(w newAllocation) payment.Wanted { return payment.Wanted(w) })
}

type allocatingBody struct {
	Allocations []newAllocation `json:"allocations" nullable:"false" minItems:"1" maxItems:"100"`
	Date        *string         `json:"date,omitempty" doc:"By default today"`
}

type paymentPatch struct {
	Reference  record.Patch[string]         `json:"reference,omitempty" maxLength:"100"`
	Memo       record.Patch[string]         `json:"memo,omitempty" maxLength:"500"`
	Method     record.Patch[payment.Method] `json:"method,omitempty"`
	ExternalID record.Patch[string]         `json:"externalId,omitempty" maxLength:"100"`
}

// refundBody has the members of payment.Refunding, in its order.
type refundBody struct {
	Amount        amount          `json:"amount" minimum:"1" doc:"At most what is unallocated"`
	Date          string          `json:"date"`
	BankAccountID *string         `json:"bankAccountId,omitempty" doc:"By default the payment's"`
	Method        *payment.Method `json:"method,omitempty" enum:"BANK_TRANSFER,CARD,CASH,CHECK,DIRECT_DEBIT,OTHER"`
	ExchangeRate  *string         `json:"exchangeRate,omitempty"`
	Reference     *string         `json:"reference,omitempty" maxLength:"100"`
	Memo          *string         `json:"memo,omitempty" maxLength:"500"`
	ExternalID    *string         `json:"externalId,omitempty" maxLength:"100"`
}

func (a *API) paymentRoutes() []Route {
	read, write := []scope.Scope{scope.PaymentsRead}, []scope.Scope{scope.PaymentsWrite}
	const view, recording = business.PaymentsView, business.PaymentsRecord
	const kind = apiversion.Payment
	type step = idem.Step[payment.Payment]
	return []Route{
		{Method: "GET", Path: "/payments", Scopes: read, Permission: view, Resource: kind, Partner: true, Summary: "List payments",
			verb: page(&payment.Listing, func(ctx context.Context, c *call, params map[string][]string) (record.Page[payment.Payment], error) {
				return a.Payments.List(ctx, c.by, params)
			}, newPaymentDoc)},
		{Method: "POST", Path: "/payments", Scopes: write, Permission: recording, Resource: kind, Request: kind, Partner: true, Summary: "Record a payment, and allocate it",
			verb: change(http.StatusCreated, func(c *call, b newPayment) (step, error) { return a.Payments.Create(c.by, b.made()), nil }, newPaymentDoc)},
		{Method: "GET", Path: "/payments/{id}", Scopes: read, Permission: view, Resource: kind, Partner: true, Summary: "Get a payment",
			verb: show(func(ctx context.Context, c *call) (paymentDoc, error) {
				p, err := a.Payments.Get(ctx, c.by, c.id())
				return newPaymentDoc(p), err
			})},
		{Method: "PATCH", Path: "/payments/{id}", Scopes: write, Permission: recording, Resource: kind, Partner: true, Summary: "Change what no posting depends on",
			verb: change(http.StatusOK, func(c *call, b paymentPatch) (step, error) {
				return a.Payments.Update(c.by, c.id(), payment.Change(b), c.seen), nil
			}, newPaymentDoc)},
		{Method: "DELETE", Path: "/payments/{id}", Scopes: write, Permission: business.PaymentsDelete, Partner: true, Summary: "Delete a payment, reversing its postings",
			Params: []Param{{"reversalDate", "The day of the reversals; by default the payment's."}}, verb: remove(a.deletePayment)},
		{Method: "POST", Path: "/payments/{id}/allocations", Scopes: write, Permission: recording, Resource: kind, Request: kind, Partner: true,
			Summary: "Apply what is left of a payment to invoices",
			verb: change(http.StatusOK, func(c *call, b allocatingBody) (step, error) {
				return a.Payments.Allocate(c.by, c.id(), payment.Allocating{Allocations: wanted(b.Allocations), Date: b.Date}, c.seen), nil
			}, newPaymentDoc)},
		{Method: "DELETE", Path: "/payments/{id}/allocations/{allocationId}", Scopes: write, Permission: recording, Resource: kind, Partner: true,
			Summary: "Remove an allocation; the payment is answered",
			verb: act(http.StatusOK, func(c *call, _ nothing) (step, error) {
				return a.Payments.Unallocate(c.by, c.id(), c.request.PathValue("allocationId"), c.seen), nil
			}, newPaymentDoc)},
		{Method: "POST", Path: "/payments/{id}/refund", Scopes: write, Permission: business.PaymentsRefund, Resource: kind, Partner: true,
			Summary: "Give unallocated money back; the refund is answered",
			verb: change(http.StatusCreated, func(c *call, b refundBody) (step, error) {
				return a.Payments.Refund(c.by, c.id(), payment.Refunding(b), c.seen), nil
			}, newPaymentDoc)},
	}
}

func (a *API) deletePayment(c *call) idem.Step[struct{}] {
	var date *string
	if given := c.request.URL.Query()["reversalDate"]; len(given) > 0 {
		date = &given[0]
	}
	return a.Payments.Delete(c.by, c.id(), date, c.seen)
}
