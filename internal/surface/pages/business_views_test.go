package pages

import "net/http/httptest"

func init() {
	for file, both := range map[string]func() (empty, full *httptest.ResponseRecorder){
		"business-home.html":     bothWays(homePage),
		"business-invoices.html": bothWays(invoicesPage),
		"business-invoice.html":  bothWays(invoicePage),
		"business-parties.html":  bothWays(partiesPage),
		"business-party.html":    bothWays(partyPage),
		"business-payments.html": bothWays(paymentsPage),
		"business-payment.html":  bothWays(paymentPage),
		"business-accounts.html": bothWays(accountsPage),
		"business-account.html":  bothWays(ledgerAccountPage),
		"business-journal.html":  bothWays(journalPage),
		"business-entry.html":    bothWays(entryPage),
		"business-reports.html":  bothWays(reportsPage),
		"business-report.html":   bothWays(reportPage),
		"business-members.html":  bothWays(membersPage),
		"business-member.html":   bothWays(memberPage),
		"business-settings.html": bothWays(settingsPage),
	} {
		everyPage[file] = both
	}
}
