package text

import "encoding/json"

// AppendJSON appends a text as json.Marshal writes it, byte for byte. Texts are mostly plain, and then it is a copy.
func AppendJSON(out []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(s) // a text always encodes
			return append(out, quoted...)
		}
	}
	return append(append(append(out, '"'), s...), '"')
}

// AppendJSONOr is AppendJSON for a text that may be absent.
func AppendJSONOr(out []byte, s *string) []byte {
	if s == nil {
		return append(out, "null"...)
	}
	return AppendJSON(out, *s)
}
