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

// readBody returns a body of at least one byte (§4 rule 1), or a rejection.
func readBody(from io.Reader) ([]byte, error) {
	const part = "body"
	body, err := io.ReadAll(from)
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		return nil, rejection{part, fmt.Sprintf("must not be larger than %d bytes", maxBody)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, rejection{part, "did not arrive in time"}
	case err != nil:
		return nil, rejection{part, "did not arrive in full"}
	case len(body) == 0:
		return nil, rejection{part, "is missing: send a JSON object with name and id"}
	}
	return body, nil
}
