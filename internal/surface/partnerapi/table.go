package partnerapi

import "slices"

// Routes is the table: everything that can be called here, and by whom. Each resource keeps its rows beside its documents.
func (a *API) Routes() []Route {
	return slices.Concat(
		a.versionRoutes(), a.meRoutes(), a.businessRoutes(), a.memberRoutes(), a.invoiceRoutes(), a.customerRoutes(), a.supplierRoutes(),
		a.paymentRoutes(), a.accountRoutes(), a.journalRoutes(), a.taxRoutes(), a.reportRoutes(), a.importRoutes(), a.printRoutes(),
		a.eventRoutes(), a.appDataRoutes(),
	)
}
