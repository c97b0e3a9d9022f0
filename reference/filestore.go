package reference

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

const (
	// lockTimeout is how long OpenFileStore waits until another process releases the
	// file. It is enough for a previous process that is shutting down.
	lockTimeout = time.Second

	// batchDelay is how long a write waits for other writes. Writes in a batch share
	// one fsync, which helps much under load and costs a single client little. The
	// default of bbolt, 10 ms, would limit a single client to 100 plants a second.
	batchDelay = time.Millisecond
)

// plantsBucket names the one bucket of the file: key → Plant as JSON.
const plantsBucket = "plants"

// errDamaged says that pages of the file are missing.
var errDamaged = errors.New("the file is damaged: its end is missing")

// OpenFileStore opens the store in the file at path, or creates the file, and locks it against
// other processes. A plant is on disk (fsync) before Add returns nil, so a crash of the process or
// the machine loses no acknowledged plant.
//
// It returns an error if the file cannot be opened or created, if it is not a store or
// is damaged, or if another process holds it for more than a second.
func OpenFileStore(path string) (Store, error) {
	db, err := openDatabase(path)
	if err != nil {
		return nil, fmt.Errorf("open plant store %s: %w", path, err)
	}
	db.MaxBatchDelay = batchDelay
	if err := prepare(db); err != nil {
		return nil, fmt.Errorf("prepare plant store %s: %w", path, errors.Join(err, db.Close()))
	}
	return &fileStore{db: db}, nil
}

// openDatabase opens the file with bbolt. If the end of the file is missing, for example after an
// interrupted copy, bbolt panics or reads invalid memory.
func openDatabase(path string) (db *bbolt.DB, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = errDamaged
		}
	}()
	db, err = bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockTimeout})
	switch {
	case errors.Is(err, bbolterrors.ErrTimeout):
		return nil, errors.New("another process is using it")
	case errors.Is(err, bbolterrors.ErrInvalid):
		return nil, errors.New("the file is not a plant store")
	}
	return db, err
}

// prepare checks that the file has all of its pages, so that no later write needs a missing one. It
// creates the bucket, and syncs the name of the file to disk.
func prepare(db *bbolt.DB) error {
	file, err := os.Stat(db.Path())
	if err != nil {
		return err
	}
	err = db.View(func(tx *bbolt.Tx) error {
		if file.Size() < tx.Size() {
			return errDamaged
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists([]byte(plantsBucket))
		return err
	})
	if err != nil {
		return err
	}
	return syncDirectory(filepath.Dir(db.Path()))
}

// syncDirectory makes the name of a new file in dir survive a power cut: fsync on the file itself
// covers only its content. Windows cannot sync a directory, and does not need to.
func syncDirectory(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

type fileStore struct {
	db *bbolt.DB
}

func (s *fileStore) Add(ctx context.Context, p NewPlant) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	record, err := json.Marshal(p.Plant)
	if err != nil {
		return fmt.Errorf("encode plant %d: %w", p.ID, err)
	}
	key := plantKey(p.ID)

	// A duplicate is not an error of the batch, because that would roll back and
	// repeat the other writes. It is reported after the commit, because the first
	// plant may be part of the same batch.
	var taken bool
	err = s.db.Batch(func(tx *bbolt.Tx) error {
		plants := tx.Bucket([]byte(plantsBucket))
		if taken = plants.Get(key) != nil; taken {
			return nil
		}
		return plants.Put(key, record)
	})
	switch {
	case errors.Is(err, bbolterrors.ErrDatabaseNotOpen):
		return ErrClosed
	case err != nil:
		return fmt.Errorf("write plant %d: %w", p.ID, err)
	case taken:
		return ErrDuplicate
	}
	return nil
}

func (s *fileStore) Close() error {
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close plant store: %w", err)
	}
	return nil
}

// plantKey returns the id in decimal, which is readable in a dump of the file.
func plantKey(id int64) []byte { return strconv.AppendInt(nil, id, 10) }
