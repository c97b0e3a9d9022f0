// Reference serves the plant store of package reference.
//
//	reference --token-file tokens.txt --store plants.db
//
// When it is ready it says so in one line on standard error, with the address
// it listens on; the access log goes to standard output. SIGINT and SIGTERM end
// it once the requests in flight have their answers; a second one ends it at
// once.
//
// With --deviation or --variation it serves the plant store with a fault, or
// with a freedom used, to see what a client or a test suite makes of it; --list
// names them all:
//
//	reference --token-file tokens.txt --deviation null-for-no-tag
//	reference --list --json
//
// It exits with 0 after such an end, with 2 when it could not start as it was
// told to (one sentence on standard error says why and what to do), and with 1
// when something failed while it served.
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

// run is main with everything it touches handed in. It returns the exit code.
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

// usageError is a mistake in how the program was started: a sentence that
// names the thing at fault and the way out.
type usageError string

func (e usageError) Error() string { return string(e) }

func usageErrorf(format string, args ...any) error {
	return usageError(fmt.Sprintf(format, args...))
}
