// Command conformance tests whether a service conforms to its OpenAPI contract.
//
//	conformance run --base-url https://store.example --token-file token
//
// It sends the fixtures' requests to the service, judges each response and says
// conformant, nonconformant or inconclusive, with the evidence. `conformance
// --help` lists its commands.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
)

func main() {
	// net/http logs what it thinks of a target's HTTP/2 by itself.
	log.SetOutput(io.Discard)
	var floor []byte
	if os.Getenv("GOGC") == "" {
		// A body of 1 MiB may hold 500,000 values, which take twenty times
		// that: what is left of them must not double it. Lists are made of the
		// contract alone, and a large one is listed a quarter faster.
		const judging, listing = 50, 120 // percent
		percent := judging
		if len(os.Args) > 1 && os.Args[1] == "list" {
			percent = listing
		}
		debug.SetGCPercent(percent)
		// A small run would collect garbage twenty times before its heap is larger than
		// this, which takes no memory, because nothing is written to it.
		floor = make([]byte, 8<<20)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		// The first ends the run in good order, the second at once. It is not
		// left to its usual effect, because the second must give a known exit code.
		<-signals
		interrupt()
		<-signals
		os.Exit(exitInconclusive)
	}()
	code := guarded(ctx, os.Args, output.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	runtime.KeepAlive(floor)
	os.Exit(code)
}

// guarded is execute, but a panic does not exit with 2, which says that nothing was sent.
func guarded(ctx context.Context, args []string, streams output.Streams) (code int) {
	defer func() {
		if reason := recover(); reason != nil {
			fmt.Fprintf(streams.Err, "conformance: a bug of this program, please report it: %v\n%s", reason, debug.Stack())
			code = exitInconclusive
		}
	}()
	return execute(ctx, args, streams)
}
