package main

import (
	"context"
	"errors"
)

// errInterrupted is an interrupt before anything was sent.
var errInterrupted = errors.New("interrupted while settings and files were read; nothing was sent")

// interruptibly reads what a command needs, or stops waiting for that where the
// context ends: a file may be a pipe into which nobody writes, and standard input
// a keyboard. What is read then must not be used.
func interruptibly(ctx context.Context, read func() error) error {
	done := make(chan error, 1)
	go func() { done <- read() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errInterrupted
	}
}
