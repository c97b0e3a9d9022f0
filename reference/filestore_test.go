package reference

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"
)

// kept reads a plant directly from the file, because the store reports only whether an id is taken.
func kept(t *testing.T, store Store, id int64) (p Plant, found bool) {
	t.Helper()
	err := store.(*fileStore).db.View(func(tx *bbolt.Tx) error {
		record := tx.Bucket([]byte(plantsBucket)).Get(plantKey(id))
		if record == nil {
			return nil
		}
		found = true
		return json.Unmarshal(record, &p)
	})
	if err != nil {
		t.Fatalf("read plant %d: %v", id, err)
	}
	return p, found
}

func TestFileStoreKeepsPlantsOverARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plants.db")
	plants := []NewPlant{
		newPlant(0, "fern"), newPlant(-1, ""), newTaggedPlant(math.MaxInt64, "<Ära> 🌱", ""),
		newTaggedPlant(math.MinInt64, "nul \x00", "indoor"), newPlant(1, strings.Repeat("long ", 200_000)),
	}

	store := openStore(t, path)
	for _, p := range plants {
		add(t, store, p)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}

	store = openStore(t, path)
	for _, want := range plants {
		got, found := kept(t, store, want.ID)
		if !found || !samePlant(NewPlant{ID: want.ID, Plant: got}, want) {
			t.Errorf("plant %d came back as %.60q (found: %t)", want.ID, got.Name, found)
		}
		if err := store.Add(t.Context(), want); !errors.Is(err, ErrDuplicate) {
			t.Errorf("plant %d could be added again: %v", want.ID, err)
		}
	}
}

func TestFileStoreSyncsBeforeItAcknowledges(t *testing.T) {
	db := openStore(t, filepath.Join(t.TempDir(), "plants.db")).(*fileStore).db
	if db.NoSync || db.NoGrowSync {
		t.Error("the database is opened without fsync")
	}
}

func TestOpenFileStoreSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	held := filepath.Join(dir, "held.db")
	openStore(t, held)

	for _, test := range []struct {
		what, path, message string
	}{
		{"a file that another process holds", held, "another process is using it"},
		{"a text file", file("plants.txt", []byte("fern\nmoss\n")), "the file is not a plant store"},
		{"a file of zeros", file("zeros.db", make([]byte, 1<<16)), "the file is not a plant store"},
		{"a directory", dir, "is a directory"},
		{"a directory that does not exist", filepath.Join(dir, "none", "plants.db"), "no such file or directory"},
	} {
		t.Run(test.what, func(t *testing.T) {
			store, err := OpenFileStore(test.path)
			if err == nil {
				t.Fatal("it was opened", store.Close())
			}
			if !strings.Contains(err.Error(), test.message) || !strings.Contains(err.Error(), test.path) {
				t.Errorf("message: %s", err)
			}
		})
	}
}

func TestOpenFileStoreRefusesAFileWithoutItsEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plants.db")
	store := openStore(t, path)
	for id := range int64(20) {
		add(t, store, newPlant(id, strings.Repeat("fern", 200)))
	}
	var used, page int64
	db := store.(*fileStore).db
	if err := db.View(func(tx *bbolt.Tx) error {
		used, page = tx.Size(), int64(db.Info().PageSize)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	for size := 2 * page; size <= used; size += page {
		cut := filepath.Join(t.TempDir(), "cut.db")
		if err := os.WriteFile(cut, content[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		store, err := OpenFileStore(cut)
		if err == nil {
			err = store.Close()
		}
		if lost := used - size; errors.Is(err, errDamaged) != (lost > 0) {
			t.Errorf("%d of %d bytes lost: %v", lost, used, err)
		}
	}
}
