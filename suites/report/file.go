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

// File is the destination of a report. It is opened before a run, so that an unwritable path is
// reported before any request is sent.
//
// A report appears under its name only when it is complete. Until then, an existing file stays
// unchanged. Events overwrite an existing file when the run begins, and stay if the run is
// killed.
type File struct {
	format Format
	path   string
	out    *os.File
	target string    // out is renamed to it when complete; "" if out is written in place
	stdout io.Writer // used instead of out; it stays open
	made   []string  // folders that were missing, the innermost first

	appended bool  // the report is written at the end of the file
	created  bool  // the file is new and contains no report yet
	followed bool  // events are written during the run
	begun    bool  // an event was observed
	err      error // why no more events are written
}

// PathError says what is wrong with the path of a report.
type PathError struct {
	Path string
	Err  error // such as "cannot be written: permission denied"
}

func (e *PathError) Error() string { return "report path " + e.Path + " " + e.Err.Error() }

// Unwrap returns the reason.
func (e *PathError) Unwrap() error { return e.Err }

// Open prepares a report file, and creates missing folders. If live is set and the format has
// events, these are written during the run. If the path cannot be written, the error is a
// [PathError].
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

// Append prepares to write a report at the end of a file that other programs also write to, such
// as the summary of a workflow step.
func Append(format Format, path string) (*File, error) {
	f := &File{format: format, path: path, appended: true}
	if err := f.openInPlace(os.O_APPEND); err != nil {
		return nil, &PathError{path, err}
	}
	return f, nil
}

// Standard is [Open] for standard output, or for another stream that stays open.
func Standard(format Format, out io.Writer, live bool) *File {
	return &File{format: format, stdout: out, followed: live && format.Event != nil}
}

// makeFolders creates the folders that the file needs, and stores the names of the missing ones,
// the innermost first.
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

// removeFolders removes the new folders, unless others have put files into them.
func (f *File) removeFolders() {
	for _, dir := range f.made {
		_ = os.Remove(dir)
	}
}

// openInPlace opens the file under its final name.
func (f *File) openInPlace(flag int) error {
	_, err := os.Stat(f.path)
	f.created = errors.Is(err, os.ErrNotExist)
	const everyone = 0o666 // the umask applies
	f.out, err = os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|flag, everyone)
	return cannot("be written", err)
}

func (f *File) open() error {
	info, err := os.Stat(f.path)
	switch {
	case err == nil && info.IsDir():
		return errors.New("is a directory; name a file")
	case err == nil && !info.Mode().IsRegular():
		// A device or a pipe is written in place: a file must not replace it.
		f.out, err = os.OpenFile(f.path, os.O_WRONLY, 0)
		return cannot("be opened", err)
	case err == nil:
		// Replace the target of the link, not the link.
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

// openBeside opens a temporary file in the folder of the target, so that a rename can replace
// the target. It gets the permissions of the replaced file, or those of any new file.
func (f *File) openBeside(replaced os.FileInfo) error {
	name := filepath.Join(filepath.Dir(f.target), ".report-"+rand.Text())
	const everyone = 0o666 // the umask applies
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

// Observe writes the event if events are written during the run.
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

// empty truncates a file. Devices and pipes cannot be truncated.
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

// Write writes the report, unless its events are already written, and moves it to its path. Call
// Write once.
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
		_ = w.WriteByte('\n') // the text before it may not end with a line break; Flush returns the error
	}
	if err := f.format.Write(w, r); err != nil {
		return err
	}
	return w.Flush()
}

// Discard removes the file and the new folders, but keeps what existed before and all written
// events. After Write it does nothing.
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

// cannot returns an error that says what cannot be done with a path, and why. It omits the name
// of the temporary file, which would confuse the reader.
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
