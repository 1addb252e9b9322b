package fault

import "fmt"

// Check collects what is wrong with a request, so that one answer names every offending member.
type Check struct{ fields []string }

// Add notes an offence. path is the member's path (`lines.0.quantity`), the rest says what it must be.
func (c *Check) Add(path, format string, args ...any) {
	c.fields = append(c.fields, path+" "+fmt.Sprintf(format, args...))
}

// Require notes an offence unless ok holds.
func (c *Check) Require(ok bool, path, format string, args ...any) {
	if !ok {
		c.Add(path, format, args...)
	}
}

// Err is nil when nothing was wrong, else one validation failure that names everything.
func (c *Check) Err() error {
	if len(c.fields) == 0 {
		return nil
	}
	return InvalidFields(c.fields...)
}
