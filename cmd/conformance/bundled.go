package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"sync"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites"
)

// startBundled starts the reference on a loopback port and points the
// configuration at it. stop ends it.
func startBundled(ctx context.Context, c *suites.Config) (stop func(), err error) {
	var listening net.ListenConfig
	listener, err := listening.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the bundled reference: %w", err)
	}
	if c.Target.Token == "" {
		c.Target.Token = rand.Text()
	}
	c.Target.BaseURL = "http://" + listener.Addr().String()
	c.Implementation.Name, c.Implementation.Version = "bundled reference", c.Harness.Version
	handler := reference.New(reference.Options{Tokens: []string{c.Target.Token}})
	server := reference.NewServer(handler, nil)
	var serving sync.WaitGroup
	serving.Go(func() {
		// Were it to fail, the run would say of it what it says of any service.
		_ = server.Serve(listener)
	})
	return func() {
		// At once: all was answered, and what lingers is only there to let a
		// slow client read.
		_ = server.Close()
		serving.Wait()
	}, nil
}
