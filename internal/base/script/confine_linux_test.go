//go:build linux && (amd64 || arm64)

package script

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// escapeCommand is the test binary as a child that got out of its engine.
const escapeCommand = "escape"

func init() {
	if len(os.Args) > 1 && os.Args[1] == escapeCommand {
		escape()
	}
}

// escape tries what native code would try first, after the process has confined itself.
func escape() {
	if err := confine(); err != nil {
		fmt.Println("confine:", err)
		os.Exit(1)
	}
	try := func(what string, err error) {
		if !errors.Is(err, syscall.EPERM) {
			fmt.Printf("%s: %v\n", what, err)
		}
	}
	_, err := os.ReadFile("/etc/passwd")
	try("reads a file", err)
	try("writes a file", os.WriteFile("x", nil, 0o600))
	_, err = os.ReadDir("/")
	try("lists a folder", err)
	_, err = net.Dial("tcp", "127.0.0.1:1")
	try("connects", err)
	_, err = net.Listen("tcp", "127.0.0.1:0")
	try("listens", err)
	try("starts a program", exec.Command("/proc/self/exe").Run())
	_, _, errno := syscall.RawSyscall(syscall.SYS_KILL, uintptr(os.Getppid()), 0, 0)
	if errno == 0 {
		fmt.Println("signals its parent")
	}
	fmt.Println("done")
	os.Exit(0)
}

// TestTheKernelHoldsWhatTheEngineDoesNot: even native code in the child has no files, no network and no processes.
func TestTheKernelHoldsWhatTheEngineDoesNot(t *testing.T) {
	cmd := exec.Command("/proc/self/exe", escapeCommand)
	cmd.Env, cmd.Dir = []string{}, t.TempDir()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if got := strings.TrimSpace(out.String()); got != "done" {
		t.Errorf("got through:\n%s", got)
	}
}
