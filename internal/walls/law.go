// Package walls keeps the floors of the house apart. It holds no product code: its test reads the imports of every
// package and fails where one looks up, looks sideways without leave, or reaches for the network, the clock or
// chance where it has no business to.
//
// The law is the tables of this file. docs/architecture.md draws the same: change both together.
package walls

// module is the first word of our own import paths.
const module = "daybook"

// floors, from the top. A package imports what lies on lower floors, and siblings only by the table below.
var floors = []string{
	"cmd",
	"internal/boot",
	"internal/schema", // the history of the tables: boot opens the store with it, no feature needs it
	"internal/surface",
	"internal/books",
	"internal/platform",
	"internal/tenancy",
	"internal/base",
}

// siblings says which packages of a floor may import which others of the same floor; "base/*" is every package of
// base. The drawing in docs/architecture.md shows the same arrows.
var siblings = map[string][]string{
	"boot/*":               {"boot/*"},
	"surface/*":            {"surface/wire"},
	"platform/oauth":       {"platform/install", "platform/app", "platform/scope"},
	"platform/install":     {"platform/app", "platform/scope"},
	"platform/app":         {"platform/scope", "platform/apiversion"},
	"platform/webhook":     {"platform/event", "platform/app", "platform/scope", "platform/apiversion"},
	"platform/tally":       {"platform/webhook", "platform/app"},
	"platform/function":    {"platform/webhook", "platform/event", "platform/app"},
	"platform/appdata":     {"platform/event", "platform/app", "platform/install", "platform/scope"},
	"platform/extension":   {"platform/appdata", "platform/app", "platform/install", "platform/scope"},
	"platform/event":       {"platform/scope", "platform/apiversion"},
	"platform/reqlog":      {"platform/app"},
	"platform/asset":       {"platform/app"},
	"platform/listing":     {"platform/asset", "platform/webhook", "platform/event", "platform/app", "platform/scope", "platform/apiversion"},
	"platform/apiversion":  {},
	"books/record":         {},
	"books/*":              {"books/record", "books/ledger"},
	"books/party":          {"books/tax"},
	"books/invoice":        {"books/party", "books/tax"},
	"books/payment":        {"books/invoice", "books/party"},
	"books/report":         {"books/invoice"},
	"books/bulk":           {"books/payment", "books/invoice", "books/party"},
	"books/sandbox":        {"books/payment", "books/invoice", "books/party", "books/tax"},
	"tenancy/business":     {"tenancy/identity", "tenancy/organization"},
	"tenancy/organization": {"tenancy/identity"},
	"base/*":               {"base/clock", "base/fault"},
	"base/trail":           {"base/db"},
}

// support is code that exists only for tests, with everything below each folder. It may import whatever lies below
// boot, may use the network, the clock and chance, and no product code imports it.
var support = []string{
	"test",
	"internal/walls",
	"internal/schema/dbtest",
}

// assemble are the parts of support that put a whole node together, and so may import boot.
var assemble = []string{"test/bench"}

// speakHTTP are the places that may import net/http: those that serve, the one door to the outside, and what partners
// receive our webhooks with, and the examples of what they write.
var speakHTTP = []string{"cmd", "internal/boot", "internal/surface", "internal/base/outbound", "pkg/webhook", "examples"}

// storage is what a surface never sees: features know no HTTP, surfaces know no SQL.
const storage = "internal/base/db"

// machineTime are the functions of package time that ask the machine, instead of the clock that came in through
// the door.
var machineTime = map[string]bool{
	"Now": true, "Since": true, "Until": true,
	"Sleep": true, "After": true, "AfterFunc": true, "NewTimer": true, "NewTicker": true, "Tick": true,
}

// useMachineTime are the folders and files that may call them, each with its reason. Never for a rule of the
// product: those must hold on a clock that tests and development mode turn by hand.
var useMachineTime = []string{
	"internal/base/clock",          // the door itself
	"internal/base/outbound/do.go", // how long a peer may take to send its answer
	"internal/base/db/postgres.go", // the pause before a transaction is tried again
	"internal/base/db/writer.go",   // how long a group of writes may hold the writer
	"examples",                     // programs of partners, on machines of theirs
}

// useChance are the files that may import math/rand, each with its reason. Ids and secrets come from crypto/rand.
var useChance = []string{
	"internal/base/db/postgres.go", // spreads the retries of transactions that collided
}
