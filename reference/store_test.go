package reference

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// eachStore runs test on an empty store of each kind.
func eachStore(t *testing.T, test func(*testing.T, Store)) {
	t.Run("memory", func(t *testing.T) { test(t, NewMemoryStore()) })
	t.Run("file", func(t *testing.T) { test(t, openStore(t, filepath.Join(t.TempDir(), "plants.db"))) })
}

// openStore opens a file store that is closed at the end of the test at the latest.
func openStore(t *testing.T, path string) Store {
	t.Helper()
	store, err := OpenFileStore(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func add(t *testing.T, store Store, p NewPlant) {
	t.Helper()
	if err := store.Add(t.Context(), p); err != nil {
		t.Fatalf("add plant %d: %v", p.ID, err)
	}
}

func TestStoreTakesAnyID(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		for _, id := range []int64{0, 1, -1, 256, math.MaxInt64, math.MinInt64} {
			add(t, store, newPlant(id, "fern"))
		}
	})
}

func TestStoreTakesAnIDOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		add(t, store, newPlant(7, "fern"))
		for _, again := range []NewPlant{newPlant(7, "fern"), newTaggedPlant(7, "moss", "indoor")} {
			if err := store.Add(t.Context(), again); !errors.Is(err, ErrDuplicate) {
				t.Errorf("adding %+v: %v, want ErrDuplicate", again, err)
			}
		}
		add(t, store, newPlant(8, "fern"))
	})
}

func TestStoreTakesAnIDOnceFromManyAtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		const rivals, ids = 8, 20
		var added atomic.Int64
		var group sync.WaitGroup
		for range rivals {
			group.Go(func() {
				for id := range int64(ids) {
					switch err := store.Add(t.Context(), newPlant(id, "fern")); {
					case err == nil:
						added.Add(1)
					case !errors.Is(err, ErrDuplicate):
						t.Errorf("add plant %d: %v", id, err)
					}
				}
			})
		}
		group.Wait()
		if added.Load() != ids {
			t.Errorf("%d additions succeeded for %d ids", added.Load(), ids)
		}
	})
}

func TestStoreKeepsNothingOfACancelledAdd(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if err := store.Add(cancelled, newPlant(7, "fern")); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled add: %v", err)
		}
		add(t, store, newPlant(7, "fern"))
	})
}

func TestClosedStoreTakesNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		for range 2 { // closing it again does nothing
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := store.Add(t.Context(), newPlant(7, "fern")); !errors.Is(err, ErrClosed) {
			t.Errorf("adding to a closed store: %v, want ErrClosed", err)
		}
	})
}
