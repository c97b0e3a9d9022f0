package report_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// golden compares with a file in testdata. UPDATE_GOLDEN=1 go test writes the
// files anew: read what changed before you commit it.
func golden(t *testing.T, name string, got []byte) {
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

// written is what write makes of content.
func written[T any](t testing.TB, write func(io.Writer, T) error, content T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, content); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// errFull is what a writer to a full disk says.
var errFull = errors.New("no space left")

// failing is a writer to a full disk.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }
