package script

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
)

// maxFrame is the largest message between parent and child: the source of a function in JSON may take six times its size.
const maxFrame = 4 << 20

var errFrame = errors.New("a message is too large")

// toChild is what the parent says.
type toChild struct {
	Run    *order  `json:"run,omitempty"`
	Answer *answer `json:"answer,omitempty"`
}

// order is a run.
type order struct {
	Source string          `json:"source"`
	Input  json.RawMessage `json:"input"`
	Config json.RawMessage `json:"config"`
	Now    int64           `json:"now"`  // milliseconds since 1970
	Time   int64           `json:"time"` // how many milliseconds it may take
}

// answer is to one call: an Answer, or why there is none.
type answer struct {
	ID    int     `json:"id"`
	Given *Answer `json:"given,omitempty"`
	Error string  `json:"error,omitempty"`
}

// fromChild is what the child says.
type fromChild struct {
	Log  string    `json:"log,omitempty"`
	Cut  bool      `json:"cut,omitempty"`
	Call *question `json:"call,omitempty"`
	Done *ending   `json:"done,omitempty"`
}

type question struct {
	ID int `json:"id"`
	Call
}

// ending is how a run ended, as the child sees it.
type ending struct {
	Outcome Outcome         `json:"outcome"`
	Value   json.RawMessage `json:"value,omitempty"`
	Error   string          `json:"error,omitempty"`
}

// writeFrame writes a message behind its length, in one piece.
func writeFrame(w io.Writer, message any) error {
	var b bytes.Buffer
	b.Write(make([]byte, 4))
	text := json.NewEncoder(&b)
	text.SetEscapeHTML(false) // what scripts say stays as they said it
	if err := text.Encode(message); err != nil {
		return err
	}
	size := b.Len() - 4
	if size > maxFrame {
		return errFrame
	}
	binary.BigEndian.PutUint32(b.Bytes(), uint32(size))
	_, err := w.Write(b.Bytes())
	return err
}

func readFrame(r io.Reader, message any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > maxFrame {
		return errFrame
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(r, text); err != nil {
		return err
	}
	return json.Unmarshal(text, message)
}
