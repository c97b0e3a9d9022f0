// Package scaffold writes new files into a folder of the user, all of them or
// none. It never overwrites a file.
//
//	err := scaffold.Write(".", []scaffold.File{{Path: "conformance.yaml", Data: data}})
package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// File is a file to be written.
type File struct {
	Path string // below the folder, with slashes
	Data []byte
}

// ExistsError says that nothing was written because files already exist.
type ExistsError struct {
	Paths []string // paths to open them, in the order of the files
}

// Error names all files that already exist.
func (e *ExistsError) Error() string { return strings.Join(e.Paths, ", ") + ": already there" }

// FolderError says that nothing was written because something else is where a folder is needed.
type FolderError struct {
	Path string // the path to open it
	Link bool   // it is a broken link
}

// Error says what is there instead of a folder.
func (e *FolderError) Error() string {
	if e.Link {
		return e.Path + " is a broken link, but a folder is needed there"
	}
	return e.Path + " is not a folder, but a folder is needed there"
}

// Write writes all the files below a folder and makes the folders that they need,
// including the folder itself. If something that is not a folder is where one is needed,
// the error is a [FolderError]. If one of the files exists, even as a broken link, it is an
// [ExistsError]. If a file cannot be written, it wraps a [fs.PathError] of that file. After
// an error, nothing is left behind.
func Write(dir string, files []File) error {
	if err := refuse(dir, files); err != nil {
		return err
	}
	made, err := write(dir, files)
	if err == nil {
		return nil
	}
	for _, path := range slices.Backward(made) {
		_ = os.Remove(path) // this fails for a folder into which others have put something
	}
	return err
}

func (f File) in(dir string) string { return filepath.Join(dir, filepath.FromSlash(f.Path)) }

// refuse returns an error if files exist or folders cannot be made, before anything is written.
func refuse(dir string, files []File) error {
	var there []string
	for _, f := range files {
		_, above := missing(filepath.Dir(f.in(dir)))
		// Writing the files finds other errors of the folder.
		switch info, err := os.Stat(above); {
		case err == nil && !info.IsDir():
			return &FolderError{Path: above}
		case errors.Is(err, fs.ErrNotExist):
			return &FolderError{Path: above, Link: true}
		}
		if _, err := os.Lstat(f.in(dir)); err == nil {
			there = append(there, f.in(dir))
		}
	}
	if len(there) > 0 {
		return &ExistsError{there}
	}
	return nil
}

// write returns the folders and files that it made, in that order.
func write(dir string, files []File) (made []string, err error) {
	for _, f := range files {
		path := f.in(dir)
		folder := filepath.Dir(path)
		folders, _ := missing(folder)
		made = append(made, folders...)
		if err := os.MkdirAll(folder, 0o777); err != nil { //nolint:gosec // less what the umask takes, as any folder of the user's
			return made, fmt.Errorf("making a folder: %w", err)
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) //nolint:gosec // less what the umask takes, as any file of the user's
		if errors.Is(err, fs.ErrExist) {
			return made, &ExistsError{[]string{path}} // created after refuse
		}
		if err != nil {
			return made, err
		}
		made = append(made, path)
		_, err = file.Write(f.Data)
		if err = errors.Join(err, file.Close()); err != nil {
			return made, fmt.Errorf("writing a file: %w", err)
		}
	}
	return made, nil
}

// missing returns the folders on the path to this one that do not exist, the outermost
// first, and the path above them, which exists.
func missing(folder string) (list []string, there string) {
	there = folder
	for {
		_, err := os.Lstat(there)
		above := filepath.Dir(there)
		if above == there || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			break
		}
		list, there = append(list, there), above
	}
	slices.Reverse(list)
	return list, there
}
