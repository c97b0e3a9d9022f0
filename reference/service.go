package reference

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"

	"github.com/plantstore/conformance/reference/fault"
)

// plantsPath is the one path that the document defines (§4).
const plantsPath = "/plants"

// maxBody is the largest body that is read: 1 MiB. §8 gives no limit. Without one
// a single client could fill the memory.
const maxBody = 1 << 20

// service decides as the interface document says.
type service struct {
	credentials credentials
	store       Store
	logger      *slog.Logger
}

// decide is the decision on any request. Paths and methods come first: a
// request that is for no operation of the document needs no credential (§5
// demands one for operations).
func (s *service) decide(r *fault.Request) fault.Answer {
	switch {
	case r.URL.Path != plantsPath:
		return rejected(http.StatusNotFound, rejection{"path", "is unknown: only POST /plants is defined"})
	case r.Method != http.MethodPost:
		a := rejected(http.StatusMethodNotAllowed, rejection{"method", "is not defined: only POST /plants is"})
		a.Header.Set("Allow", http.MethodPost)
		return a
	}
	plant, err := s.createPlant(r)
	if err == nil {
		return fault.JSON(http.StatusOK, plant) // §4 rule 2
	}
	why, refused := errors.AsType[rejection](err)
	if !refused {
		// The cause may tell of files and disks, which is for the operator only.
		s.logger.ErrorContext(r.Context(), "store failed", "error", err)
		why = rejection{"store", "did not confirm that it keeps the plant"}
	}
	return rejected(http.StatusBadRequest, why)
}

// createPlant carries out POST /plants (§4). Its error is a rejection, or what
// kept the store from its work.
func (s *service) createPlant(r *fault.Request) (Plant, error) {
	// A connection that closes with a body unread may lose the answer on its way.
	body, err := readBody(r)
	if err := s.credentials.check(r.Header); err != nil {
		return Plant{}, err
	}
	if err != nil {
		return Plant{}, err
	}
	if len(body) == 0 { // §4 rule 1
		return Plant{}, rejection{"body", "is missing: send a JSON object with name and id"}
	}
	if err := checkContentHeaders(r.Header); err != nil {
		return Plant{}, err
	}
	p, err := readNewPlant(body)
	if err != nil {
		return Plant{}, err
	}
	err = s.store.Add(r.Context(), p)
	if errors.Is(err, ErrDuplicate) {
		return Plant{}, rejection{"id", fmt.Sprintf("%d is taken by another plant", p.ID)}
	}
	return p.Plant, err
}

// readBody returns the complete body, or a rejection.
func readBody(r *fault.Request) ([]byte, error) {
	const part = "body"
	body, err := r.ReadBody()
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
