package reference

import (
	"context"
	"errors"
)

// ErrDuplicate says that the store already has a plant with this id.
var ErrDuplicate = errors.New("a plant with this id exists already")

// ErrClosed says that the store is closed and accepts no more plants.
var ErrClosed = errors.New("the store is closed")

// Store keeps plants. It may be used by many goroutines at once.
type Store interface {
	// Add stores p and returns nil when p is safe. It returns ErrDuplicate if the
	// store has a plant with this id, ErrClosed, or the reason why the store failed;
	// compare with errors.Is. If ctx is done before Add begins, Add stores nothing
	// and returns the context's error. It always completes a write that has begun.
	Add(ctx context.Context, p NewPlant) error

	// Close waits for the writes that have begun and releases all resources. A
	// second Close does nothing.
	Close() error
}
