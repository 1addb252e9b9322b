package reqlog

// What tests may know.
const (
	Room      = room
	EndedRoom = endedRoom
	Strides   = strides
)

// SetStride changes how far one search goes, and gives what puts it back.
func SetStride(n int) (reset func()) {
	was := stride
	stride = n
	return func() { stride = was }
}
