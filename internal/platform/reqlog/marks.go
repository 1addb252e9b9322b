package reqlog

// The marks of a block tell for most searches that it has nothing for them, without reading its entries: a Bloom filter of what its
// calls have in the columns that filters look at. It is as long as it needs to be: of 100 blocks without a value, one may have it.
const (
	bitsPerMark  = 10
	bitsSet      = 4
	fewestMarks  = 8 // bytes
	mixingFactor = 0xff51afd7ed558ccd
)

// The columns.
const (
	routeMark byte = iota
	codeMark
	businessMark
	statusColumn
)

// mark is a hash of a column and what is there: FNV-1a, with its bits stirred once more.
func mark(column byte, word string) uint64 {
	h := begin(column)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * 1099511628211
	}
	return stir(h)
}

func statusMark(status int) uint64 {
	return stir((begin(statusColumn) ^ uint64(status)) * 1099511628211)
}

func begin(column byte) uint64 { return (14695981039346656037 ^ uint64(column)) * 1099511628211 }

func stir(h uint64) uint64 {
	h ^= h >> 33
	h *= mixingFactor
	return h ^ h>>33
}

// marks that calls leave which the filter keeps.
func (f Filter) marks() (list []uint64) {
	for column, word := range map[byte]string{routeMark: f.Route, codeMark: f.Code, businessMark: f.BusinessID} {
		if word != "" {
			list = append(list, mark(column, word))
		}
	}
	if f.Status != 0 {
		list = append(list, statusMark(f.Status))
	}
	return list
}

// newMarks makes the filter. Its length is a power of two.
func newMarks(set map[uint64]struct{}) []byte {
	length := fewestMarks
	for length*8 < bitsPerMark*len(set) {
		length *= 2
	}
	marks := make([]byte, length)
	for m := range set {
		for i := range uint64(bitsSet) {
			at, bit := position(marks, m, i)
			marks[at] |= bit
		}
	}
	return marks
}

// position of one of the bits of a mark.
func position(marks []byte, mark, i uint64) (at int, bit byte) {
	p := (mark + i*(mark>>32|1)) % uint64(len(marks)*8)
	return int(p / 8), 1 << (p % 8)
}

// mayHold reports whether calls of a block may have left all of these marks.
func mayHold(marks []byte, asked []uint64) bool {
	if len(marks) == 0 {
		return true
	}
	for _, m := range asked {
		for i := range uint64(bitsSet) {
			if at, bit := position(marks, m, i); marks[at]&bit == 0 {
				return false
			}
		}
	}
	return true
}
