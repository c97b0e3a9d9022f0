package report

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// File is a report file that is opened before a run, so that a path that
// cannot be written is known before anything is sent, and that appears under
// its name only when it is whole.
type File struct {
	format    Format
	path      string
	temporary *os.File
}

// Create prepares a report file. It fails when nothing can be written there.
func Create(format Format, path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("report path %s is a directory; name a file", path)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		var pathError *os.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err // the temporary name would only confuse
		}
		return nil, fmt.Errorf("report path %s cannot be written: %w", path, err)
	}
	return &File{format, path, temporary}, nil
}

// Path is where the report will be.
func (f *File) Path() string { return f.path }

// Write writes the report and puts it in its place.
func (f *File) Write(r Report) error {
	err := f.write(r)
	if err == nil {
		err = os.Rename(f.temporary.Name(), f.path)
	}
	if err != nil {
		f.Discard()
		return fmt.Errorf("writing the report %s: %w", f.path, err)
	}
	return nil
}

func (f *File) write(r Report) error {
	w := bufio.NewWriter(f.temporary)
	if err := f.format.Write(w, r); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err //nolint:wrapcheck // wrapped by Write
	}
	const readable = 0o644 // a temporary file is not
	if err := f.temporary.Chmod(readable); err != nil {
		return err //nolint:wrapcheck // wrapped by Write
	}
	return f.temporary.Close() //nolint:wrapcheck // wrapped by Write
}

// Discard leaves nothing behind.
func (f *File) Discard() {
	_ = f.temporary.Close()
	_ = os.Remove(f.temporary.Name())
}
