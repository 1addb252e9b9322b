package consoleapi

import "slices"

// Routes is the table of the console: everything that can be called there, and by whom. Each resource keeps its rows beside its
// documents.
func (a *API) Routes() []Route {
	return slices.Concat(
		a.organizationRoutes(), a.memberRoutes(), a.appRoutes(), a.secretRoutes(), a.webhookRoutes(), a.deliveryRoutes(), a.fieldRoutes(), a.extensionRoutes(), a.connectionRoutes(), a.analyticsRoutes(), a.versionRoutes(), a.logRoutes(),
		a.sandboxRoutes(), a.functionRoutes(), a.runRoutes(), a.listingRoutes(), a.assetRoutes(),
	)
}
