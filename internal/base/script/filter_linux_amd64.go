package script

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_X86_64

// more that only this processor has.
var more = []uint32{unix.SYS_ARCH_PRCTL, unix.SYS_EPOLL_WAIT, unix.SYS_POLL}
