package script

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// roomBeside is how much address space the child may still take beside what the Go runtime has reserved by then: the engine's, its
// copies of texts on the way in and out, and some.
const roomBeside = MaxMemory + 192<<20 + shadow

// confine gives up everything that a run does not need. What is given up does not come back.
func confine() error {
	if err := lastInLine(); err != nil {
		return err
	}
	space, err := addressSpace()
	if err != nil {
		return err
	}
	for what, most := range map[int]uint64{
		unix.RLIMIT_AS: space + roomBeside, unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: 0, unix.RLIMIT_NOFILE: 16, unix.RLIMIT_MEMLOCK: 0,
	} {
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("limit %d: %w", what, err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	return filterCalls()
}

// lastInLine has every thread of the process wait for a processor until nobody else wants it; threads to come inherit it.
func lastInLine() error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, t := range threads {
		tid, err := strconv.Atoi(t.Name())
		if err != nil {
			return err
		}
		if err := unix.Setpriority(unix.PRIO_PROCESS, tid, 19); err != nil && !errors.Is(err, unix.ESRCH) {
			return err
		}
	}
	return nil
}

// addressSpace is how much the process has reserved, in bytes.
func addressSpace() (uint64, error) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	pages, _, _ := strings.Cut(string(text), " ")
	n, err := strconv.ParseUint(pages, 10, 64)
	return n * uint64(os.Getpagesize()), err
}

// peakMemory is the most that the process ever had in memory, in bytes.
func peakMemory() uint64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return uint64(u.Maxrss) << 10
}
