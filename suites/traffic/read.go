package traffic

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits of what is read, in bytes.
const (
	MaxArchive = 1 << 30
	maxEntry   = 64 << 20 // maximum of one value, which is held in memory
	chunk      = 32 << 10
)

// limits are the maximum sizes of an archive and of one value in it, in bytes.
type limits struct {
	archive int64
	entry   int
}

var (
	errArchiveTooLong = errors.New("archive too long")
	errEntryTooLong   = errors.New("entry too long")
)

const byteOrderMark = "\xef\xbb\xbf"

// position is the place of an entry in its archive.
type position struct{ number, line int } // from 1

// read calls each with every entry of the archive, in order, until the context ends. An error
// about the archive is a predicate for its name ("is empty"). Other errors come from each or
// from the context.
func read(ctx context.Context, archive io.Reader, each func(position, entry) error) error {
	return limits{MaxArchive, maxEntry}.read(archive, func(at position, e entry) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return each(at, e)
	})
}

func (l limits) read(archive io.Reader, each func(position, entry) error) error {
	in := bufio.NewReaderSize(archive, chunk)
	if mark, _ := in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark { // some tools write one
		_, _ = in.Discard(len(mark))
	}
	s := &source{in: in, limits: l, left: l.entry}
	r := reader{source: s, each: each, decoder: jsontext.NewDecoder(s,
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))} // some tools write these
	err := r.document()
	var syntactic *jsontext.SyntacticError
	switch {
	case err == nil, r.told:
		return err
	case errors.Is(err, errArchiveTooLong):
		return fmt.Errorf("is longer than %d bytes; cut it into several files", l.archive)
	case errors.Is(err, errEntryTooLong):
		return fmt.Errorf("holds a value longer than %d bytes %s", l.entry, r.place())
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("is cut off: it ends %s", r.place())
	case errors.Is(err, io.EOF):
		return errors.New("is empty")
	case errors.As(err, &syntactic):
		return fmt.Errorf("is not JSON: %w %s", syntactic.Err, r.place())
	}
	return fmt.Errorf("cannot be read: %w", err)
}

// reader finds the entries in the archive and passes them on one by one.
type reader struct {
	source  *source
	decoder *jsontext.Decoder
	each    func(position, entry) error
	entries int
	logs    bool // there was a log with entries
	told    bool // the error message is complete
}

// refuse returns an error with a complete message.
func (r *reader) refuse(format string, args ...any) error {
	r.told = true
	return fmt.Errorf(format, args...)
}

func (r *reader) document() error {
	if r.decoder.PeekKind() != '{' {
		if err := r.decoder.SkipValue(); err != nil {
			return err
		}
		return r.refuse("is not a HAR file: it is JSON, but no object with a log")
	}
	err := r.members(func(name string) error {
		if name == "log" && r.decoder.PeekKind() == '{' {
			return r.members(r.log)
		}
		return r.decoder.SkipValue()
	})
	if err != nil {
		return err
	}
	if !r.logs {
		return r.refuse("is not a HAR file: it has no log with a list of entries")
	}
	if _, err := r.decoder.ReadToken(); err == nil {
		return r.refuse("is not a HAR file: something follows the log")
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// members calls each with every name of the object, to read its value.
func (r *reader) members(each func(name string) error) error {
	return r.parts('}', func() error {
		name, err := r.decoder.ReadToken()
		if err != nil {
			return err
		}
		return each(name.String())
	})
}

// parts calls each for every part of the object or the list that ends with that bracket.
func (r *reader) parts(end jsontext.Kind, each func() error) error {
	if _, err := r.decoder.ReadToken(); err != nil {
		return err
	}
	for r.decoder.PeekKind() != end {
		r.source.left = r.source.limits.entry
		if err := each(); err != nil {
			return err
		}
	}
	_, err := r.decoder.ReadToken()
	return err
}

func (r *reader) log(name string) error {
	switch kind := r.decoder.PeekKind(); {
	case name == "version" && kind == '"':
		return r.version()
	case name == "entries" && kind == '[':
		r.logs = true
		return r.list()
	}
	return r.decoder.SkipValue()
}

// version refuses versions that may have another meaning. Up to 1.2, each version only adds to
// the one before.
func (r *reader) version() error {
	token, err := r.decoder.ReadToken()
	if err != nil {
		return err
	}
	if v := token.String(); v != "" && !strings.HasPrefix(v, "1.") {
		return r.refuse("is a HAR of version %.20q; only 1.2 and those before it can be read", v)
	}
	return nil
}

func (r *reader) list() error {
	return r.parts(']', func() error {
		r.entries++
		at := position{r.entries, r.line()}
		value, err := r.decoder.ReadValue()
		if err != nil {
			return err
		}
		err = r.entry(at, value)
		r.told = err != nil
		return err
	})
}

func (r *reader) entry(at position, value []byte) error {
	var e entry
	err := json.Unmarshal(value, &e)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("is not a HAR file: entry %d (line %d) has a wrong %s: a JSON %s", at.number, at.line, cmp.Or(wrong.Field, "entry"), wrong.Value)
	}
	switch {
	case err != nil:
		return fmt.Errorf("is not a HAR file: entry %d (line %d): %w", at.number, at.line, err)
	case e.Request.Method == "":
		return fmt.Errorf("is not a HAR file: entry %d (line %d) has no request.method", at.number, at.line)
	case e.Request.URL == "":
		return fmt.Errorf("is not a HAR file: entry %d (line %d) has no request.url", at.number, at.line)
	}
	return r.each(at, e)
}

// line returns the line of the next value.
func (r *reader) line() int {
	ahead := bytes.TrimLeft(r.decoder.UnreadBuffer(), ", \t\r\n")
	return r.source.newlines - bytes.Count(ahead, []byte("\n")) + 1
}

// place says where reading stopped.
func (r *reader) place() string {
	if r.entries > 0 {
		return fmt.Sprintf("in or after entry %d, line %d", r.entries, r.line())
	}
	return fmt.Sprintf("in line %d", r.line())
}

// source counts what is read. It returns little at a time, because line scans the unread bytes
// of the decoder at every entry.
type source struct {
	in       io.Reader
	limits   limits
	total    int64
	left     int // bytes that the current value may still take
	newlines int
}

func (s *source) Read(p []byte) (int, error) {
	switch {
	case s.total > s.limits.archive:
		return 0, errArchiveTooLong
	case s.left <= 0:
		return 0, errEntryTooLong
	}
	p = p[:min(len(p), chunk)]
	n, err := s.in.Read(p)
	s.total += int64(n)
	s.left -= n
	s.newlines += bytes.Count(p[:n], []byte("\n"))
	return n, err
}
