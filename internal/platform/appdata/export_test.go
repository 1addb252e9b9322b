package appdata

import "encoding/json"

// Check makes a field of what was sent, without a store.
func (n NewField) Check() (Field, error) { return n.check() }

// With is the field after a patch.
func (f Field) With(p FieldPatch) (Field, error) { return f.with(p) }

// Judge reads a value.
func (f Field) Judge(value json.RawMessage) (json.RawMessage, []Reason) { return f.judge(value) }

// Stored is the field as it comes back from the store.
func (f Field) Stored() (Field, error) {
	var err error
	f.Rules, err = sent(f.Rules).stored(f.Type)
	return f, err
}
