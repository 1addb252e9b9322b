package party

import "daybook/internal/base/fault"

// ErrCurrency is refused besides what every record may refuse.
var ErrCurrency = fault.New(fault.Conflict, "RECORD_IN_USE", "Documents or payments of this {0} exist, so its currency stays {1}. Create another {0} for another currency.")
