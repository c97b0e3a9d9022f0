package reference

import (
	"context"
	"errors"
)

// ErrDuplicate says that the store already has a plant with this id.
var ErrDuplicate = errors.New("a plant with this id exists already")

// ErrClosed says that the store has been closed and takes no more plants.
var ErrClosed = errors.New("the store is closed")

// Store keeps plants. It may be used by many goroutines at once.
type Store interface {
	// Add keeps p and returns nil once the store answers for it. It returns
	// ErrDuplicate, which keeps the plant that was there first, ErrClosed, or
	// the reason why the store could not do its work; compare with errors.Is.
	// When ctx is done before Add begins, it returns the context's error and
	// keeps nothing; a write that has begun is always seen through.
	Add(ctx context.Context, p NewPlant) error

	// Close waits for the writes that have begun and releases what the store
	// holds. Closing it again does nothing.
	Close() error
}
