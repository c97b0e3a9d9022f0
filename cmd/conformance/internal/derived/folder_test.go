package derived_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/derived"
)

// TestUpdate: edited or removed files stay so, the others follow the contract.
func TestUpdate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	update := func(files map[string]string, want derived.Changes) {
		t.Helper()
		texts := map[string][]byte{}
		for name, text := range files {
			texts[name] = []byte(text)
		}
		got, err := derived.Update(dir, texts)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, %v, want %+v", got, err, want)
		}
	}
	update(map[string]string{"a/b/c.yaml": "1", "a/b/d.yaml": "1", "a/b/e.yaml": "1", "a/b/f.yaml": "1", "a/b/g.yaml": "1"}, derived.Changes{Written: 5})
	if err := os.WriteFile(at("a/b/c.yaml"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("a/b/g.yaml"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(at("a/b/d.yaml")); err != nil {
		t.Fatal(err)
	}
	later := map[string]string{"a/b/c.yaml": "2", "a/b/d.yaml": "2", "a/b/e.yaml": "2", "new.yaml": "2"}
	edited := []string{"a/b/c.yaml", "a/b/d.yaml"}
	update(later, derived.Changes{Written: 2, Edited: edited, Removed: 1})
	update(later, derived.Changes{Unchanged: 2, Edited: edited})
	for name, want := range map[string]string{"a/b/c.yaml": "mine", "a/b/e.yaml": "2", "a/b/g.yaml": "mine"} {
		if got, err := os.ReadFile(at(name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestUpdateRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, derived.ManifestName), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := derived.Update(dir, nil); err == nil || !strings.Contains(err.Error(), "is not the manifest of derived fixtures") {
		t.Error(err)
	}
	outside := t.TempDir()
	other := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(other, "a")); err != nil {
		t.Fatal(err)
	}
	if _, err := derived.Update(other, map[string][]byte{"a/b.yaml": []byte("1")}); err == nil {
		t.Error("it followed a link out of the folder")
	}
}
