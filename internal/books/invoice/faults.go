package invoice

import "daybook/internal/base/fault"

// What invoice refuses, besides what every record may.
var (
	ErrNumber       = fault.New(fault.Conflict, "DUPLICATE_NUMBER", "Another invoice already has the number {0}. Choose another, or leave it out and get the next of the series.")
	ErrRate         = fault.New(fault.Invalid, "EXCHANGE_RATE_REQUIRED", "An invoice in {0} needs an exchangeRate: how many {1} one {0} is worth.")
	ErrTotal        = fault.New(fault.Invalid, "TOTAL_MISMATCH", "expectedTotal is {0}, but the computed total is {1}.")
	ErrMail         = fault.New(fault.Invalid, "MAIL_NOT_CONFIGURED", "This service has no mail relay, so it cannot send invoices by EMAIL. Send it yourself and use the channel EXTERNAL.")
	ErrPlanInvoices = fault.New(fault.Forbidden, "PLAN_INVOICE_LIMIT_REACHED", "Plan {0} allows {1} invoices a year, and all of them are used. Change the plan, or wait for the next year.")
	ErrPlanTurnover = fault.New(fault.Forbidden, "PLAN_TURNOVER_LIMIT_REACHED", "Plan {0} allows a turnover of {1} minor units of {2} a year, and it is reached. Change the plan, or wait for the next year.")
)
