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
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
)

func main() {
	// net/http logs what it thinks of a target's HTTP/2 by itself.
	log.SetOutput(io.Discard)
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
	os.Exit(execute(ctx, os.Args, output.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
