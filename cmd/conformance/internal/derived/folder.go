// Package derived maintains a folder of derived fixtures, some of which people edit. A manifest has
// the hash of each file as it was written. It shows whether a file was edited or may be replaced.
package derived

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
)

// ManifestName is the name of the manifest in the folder.
const ManifestName = "derived.json"

// manifest lists the files that were written, by path below the folder.
type manifest struct {
	Schema string            `json:"schema"`
	Files  map[string]string `json:"files"` // SHA-256, in hexadecimal
}

const manifestSchema = "conformance.derived/v1"

// Changes says what an update did to a folder.
type Changes struct {
	Written   int // new files, and files with a new text
	Unchanged int
	Edited    []string // not changed, because somebody has edited or removed them
	Removed   int      // no longer derived, and never edited
}

// Update writes files below a folder, and creates the folder if it is missing. It does not change
// files that somebody edited or removed. It removes files that are no longer derived, unless
// somebody edited them. Errors name the file.
func Update(dir string, files map[string][]byte) (Changes, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // for everybody who works on the repository
		return Changes{}, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Changes{}, err
	}
	defer func() { _ = root.Close() }()
	before, err := readManifest(root, dir)
	if err != nil {
		return Changes{}, err
	}
	after := manifest{Schema: manifestSchema, Files: map[string]string{}}
	var c Changes
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text, known := files[name], before.Files[name]
		found, err := root.ReadFile(name)
		switch missing := errors.Is(err, fs.ErrNotExist); {
		case err != nil && !missing:
			return c, err
		case !missing && hash(found) == hash(text):
			c.Unchanged++
			after.Files[name] = hash(text)
		case missing && known == "", !missing && hash(found) == known:
			if err := write(root, name, text); err != nil {
				return c, err
			}
			c.Written++
			after.Files[name] = hash(text)
		default:
			c.Edited = append(c.Edited, name)
			after.Files[name] = known
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before.Files)) {
		if _, still := files[name]; still {
			continue
		}
		if found, err := root.ReadFile(name); err == nil && hash(found) == before.Files[name] {
			if err := root.Remove(name); err != nil {
				return c, err
			}
			c.Removed++
		}
	}
	data, err := json.MarshalIndent(after, "", "  ")
	if err != nil {
		return c, fmt.Errorf("writing the manifest: %w", err)
	}
	return c, write(root, ManifestName, append(data, '\n'))
}

func readManifest(root *os.Root, dir string) (manifest, error) {
	var m manifest
	data, err := root.ReadFile(ManifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil || m.Schema != manifestSchema {
		return m, fmt.Errorf("%s is not the manifest of derived fixtures; restore it, or name another folder", path.Join(dir, ManifestName))
	}
	return m, nil
}

// write replaces a file in one step, so that it is never incomplete.
func write(root *os.Root, name string, text []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	temporary := name + ".tmp"
	if err := root.WriteFile(temporary, text, 0o644); err != nil {
		return err
	}
	return root.Rename(temporary, name)
}

func hash(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }
