package conn

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"slices"
	"strings"
	"time"
)

// Wire is how a request is written over HTTP/1.1, where clients differ and a message stays
// the same. The names are those that fixtures have; any other is as net/http writes it. Over
// HTTP/2, and to a handler, all requests are written alike.
type Wire string

// The ways to write a request.
const (
	LowerCase Wire = "lower-case" // the names of its fields (RFC 9110 §5.1)
	UpperCase Wire = "upper-case"
	NoLength  Wire = "no-length" // without Content-Length, which says nothing more of no body (RFC 9112 §6.3)
	Apart     Wire = "apart"     // the halves of the header, and those of the body, one after the other
	Pieces    Wire = "pieces"    // the same with about twenty pieces of the body
	NoSpace   Wire = "no-space"  // after the colons of its fields, where white space is optional (RFC 9112 §5)
	Upgrade   Wire = "upgrade"   // with an offer of another protocol, which a server may ignore (RFC 9110 §7.8)
)

// pause is between the parts of a request that is written apart: so long that a service
// which waits for the first has read it before the second comes. It is shorter between many pieces.
const (
	pause      = 5 * time.Millisecond
	shortPause = time.Millisecond
)

type wireKey struct{}

// WithWire is the context of a request that is written so.
func WithWire(ctx context.Context, w Wire) context.Context {
	return context.WithValue(ctx, wireKey{}, w)
}

// write writes the request as its context asks for, from what usual writes of it.
func write(request *http.Request, out *bufio.Writer, usual func(*http.Request, io.Writer) error) error {
	w, _ := request.Context().Value(wireKey{}).(Wire)
	if !slices.Contains([]Wire{LowerCase, UpperCase, NoLength, Apart, Pieces, NoSpace, Upgrade}, w) {
		return usual(request, out)
	}
	var text bytes.Buffer
	if err := usual(request, &text); err != nil {
		return err
	}
	head, body, _ := strings.Cut(text.String(), "\r\n\r\n")
	parts := []string{w.head(head) + "\r\n\r\n", body}
	isApart, between := w == Apart || w == Pieces, pause
	if w == Pieces {
		between = shortPause
	}
	if isApart {
		more, err := w.inParts(body, len(request.TransferEncoding) > 0)
		if err != nil {
			return err
		}
		parts = append(cut(parts[0]), more...)
	}
	for i, part := range parts {
		if _, err := out.WriteString(part); err != nil {
			return err
		}
		if !isApart || i == len(parts)-1 {
			continue
		}
		if err := out.Flush(); err != nil {
			return err
		}
		select {
		case <-time.After(between):
		case <-request.Context().Done():
		}
	}
	return nil
}

// head is the request line and the fields in another form.
func (w Wire) head(head string) string {
	lines := strings.Split(head, "\r\n")
	kept := lines[:1]
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		switch {
		case w == LowerCase:
			line = strings.ToLower(name) + ":" + value
		case w == UpperCase:
			line = strings.ToUpper(name) + ":" + value
		case w == NoSpace:
			line = name + ":" + strings.TrimPrefix(value, " ")
		case w == NoLength && name == "Content-Length":
			continue
		}
		kept = append(kept, line)
	}
	if w == Upgrade {
		kept = append(kept, "Connection: Upgrade", "Upgrade: conformance/1") // which nobody speaks
	}
	return strings.Join(kept, "\r\n")
}

// cut is a header in two parts. A service that takes the first for all of it finds half of a
// credential, if there is one.
func cut(head string) []string {
	at := len(head) / 2
	if _, after, found := strings.Cut(head, "\r\nAuthorization: "); found {
		line, _, _ := strings.Cut(after, "\r\n")
		at = len(head) - len(after) + len(line)/2
	}
	return []string{head[:at], head[at:]}
}

// inParts is a body in parts, which are chunks of one that is sent in chunks: two, or about
// twenty of an odd length, which cut letters of two bytes wherever these begin.
func (w Wire) inParts(body string, chunked bool) ([]string, error) {
	whole := []byte(body)
	format, parts := "%[2]s", []string{}
	if chunked {
		format = "%x\r\n%s\r\n"
		var err error
		if whole, err = io.ReadAll(httputil.NewChunkedReader(strings.NewReader(body))); err != nil {
			return nil, err
		}
	}
	length := (len(whole) + 1) / 2
	if w == Pieces {
		length = max(3, len(whole)/20|1)
	}
	for part := range slices.Chunk(whole, max(length, 1)) {
		parts = append(parts, fmt.Sprintf(format, len(part), part))
	}
	if chunked {
		parts = append(parts, "0\r\n\r\n")
	}
	return parts, nil
}
