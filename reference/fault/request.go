package fault

import (
	"io"
	"net/http"
	"net/url"
	"sync"
)

// Request is one HTTP request as the decision sees it.
type Request struct {
	*http.Request

	// ReadBody returns the whole body. It is read on the first call, so a request
	// that is rejected for its credential costs nothing more, and kept for the
	// next.
	ReadBody func() ([]byte, error)
}

// NewRequest is a request whose body may have as many bytes as the limit says.
func NewRequest(w http.ResponseWriter, r *http.Request, limit int64) *Request {
	limited := http.MaxBytesReader(w, r.Body, limit)
	return &Request{
		Request:  r,
		ReadBody: sync.OnceValues(func() ([]byte, error) { return io.ReadAll(limited) }),
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

// WithURL is the request with its URL edited.
func (r *Request) WithURL(edit func(u *url.URL)) *Request {
	another, edited := *r.Request, *r.URL
	edit(&edited)
	another.URL = &edited
	return &Request{Request: &another, ReadBody: r.ReadBody}
}

// WithLimit is the request with another limit on its body, for whoever asks
// for it first.
func (r *Request) WithLimit(bytes int64) *Request {
	return &Request{Request: r.Request, ReadBody: sync.OnceValues(func() ([]byte, error) {
		return io.ReadAll(http.MaxBytesReader(nil, r.Body, bytes))
	})}
}
