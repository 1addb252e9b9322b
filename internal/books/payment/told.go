package payment

import "daybook/internal/platform/event"

// told is what events tell of a payment, with what the one event adds.
func (p *Payment) told(more event.Data) event.Data {
	allocations := make([]event.Data, len(p.Allocations))
	for i, a := range p.Allocations {
		allocations[i] = event.Data{"allocationId": a.ID, "invoiceId": a.InvoiceID, "amount": a.Amount}
	}
	data := event.Data{
		"paymentId": p.ID, "kind": p.Kind, "date": p.Date, "amount": p.Amount, "currency": p.Currency, "customerId": p.CustomerID, "supplierId": p.SupplierID,
		"bankAccountId": p.BankAccountID, "allocatedAmount": p.Allocated, "unallocatedAmount": p.Unallocated, "allocations": allocations, "version": p.Version,
	}
	for name, value := range more {
		data[name] = value
	}
	return data
}

func allocationTold(a Allocation) event.Data {
	return event.Data{"allocationId": a.ID, "invoiceId": a.InvoiceID, "allocationAmount": a.Amount}
}
