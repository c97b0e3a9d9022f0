// Reference serves the plant store of package reference.
//
//	reference --token-file tokens.txt --store plants.db
//
// When it is ready, it prints its address on standard error. The access log goes to standard
// output. SIGINT and SIGTERM end it after all requests in flight have their responses. A second
// signal ends it at once.
//
// With --deviation or --variation it breaks the contract in one way, or uses a freedom, to test a
// client or a test suite. --list names them all:
//
//	reference --token-file tokens.txt --deviation null-for-no-tag
//	reference --list --json
//
// Exit codes: 0 after SIGINT or SIGTERM, 2 if it could not start (one sentence on standard error
// says why and what to do), 1 if something failed while it served.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // from then on a signal has its usual effect
	os.Exit(run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// run is main with its inputs and outputs as parameters. It returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	err := newCommand(stdin, stdout, stderr).Run(ctx, args)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(stderr, "reference:", err)
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	return exitFailure
}

// usageError is a mistake in how the program was started. Its text names the fault and the fix.
type usageError string

func (e usageError) Error() string { return string(e) }

func usageErrorf(format string, args ...any) error {
	return usageError(fmt.Sprintf(format, args...))
}
