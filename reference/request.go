package reference

import (
	"io"
	"net/http"
	"sync"
)

// request is one HTTP request as the decision sees it.
type request struct {
	*http.Request

	// body returns the whole body. It is read on the first call, so a request
	// that is rejected for its credential costs nothing more, and kept for the
	// next.
	body func() ([]byte, error)
}

// newRequest is a request whose body may have as many bytes as the limit says.
func newRequest(w http.ResponseWriter, r *http.Request, limit int64) *request {
	limited := http.MaxBytesReader(w, r.Body, limit)
	return &request{
		Request: r,
		body:    sync.OnceValues(func() ([]byte, error) { return io.ReadAll(limited) }),
	}
}

// text is the body as a text. It is empty if the body cannot be read.
func (r *request) text() string {
	body, err := r.body()
	if err != nil {
		return ""
	}
	return string(body)
}

// object is the JSON object in the body. It is nil if there is none.
func (r *request) object() object {
	o, _ := parseObject(r.text())
	return o
}

// withBody is the request with its body edited, though not before it is asked
// for.
func (r *request) withBody(edit textEdit) *request {
	return &request{Request: r.Request, body: sync.OnceValues(func() ([]byte, error) {
		body, err := r.body()
		if err != nil {
			return nil, err
		}
		return []byte(edit(string(body))), nil
	})}
}

// withHeader is the request with one field of that name, or with none where
// the value is empty.
func (r *request) withHeader(name, value string) *request {
	another := *r.Request
	another.Header = r.Header.Clone()
	another.Header.Del(name)
	if value != "" {
		another.Header.Set(name, value)
	}
	return &request{Request: &another, body: r.body}
}

// withPath is the request with another path.
func (r *request) withPath(path string) *request {
	another, url := *r.Request, *r.URL
	url.Path, url.RawPath = path, ""
	another.URL = &url
	return &request{Request: &another, body: r.body}
}

// withLimit is the request with another limit on its body, for whoever asks
// for it first.
func (r *request) withLimit(bytes int64) *request {
	return &request{Request: r.Request, body: sync.OnceValues(func() ([]byte, error) {
		return io.ReadAll(http.MaxBytesReader(nil, r.Body, bytes))
	})}
}
