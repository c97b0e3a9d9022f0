package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the first signal ends the run in good order, the second at once
	os.Exit(execute(ctx, os.Args, streams{os.Stdin, os.Stdout, os.Stderr}))
}
