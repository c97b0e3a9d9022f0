package scaffold

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

func sample() []File {
	return []File{{"one", []byte("1")}, {"a/b/two", []byte("2")}, {"a/three", nil}}
}

// tree returns every file with its content, and every folder.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if entry.Type().IsRegular() {
			data, _ := os.ReadFile(path)
			name += "=" + string(data)
		}
		list = append(list, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func check(t *testing.T, dir string, want ...string) {
	t.Helper()
	if got := tree(t, dir); !slices.Equal(got, want) {
		t.Errorf("there are %q, want %q", got, want)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a", "other"), "mine")
	if err := Write(dir, sample()); err != nil {
		t.Fatal(err)
	}
	check(t, dir, "a", "a/b", "a/b/two=2", "a/other=mine", "a/three=", "one=1")
}

func TestWriteMakesTheFolder(t *testing.T) {
	dir := t.TempDir()
	if err := Write(filepath.Join(dir, "x", "y"), sample()[:1]); err != nil {
		t.Fatal(err)
	}
	check(t, dir, "x", "x/y", "x/y/one=1")
}

// Existing files do not change, and no file is added.
func TestWriteRefuses(t *testing.T) {
	for _, row := range []struct {
		name  string
		there func(t *testing.T, dir string)
		want  []string // the paths that the error names
		left  []string
	}{
		{"a file", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "a", "three"), "mine") },
			[]string{"a/three"}, []string{"a", "a/three=mine"}},
		{"two files", func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "a", "b", "two"), "mine")
			put(t, filepath.Join(dir, "one"), "mine")
		}, []string{"one", "a/b/two"}, []string{"a", "a/b", "a/b/two=mine", "one=mine"}},
		{"a folder", func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "one"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, []string{"one"}, []string{"one"}},
		{"a link that leads nowhere", func(t *testing.T, dir string) {
			if err := os.Symlink("nowhere", filepath.Join(dir, "one")); err != nil {
				t.Skip(err)
			}
		}, []string{"one"}, []string{"one"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			row.there(t, dir)
			err := Write(dir, sample())
			exists, ok := errors.AsType[*ExistsError](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			var want []string
			for _, path := range row.want {
				want = append(want, filepath.Join(dir, path))
			}
			if !slices.Equal(exists.Paths, want) || !strings.HasSuffix(err.Error(), ": already there") {
				t.Errorf("got %v, want %v", err, want)
			}
			check(t, dir, row.left...)
		})
	}
}

// After an error, the written files are removed, but not those of others.
func TestWriteTakesBack(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a", "three", "mine"), "mine")
	put(t, filepath.Join(dir, "blocked"), "mine")
	for name, files := range map[string][]File{
		"a file where a folder must be":         {{"one", nil}, {"c/d/two", nil}, {"blocked/x", nil}},
		"a name that cannot be":                 {{"one", nil}, {"c/d/two", nil}, {"a/" + strings.Repeat("x", 300), nil}},
		"the same name twice":                   {{"one", []byte("1")}, {"c/d/two", nil}, {"one", []byte("2")}},
		"a file where a folder was made":        {{"c/d/two", nil}, {"c/d", nil}},
		"the first name below a file":           {{"blocked/x/y", nil}},
		"the name of a folder that is too long": {{strings.Repeat("y", 300) + "/x", nil}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := Write(dir, files); err == nil {
				t.Error("it was written")
			}
			check(t, dir, "a", "a/three", "a/three/mine=mine", "blocked=mine")
		})
	}
}

// Something else in the place of a folder is found before anything is written.
func TestWriteNeedsFolders(t *testing.T) {
	for _, row := range []struct {
		name, link string // the target of the link a; "": a is a file
		want       string
	}{
		{"a file", "", "a is not a folder, but a folder is needed there"},
		{"a link to a file", "file", "a is not a folder, but a folder is needed there"},
		{"a link that leads nowhere", "nowhere", "a is a broken link, but a folder is needed there"},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, filepath.Join(dir, "file"), "mine")
			left := []string{"a", "file=mine"}
			if row.link == "" {
				put(t, filepath.Join(dir, "a"), "mine")
				left[0] = "a=mine"
			} else if err := os.Symlink(row.link, filepath.Join(dir, "a")); err != nil {
				t.Skip(err)
			}
			err := Write(dir, sample())
			folder, ok := errors.AsType[*FolderError](err)
			if !ok || folder.Path != filepath.Join(dir, "a") || !strings.HasSuffix(err.Error(), row.want) {
				t.Errorf("got %v, want %s", err, row.want)
			}
			check(t, dir, left...)
		})
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "folder", "mine"), "mine")
	if err := os.Symlink("folder", filepath.Join(dir, "a")); err != nil {
		t.Skip(err)
	}
	if err := Write(dir, sample()); err != nil {
		t.Errorf("a link to a folder is none: %v", err)
	}
}

// The error names the file that cannot be created.
func TestWriteNamesTheFile(t *testing.T) {
	dir := t.TempDir()
	folder := "/proc" // even root cannot create a file there
	if runtime.GOOS != "linux" {
		t.Skip("there is no " + folder)
	}
	for _, path := range []string{filepath.Join(folder, "one"), filepath.Join(dir, strings.Repeat("x", 300))} {
		err := Write(filepath.Dir(path), []File{{Path: filepath.Base(path)}})
		if fault, ok := errors.AsType[*fs.PathError](err); !ok || fault.Path != path {
			t.Errorf("got %v, want the path %s", err, path)
		}
	}
	check(t, dir)
}

// Only one of many concurrent calls succeeds, and its files are complete.
func TestWriteAtOnce(t *testing.T) {
	dir := t.TempDir()
	const writers = 16
	wrote := make([]bool, writers)
	var all sync.WaitGroup
	for i := range writers {
		text := []byte(strings.Repeat(string(rune('a'+i)), 5000))
		all.Go(func() {
			wrote[i] = Write(dir, []File{{"one", text}, {"a/two", text}}) == nil
		})
	}
	all.Wait()
	winner := slices.Index(wrote, true)
	if winner < 0 || slices.Contains(wrote[winner+1:], true) {
		t.Fatalf("those who wrote: %v", wrote)
	}
	text := strings.Repeat(string(rune('a'+winner)), 5000)
	check(t, dir, "a", "a/two="+text, "one="+text)
}
