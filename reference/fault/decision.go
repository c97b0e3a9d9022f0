package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"sync"
)

// Decision turns a request into the answer to it.
type Decision func(*Request) Answer

// Answer is a whole response before it is sent.
type Answer struct {
	Status   int
	Header   http.Header
	Body     []byte
	Rejected string   // the part of the request at fault, for the access log; "" when accepted
	deliver  Delivery // how it goes over the wire; nil is as usual
}

// Delivery puts an answer on the wire.
type Delivery func(w http.ResponseWriter, r *http.Request, a Answer)

// JSON is an answer with this status and with the JSON of a value as its body.
func JSON(status int, body any) Answer {
	text := encode(body)
	return Answer{
		Status: status,
		Header: http.Header{
			"Content-Type":   {"application/json"},
			"Content-Length": {strconv.Itoa(len(text))},
		},
		Body: text,
	}
}

// WithBody is the answer with another body, of which Content-Length tells.
func (a Answer) WithBody(text string) Answer {
	a.Body = []byte(text)
	a.Header.Set("Content-Length", strconv.Itoa(len(text)))
	return a
}

// encode leaves <, > and & as they are: they need no escape outside of HTML.
func encode(body any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		panic(fmt.Sprintf("a %T has no JSON form: %v", body, err)) // strings and an int32 always have one
	}
	return text.Bytes()
}

// Send delivers the answer to r.
func (a Answer) Send(w http.ResponseWriter, r *http.Request) {
	if a.deliver != nil {
		a.deliver(w, r, a)
		return
	}
	a.writeTo(w)
}

// writeTo is the usual delivery. A client that has gone cannot be told, and
// HEAD takes no body, so the error of the write says nothing of use.
func (a Answer) writeTo(w http.ResponseWriter) {
	maps.Copy(w.Header(), a.Header)
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body)
}

// Request is one HTTP request as the decision sees it.
type Request struct {
	*http.Request

	// ReadBody returns the whole body. It is read on the first call, so a request
	// that is rejected for its credential costs nothing more, and kept for the
	// next.
	ReadBody func() ([]byte, error)
}

// NewRequest is a request whose body may have as many bytes as the limit says. Of a larger one
// some more is read, and dropped: net/http would close the connection, and wait for half a second
// to do so, because the client may still be sending.
func NewRequest(r *http.Request, limit int64) *Request {
	const dropped = 4 << 20
	return &Request{
		Request: r,
		ReadBody: sync.OnceValues(func() ([]byte, error) {
			body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, limit))
			if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
				_, _ = io.CopyN(io.Discard, r.Body, dropped)
			}
			return body, err
		}),
	}
}

// Text is the body as a text. It is empty if the body cannot be read.
func (r *Request) Text() string {
	body, err := r.ReadBody()
	if err != nil {
		return ""
	}
	return string(body)
}

// Object is the JSON object in the body. It is nil if there is none.
func (r *Request) Object() Object {
	o, _ := ParseObject(r.Text())
	return o
}

// Property is the text of a property of the body. It is empty if the property is
// not a string.
func (r *Request) Property(name string) string {
	if value := string(r.Object()[name]); AString.Include(value) {
		return FromString(value)
	}
	return ""
}

// WithBody is the request with its body edited, though not before it is asked
// for.
func (r *Request) WithBody(edit TextEdit) *Request {
	return &Request{Request: r.Request, ReadBody: sync.OnceValues(func() ([]byte, error) {
		body, err := r.ReadBody()
		if err != nil {
			return nil, err
		}
		return []byte(edit(string(body))), nil
	})}
}

// WithHeader is the request with one field of that name, or with none where
// the value is empty.
func (r *Request) WithHeader(name, value string) *Request {
	another := *r.Request
	another.Header = r.Header.Clone()
	another.Header.Del(name)
	if value != "" {
		another.Header.Set(name, value)
	}
	return &Request{Request: &another, ReadBody: r.ReadBody}
}

// withURL is the request with its URL edited.
func (r *Request) withURL(edit func(u *url.URL)) *Request {
	another, edited := *r.Request, *r.URL
	edit(&edited)
	another.URL = &edited
	return &Request{Request: &another, ReadBody: r.ReadBody}
}
