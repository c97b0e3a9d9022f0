package reference

import (
	"context"
	"errors"
	"sync"
)

// NewMemoryStore returns an empty store that forgets its plants when the
// process ends.
func NewMemoryStore() Store {
	return &memoryStore{plants: make(map[int64]Plant)}
}

type memoryStore struct {
	mu     sync.Mutex
	plants map[int64]Plant // nil once closed
}

func (s *memoryStore) Add(ctx context.Context, p NewPlant) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plants == nil {
		return ErrClosed
	}
	if _, taken := s.plants[p.ID]; taken {
		return ErrDuplicate
	}
	s.plants[p.ID] = p.Plant
	return nil
}

func (s *memoryStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plants = nil
	return nil
}

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
