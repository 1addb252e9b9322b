package script

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_AARCH64

// more that only this processor has.
var more []uint32
