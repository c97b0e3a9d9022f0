package reference

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
)

// maxBody is the largest body that is read: 1 MiB. §8 gives no limit; without
// one a single client could fill the memory.
const maxBody = 1 << 20

// request is one HTTP request as the decision sees it.
type request struct {
	*http.Request

	// body returns the whole body. It is read on the first call, so a request
	// that is rejected for its credential costs nothing more, and kept for the
	// next.
	body func() ([]byte, error)
}

func newRequest(w http.ResponseWriter, r *http.Request) *request {
	limited := http.MaxBytesReader(w, r.Body, maxBody)
	return &request{
		Request: r,
		body:    sync.OnceValues(func() ([]byte, error) { return readBody(limited) }),
	}
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
		return readBody(http.MaxBytesReader(nil, r.Body, bytes))
	})}
}

// readBody returns a body that is all there, or a rejection.
func readBody(from io.Reader) ([]byte, error) {
	const part = "body"
	body, err := io.ReadAll(from)
	limit, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		return nil, rejection{part, fmt.Sprintf("must not be larger than %d bytes", limit.Limit)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, rejection{part, "did not arrive in time"}
	case err != nil:
		return nil, rejection{part, "did not arrive in full"}
	}
	return body, nil
}
