package reporttest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Golden compares with a file in testdata. UPDATE_GOLDEN=1 go test writes the
// files anew: read what changed before you commit it.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s:\n%s", path, got)
	}
}

// Written is what write makes of content.
func Written[T any](t testing.TB, write func(io.Writer, T) error, content T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, content); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// ErrFull is what a writer to a full disk says.
var ErrFull = errors.New("no space left")

// Full is a writer to a full disk.
type Full struct{}

func (Full) Write([]byte) (int, error) { return 0, ErrFull }
