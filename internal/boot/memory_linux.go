package boot

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
)

// forgetCode takes the program's code out of what this process is said to hold: most of it was needed to start, and is never run again.
// Whatever is comes back from the file that it lies in, or from the system's copy of that, when it is next run. Only code goes: other
// parts of the file may have been changed where they lie.
func forgetCode() {
	program, err := os.Executable()
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for line := range bytes.Lines(maps) {
		var from, to uintptr
		var mode, offset, device, inode, path string
		if n, _ := fmt.Sscanf(string(line), "%x-%x %s %s %s %s %s", &from, &to, &mode, &offset, &device, &inode, &path); n == 7 && mode == "r-xp" && path == program {
			// Advice that is not taken costs memory, and nothing else.
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED)
		}
	}
}
