//go:build linux && (amd64 || arm64)

package script

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// allowed are the system calls that the Go runtime and the engine need once the program runs: memory, threads, signals, time, and
// reading and writing what is open. All others are answered EPERM. So there are no files, no sockets and no processes, even for
// code that got out of the engine.
var allowed = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_CLOSE, unix.SYS_FCNTL,
	unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_BRK,
	unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_MEMBARRIER,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK, unix.SYS_TGKILL, unix.SYS_RESTART_SYSCALL,
	unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2, unix.SYS_PIPE2, unix.SYS_PPOLL,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRUSAGE, unix.SYS_GETRANDOM, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
}

// Offsets into what a filter sees of a call (struct seccomp_data).
const (
	seesNumber = 0
	seesArch   = 4
	seesArg0   = 16 // its lower half, on a little-endian machine
)

// filterCalls puts the filter before every thread of the process, for good.
func filterCalls() error {
	p := program()
	fprog := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]}
	failed, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&fprog)))
	if errno != 0 {
		return fmt.Errorf("system call filter: %w", errno)
	}
	if failed != 0 {
		return fmt.Errorf("system call filter: thread %d did not take it", failed)
	}
	return nil
}

func program() []unix.SockFilter {
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	give := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	unless := func(k uint32, skip uint8) unix.SockFilter { // goes on if equal, skips otherwise
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: k, Jf: skip}
	}
	const refuse, lacks = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM), unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	p := []unix.SockFilter{
		load(seesArch), unless(arch, 1), {Code: unix.BPF_JMP | unix.BPF_JA, K: 1}, give(unix.SECCOMP_RET_KILL_PROCESS),
		load(seesNumber),
		// clone3 hides its flags from filters: whoever would use it falls back to clone, which may make threads only.
		unless(unix.SYS_CLONE3, 1), give(lacks),
		unless(unix.SYS_CLONE, 4), load(seesArg0),
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: unix.CLONE_THREAD, Jf: 1}, give(unix.SECCOMP_RET_ALLOW), give(refuse),
	}
	for _, call := range append(allowed, more...) {
		p = append(p, unless(call, 1), give(unix.SECCOMP_RET_ALLOW))
	}
	return append(p, give(refuse))
}
