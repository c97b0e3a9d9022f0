package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"

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
	if c.Implementation.Name == "" {
		c.Implementation.Name, c.Implementation.Version = "bundled reference", c.Harness.Version
	}
	handler := reference.New(reference.Options{Tokens: []string{c.Target.Token}})
	server := reference.NewServer(handler, nil)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	return func() {
		// At once: all was answered, and what lingers is only there to let a
		// slow client read.
		_ = server.Close()
		<-ended
	}, nil
}
