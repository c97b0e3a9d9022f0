package reference

import (
	"context"
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
