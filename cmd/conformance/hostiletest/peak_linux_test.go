//go:build long

package hostiletest

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// peak returns the maximum memory of a process, in bytes.
func peak(ended *os.ProcessState) int64 {
	return ended.SysUsage().(*syscall.Rusage).Maxrss << 10
}

// dieTogether ends the command when this process ends.
func dieTogether(c *exec.Cmd) {
	runtime.LockOSThread() // the signal is sent when the thread ends
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
