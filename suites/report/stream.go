package report

import (
	"errors"
	"io"
	"os"

	"github.com/plantstore/conformance/suites/result"
)

// Stream is what is written while a run goes on, event by event: what
// is there when the run is killed stays there.
type Stream struct {
	out     io.Writer
	path    string
	file    *os.File // nil where it is not ours to close
	created bool     // there was none of that name before
	begun   bool
	err     error // why nothing more is written
}

// NewStream writes to out, which stays open.
func NewStream(out io.Writer) *Stream { return &Stream{out: out} }

// OpenStream prepares a file for a stream, so that a path that cannot be written is known
// before anything is sent. What is there stays until the run begins.
func OpenStream(path string) (*Stream, error) {
	if path == "" {
		return nil, errors.New("report path is empty; name a file")
	}
	file, created, err := openInPlace(path, 0)
	if err != nil {
		return nil, err
	}
	return &Stream{out: file, path: path, file: file, created: created}, nil
}

// Observe writes an event.
func (s *Stream) Observe(e result.Event) {
	if s.err == nil && !s.begun {
		s.begun = true
		s.err = s.empty()
	}
	if s.err == nil {
		s.err = result.WriteEvent(s.out, e)
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
