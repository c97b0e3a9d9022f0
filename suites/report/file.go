package report

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/plantstore/conformance/suites/result"
)

// File is a report file that is opened before a run, so that a path that
// cannot be written is known before anything is sent, and that appears under
// its name only when it is whole: until then, what was there stays.
type File struct {
	format Format
	path   string
	out    *os.File
	target string // what out is renamed to when it is whole; "" where it is written to in place

	appended bool // to what may be there already
	created  bool // there was nothing before, and there is nothing of a report yet
}

// PathError says what is wrong with the path of a report.
type PathError struct {
	Path string
	Err  error // such as "cannot be written: permission denied"
}

func (e *PathError) Error() string { return "report path " + e.Path + " " + e.Err.Error() }

// Unwrap gives the reason.
func (e *PathError) Unwrap() error { return e.Err }

// Create prepares a report file. It fails with a [PathError] when nothing can be
// written there.
func Create(format Format, path string) (*File, error) {
	if path == "" {
		return nil, errors.New("report path is empty; name a file")
	}
	f := &File{format: format, path: path}
	if err := f.open(); err != nil {
		return nil, &PathError{path, err}
	}
	return f, nil
}

// Append prepares to write a report at the end of a file that others write to,
// too, such as the summary of a workflow's step.
func Append(format Format, path string) (*File, error) {
	out, created, err := openInPlace(path, os.O_APPEND)
	if err != nil {
		return nil, err
	}
	return &File{format: format, path: path, out: out, appended: true, created: created}, nil
}

// openInPlace opens what is written to under its own name, and reports whether it
// is new.
func openInPlace(path string, flag int) (out *os.File, created bool, err error) {
	_, err = os.Stat(path)
	created = errors.Is(err, os.ErrNotExist)
	const everyone = 0o666 // less what the umask takes
	if out, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flag, everyone); err != nil {
		return nil, false, &PathError{path, cannot("be written", err)}
	}
	return out, created, nil
}

func (f *File) open() error {
	info, err := os.Stat(f.path)
	switch {
	case err == nil && info.IsDir():
		return errors.New("is a directory; name a file")
	case err == nil && !info.Mode().IsRegular():
		// A device or a pipe is written to; a file must not take its place.
		f.out, err = os.OpenFile(f.path, os.O_WRONLY, 0)
		return cannot("be opened", err)
	case err == nil:
		// What a link leads to is replaced, not the link.
		if f.target, err = filepath.EvalSymlinks(f.path); err != nil {
			return cannot("be followed", err)
		}
		return f.openBeside(info)
	case !errors.Is(err, os.ErrNotExist):
		return cannot("be written", err)
	}
	if _, err := os.Lstat(f.path); err == nil {
		return errors.New("is a symbolic link that leads nowhere")
	}
	f.target = f.path
	return f.openBeside(nil)
}

// openBeside opens a new file in the folder of the target, so that it can take
// its place in one step. It gets the permissions of the one that it replaces, or
// those that any new file gets.
func (f *File) openBeside(replaced os.FileInfo) error {
	name := filepath.Join(filepath.Dir(f.target), ".report-"+rand.Text())
	const everyone = 0o666 // less what the umask takes
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, everyone)
	if err != nil {
		return cannot("be written", err)
	}
	f.out = out
	if replaced == nil {
		return nil
	}
	if err := out.Chmod(replaced.Mode().Perm()); err != nil {
		f.Discard()
		return cannot("be written", err)
	}
	return nil
}

// Write writes the report and puts it in its place. It is called once.
func (f *File) Write(r result.Report) error {
	err := f.write(r)
	if err == nil && f.target != "" {
		err = os.Rename(f.out.Name(), f.target)
	}
	if err != nil {
		f.Discard()
		return &PathError{f.path, cannot("be written", err)}
	}
	f.created = false
	return nil
}

func (f *File) write(r result.Report) error {
	w := bufio.NewWriter(f.out)
	if info, err := f.out.Stat(); f.appended && err == nil && info.Size() > 0 {
		_ = w.WriteByte('\n') // what is there may have no end of a line; an error comes back from Flush
	}
	if err := f.format.Write(w, r); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.out.Close()
}

// Discard leaves nothing behind. After Write it does nothing.
func (f *File) Discard() {
	_ = f.out.Close()
	if f.target != "" || f.created {
		_ = os.Remove(f.out.Name())
	}
}

// cannot says what cannot be done with a path and why, without the name of the
// temporary file, which would only confuse.
func cannot(what string, err error) error {
	var path *os.PathError
	var link *os.LinkError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("cannot %s: %w", what, err)
}

// Stream is what is written while a run goes on, event by event: what
// is there when the run is killed stays there.
type Stream struct {
	write   func(io.Writer, result.Event) error
	out     io.Writer
	path    string
	file    *os.File // nil where it is not ours to close
	created bool     // there was none of that name before
	begun   bool
	err     error // why nothing more is written
}

// NewStream writes to out, which stays open, in a format that has events.
func NewStream(f Format, out io.Writer) *Stream { return &Stream{write: f.Event, out: out} }

// OpenStream prepares a file for a stream in a format that has events, so that a path that cannot be written is known
// before anything is sent. What is there stays until the run begins.
func OpenStream(f Format, path string) (*Stream, error) {
	if path == "" {
		return nil, errors.New("report path is empty; name a file")
	}
	file, created, err := openInPlace(path, 0)
	if err != nil {
		return nil, err
	}
	return &Stream{write: f.Event, out: file, path: path, file: file, created: created}, nil
}

// Observe writes an event.
func (s *Stream) Observe(e result.Event) {
	if s.err == nil && !s.begun {
		s.begun = true
		s.err = s.empty()
	}
	if s.err == nil {
		s.err = s.write(s.out, e)
	}
}

// empty makes room in a file. A device or a pipe has none to make.
func (s *Stream) empty() error {
	if s.file == nil {
		return nil
	}
	info, err := s.file.Stat()
	if err == nil && info.Mode().IsRegular() {
		err = s.file.Truncate(0)
	}
	return err
}

// Close reports whether all was written.
func (s *Stream) Close() error {
	if s.file == nil {
		return s.err
	}
	if err := errors.Join(s.err, s.file.Close()); err != nil {
		return &PathError{s.path, cannot("be written", err)}
	}
	return nil
}

// Discard leaves nothing behind of a stream that was told of nothing. After
// Close it does nothing.
func (s *Stream) Discard() {
	if s.file != nil && s.file.Close() == nil && s.created && !s.begun {
		_ = os.Remove(s.path)
	}
}
