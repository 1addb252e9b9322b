package rules

// Finished are the areas of the contract in which every rule must be named by a test. An area is the word before
// the number of a rule id. Each piece of work switches its areas on as they land; none is ever switched off.
var Finished = []string{
	"SERR",
	"META", "AUTHZ", "TOK", "CODE", "REF", "DEVC", "EXCH", "REVO", "INTR", "REGI", "CIMD", "CLNT", "LOCK", "OERR", "OLIM", "INST",
	"CALL", "INVO", "BUSI", "RATE", "EVTS", "ADAT",
	"HOOK", "SIGN", "DLIV", "REDL", "TDEL", "VERS",
	"CONS",
}
