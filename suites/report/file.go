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

// File is where a report is written to. It is opened before a run, so that a path that
// cannot be written is known before anything is sent.
//
// A report appears under its name only when it is whole: until then, what was there
// stays. Events replace what was there when the run begins, and stay if it is killed.
type File struct {
	format Format
	path   string
	out    *os.File
	target string    // what out is renamed to when it is whole; "" where it is written to in place
	stdout io.Writer // instead of out; it stays open
	made   []string  // the folders that were missing

	appended bool  // to what may be there already
	created  bool  // there was nothing before, and there is nothing of a report yet
	followed bool  // it is written event by event, while the run goes on
	begun    bool  // there was an event
	err      error // why no more events are written
}

// PathError says what is wrong with the path of a report.
type PathError struct {
	Path string
	Err  error // such as "cannot be written: permission denied"
}

func (e *PathError) Error() string { return "report path " + e.Path + " " + e.Err.Error() }

// Unwrap gives the reason.
func (e *PathError) Unwrap() error { return e.Err }

// Open prepares a report file, and makes the folders that it needs. Where a run is live, a
// file in a format with events gets those. It fails with a [PathError] when nothing can be
// written there.
func Open(format Format, path string, live bool) (*File, error) {
	if path == "" {
		return nil, errors.New("report path is empty; name a file")
	}
	f := &File{format: format, path: path, followed: live && format.Event != nil}
	err := f.makeFolders()
	switch {
	case err != nil:
	case f.followed:
		err = f.openInPlace(0)
	default:
		err = f.open()
	}
	if err != nil {
		f.removeFolders()
		return nil, &PathError{path, err}
	}
	return f, nil
}

// Append prepares to write a report at the end of a file that others write to,
// too, such as the summary of a workflow's step.
func Append(format Format, path string) (*File, error) {
	f := &File{format: format, path: path, appended: true}
	if err := f.openInPlace(os.O_APPEND); err != nil {
		return nil, &PathError{path, err}
	}
	return f, nil
}

// Standard is Open for standard output, or for another stream that stays open.
func Standard(format Format, out io.Writer, live bool) *File {
	return &File{format: format, stdout: out, followed: live && format.Event != nil}
}

// makeFolders makes the folders that the file needs, and keeps the names of those that
// were missing, the innermost first.
func (f *File) makeFolders() error {
	folder := filepath.Dir(f.path)
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
			break
		}
		f.made = append(f.made, dir)
	}
	return cannot("be written", os.MkdirAll(folder, 0o777)) //nolint:gosec // less what the umask takes, as any folder of the user's
}

// removeFolders leaves nothing behind: others may have put files into a folder,
// and then it stays.
func (f *File) removeFolders() {
	for _, dir := range f.made {
		_ = os.Remove(dir)
	}
}

// openInPlace opens what is written to under its own name.
func (f *File) openInPlace(flag int) error {
	_, err := os.Stat(f.path)
	f.created = errors.Is(err, os.ErrNotExist)
	const everyone = 0o666 // less what the umask takes
	f.out, err = os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|flag, everyone)
	return cannot("be written", err)
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

// Observe writes an event, if it is written event by event.
func (f *File) Observe(e result.Event) {
	if !f.followed || f.err != nil {
		return
	}
	if !f.begun {
		f.begun, f.created = true, false
		f.err = f.empty()
	}
	out := f.stdout
	if out == nil {
		out = f.out
	}
	if f.err == nil {
		f.err = f.format.Event(out, e)
	}
}

// empty makes room in a file. A device or a pipe has none to make.
func (f *File) empty() error {
	if f.out == nil {
		return nil
	}
	info, err := f.out.Stat()
	if err == nil && info.Mode().IsRegular() {
		err = f.out.Truncate(0)
	}
	return err
}

// Write writes the report, unless its events are written already, and puts it in its place.
// It is called once.
func (f *File) Write(r result.Report) error {
	switch {
	case f.stdout != nil && f.followed:
		return f.err
	case f.stdout != nil:
		return f.format.Write(f.stdout, r)
	}
	err := f.err
	if !f.followed {
		err = f.write(r)
	}
	if err = errors.Join(err, f.out.Close()); err == nil && f.target != "" {
		err = os.Rename(f.out.Name(), f.target)
	}
	if err != nil {
		f.Discard()
		return &PathError{f.path, cannot("be written", err)}
	}
	f.created, f.made = false, nil
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
	return w.Flush()
}

// Discard leaves nothing behind, but for events. After Write it does nothing.
func (f *File) Discard() {
	if f.out == nil {
		return
	}
	_ = f.out.Close()
	if f.target != "" || f.created {
		_ = os.Remove(f.out.Name())
	}
	f.removeFolders()
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
