package document

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
)

const (
	// maxFiles and maxTotal limit the number of files of one document and their total bytes.
	maxFiles = 2000
	maxTotal = maxSize
)

// source is one file.
type source struct {
	file   string // the name in errors
	data   []byte
	root   *Node
	bundle *bundle // nil for a document in one file
	path   string  // in the bundle
	prefix string  // of the pointers into this file

	translated bool // see Translated
	lenient    bool // see ParseFiles

	once  sync.Once
	lines []int // the offset of each line, in bytes; see line

	anchoring sync.Once
	anchors   map[string]Place // by their names; see Place.anchored
}

// line returns the text of that line without its line break, or "" if there is none.
func (s *source) line(number int) string {
	s.once.Do(func() {
		s.lines = []int{0}
		for at, b := range s.data {
			if b == '\n' || b == '\r' && !bytes.HasPrefix(s.data[at:], []byte("\r\n")) { // YAML 1.2 §5.4
				s.lines = append(s.lines, at+1)
			}
		}
	})
	if number < 1 || number > len(s.lines) {
		return ""
	}
	text := s.data[s.lines[number-1]:]
	if end := bytes.IndexAny(text, "\r\n"); end >= 0 {
		text = text[:end]
	}
	return string(text)
}

// Others says which other files the references of a document may name.
type Others struct {
	Files fs.FS  // local files; nil allows none
	Path  string // of the document in Files, or its http(s) address
	// Fetch reads an http(s) address and limits the time that this takes. If it is nil,
	// references to addresses are not followed.
	Fetch func(address string) ([]byte, error)
}

// bundle has the files of one document. They are read when a $ref names them.
type bundle struct {
	Others
	home   string // the folder of the first file, in files
	shown  string // the same, as errors name it
	read   map[string]*Node
	failed map[string]error
	roots  map[string]*Node // by the prefix of their pointers, without the number sign
	size   int
	sealed bool
}

// ParseFiles reads a document as [Parse] does. Its references may name other files, relative to the
// file that contains them, until [Seal] is called.
//
// A number that is not valid in JSON, such as 007 or .inf, is not an error. It becomes a String
// with NotANumber set.
func ParseFiles(file string, data []byte, others Others) (*Node, error) {
	if others.Files == nil && others.Fetch == nil {
		return parse(&source{file: file, lenient: true}, data)
	}
	at := others.Path
	b := &bundle{Others: others, home: path.Dir(at), shown: path.Dir(file), read: map[string]*Node{}, failed: map[string]error{}, roots: map[string]*Node{}, size: len(data)}
	root, err := parse(&source{file: file, bundle: b, path: at, lenient: true}, data)
	b.read[at] = root
	return root, err
}

// Seal ends the reading of further files. After it, several goroutines may use the document.
func Seal(root *Node) {
	if b := root.source.bundle; b != nil {
		b.sealed = true
	}
}

// IsOneFile reports whether no reference has led to another file so far.
func IsOneFile(root *Node) bool {
	return root.source.bundle == nil || len(root.source.bundle.read) == 1
}

// other returns the root of the file that a reference in this file names. The error is a predicate
// whose subject is the reference.
func (s *source) other(name string) (*Node, error) {
	u, err := url.Parse(name)
	if err != nil {
		return nil, fmt.Errorf("is not a URI: %w", err)
	}
	if base, err := url.Parse(s.path); err == nil && isAddress(base) {
		u = base.ResolveReference(u)
	}
	switch {
	case isAddress(u) && (s.bundle == nil || s.bundle.Fetch == nil):
		return nil, errors.New("leads to another address, and remote references are not allowed; give --allow-remote-refs, or save that file next to the document")
	case !isAddress(u) && (u.Scheme != "" || u.Host != ""):
		return nil, errors.New("leads to another address, which is not fetched; save that file next to the document")
	case isAddress(u):
		u.Fragment = ""
		return s.bundle.open(u.String())
	case s.bundle == nil || s.bundle.Files == nil:
		return nil, errors.New("leaves the document; bundle the contract into one file first")
	}
	if !path.IsAbs(u.Path) {
		u.Path = path.Join(path.Dir(s.path), u.Path)
	}
	return s.bundle.open(u.Path)
}

func isAddress(u *url.URL) bool { return u.Scheme == "http" || u.Scheme == "https" }

func (b *bundle) open(name string) (*Node, error) {
	if b.read[name] != nil || b.failed[name] != nil {
		return b.read[name], b.failed[name]
	}
	if b.sealed {
		return nil, errors.New("names a file that was not read")
	}
	root, err := b.parse(name)
	if b.failed[name] = err; err == nil {
		b.read[name] = root
	}
	return root, err
}

func (b *bundle) parse(name string) (*Node, error) {
	if len(b.read) >= maxFiles {
		return nil, fmt.Errorf("names one file more than the %d that a document may have", maxFiles)
	}
	data, file, within, err := b.get(name)
	if err != nil {
		return nil, err
	}
	if b.size += len(data); b.size > maxTotal {
		return nil, fmt.Errorf("names a file with which the document would be larger than %d MiB", maxTotal>>20)
	}
	root, err := parse(&source{file: file, bundle: b, path: name, prefix: within + "#", lenient: true}, data)
	if err != nil {
		sentence, _, _ := strings.Cut(err.Error(), "\n")
		return nil, fmt.Errorf("names a file that cannot be read: %s", sentence)
	}
	b.roots[within] = root
	return root, nil
}

// get reads a file. shown is its name in errors, and within its name in pointers.
func (b *bundle) get(name string) (data []byte, shown, within string, err error) {
	if u, err := url.Parse(name); err == nil && isAddress(u) {
		if data, err = b.Fetch(name); err != nil {
			return nil, "", "", fmt.Errorf("leads to an address that cannot be read: %w", err)
		}
		query := u.RawQuery
		u.RawQuery = "" // it may contain a secret
		shown = u.String()
		if within = shown; query != "" {
			within += "?" + strconv.Itoa(len(b.roots)) // the query may select another document
		}
		return data, shown, within, nil
	}
	if !fs.ValidPath(name) {
		return nil, "", "", errors.New("leaves the folder of the document, or that of its repository")
	}
	info, err := fs.Stat(b.Files, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", "", errors.New("names a file that does not exist")
	case err == nil && !info.Mode().IsRegular():
		return nil, "", "", errors.New("names something that is not a file")
	case err == nil && info.Size() > int64(maxTotal-b.size):
		return nil, "", "", fmt.Errorf("names a file with which the document would be larger than %d MiB", maxTotal>>20)
	case err == nil:
		data, err = fs.ReadFile(b.Files, name)
	}
	if err != nil {
		return nil, "", "", fmt.Errorf("names a file that cannot be read: %w", err)
	}
	within = relative(b.home, name)
	return data, path.Join(b.shown, within), within, nil
}

// relative returns the relative path from a folder to a file.
func relative(folder, name string) string {
	up := ""
	for folder != "." && !strings.HasPrefix(name, folder+"/") {
		folder, up = path.Dir(folder), up+"../"
	}
	return up + strings.TrimPrefix(name, folder+"/")
}
