package invoice

import (
	"time"

	"daybook/internal/platform/event"
)

// told is what events tell of an invoice, with what the one event adds.
func (i *Invoice) told(more event.Data) event.Data {
	data := event.Data{
		"invoiceId": i.ID, "number": i.numberOrNil(), "status": i.Status, "customerId": i.CustomerID, "currency": i.Currency, "total": i.Total,
		"amountPaid": i.AmountPaid, "amountDue": i.AmountDue, "issueDate": i.IssueDate, "dueDate": i.DueDate, "version": i.Version,
	}
	for name, value := range more {
		data[name] = value
	}
	return data
}

// instant as payloads write it.
func instant(at *time.Time) any {
	if at == nil {
		return nil
	}
	return at.UTC().Format("2006-01-02T15:04:05.000Z")
}
