package reference

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"

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

// decide makes the decision on any request. Paths and methods come first: a request without an
// operation in the document needs no credential (§5 requires one for operations).
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
		// The cause may contain details of files and disks, which only the operator may see.
		s.logger.ErrorContext(r.Context(), "store failed", "error", err)
		why = rejection{"store", "did not confirm that it keeps the plant"}
	}
	return rejected(http.StatusBadRequest, why)
}

// createPlant performs POST /plants (§4). Its error is a rejection, or the reason why the store
// failed.
func (s *service) createPlant(r *fault.Request) (Plant, error) {
	// Closing a connection with an unread body may lose the answer.
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

// checkContentHeaders demands a body that is declared as application/json (§4)
// and not encoded.
//
// The media type is compared without regard to case (RFC 9110 §8.3.1). Its
// parameters must be well-formed and are ignored: application/json defines none, and
// charset has no effect on it (RFC 8259 §11). So the body is always read as UTF-8.
func checkContentHeaders(header http.Header) error {
	const mediaType, coding = "Content-Type", "Content-Encoding"
	for _, value := range header.Values(coding) {
		if value != "" {
			return rejection{coding, "must not be used: send the JSON as it is"}
		}
	}
	value, err := single(header, mediaType, "it must be application/json")
	if err != nil {
		return err
	}
	declared, _, err := mime.ParseMediaType(value)
	if err != nil || declared != "application/json" {
		return rejection{mediaType, "must be application/json, not " + quoted(value)}
	}
	return nil
}

// single returns the value of a header field that must be sent once.
func single(header http.Header, name, whatToDo string) (string, error) {
	switch values := header.Values(name); len(values) {
	case 0:
		return "", rejection{name, "is missing: " + whatToDo}
	case 1:
		return values[0], nil
	}
	return "", rejection{name, "must be sent once"}
}

// credentials are the digests of the accepted tokens. All digests have the same length, so a
// comparison takes the same time for every token.
type credentials [][sha256.Size]byte

func newCredentials(tokens []string) credentials {
	known := make(credentials, len(tokens))
	for i, token := range tokens {
		known[i] = sha256.Sum256([]byte(token))
	}
	return known
}

// check demands one Authorization header with an accepted bearer token (§5).
// The scheme is compared without regard to case (RFC 9110 §11.1).
func (c credentials) check(header http.Header) error {
	const part = "Authorization"
	value, err := single(header, part, "send a bearer token")
	if err != nil {
		return err
	}
	scheme, token, _ := strings.Cut(value, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return rejection{part, "must be the word Bearer, a space and a token"}
	}
	token = strings.TrimLeft(token, " ")
	if token == "" {
		return rejection{part, "has no token after the word Bearer"}
	}
	// Compare with every known token, even after a match, so that the time does not show which one
	// matched.
	presented := sha256.Sum256([]byte(token))
	found := 0
	for _, known := range c {
		found |= subtle.ConstantTimeCompare(presented[:], known[:])
	}
	if found == 0 {
		return rejection{part, "has a token that is not accepted here"}
	}
	return nil
}

// errorBody is the body of every answer except 200 (§7 Error). The document does not relate its
// number to the status. Here they are the same.
type errorBody struct {
	Error   int32  `json:"error"`
	Message string `json:"message"`
}

// rejected returns the answer to a rejected request (§4 rule 3).
func rejected(status int32, why rejection) fault.Answer {
	a := fault.JSON(int(status), errorBody{Error: status, Message: why.Error()})
	a.Rejected = why.part
	return a
}

// rejection is the reason why a request is rejected. Only part goes to the access log: it is one of
// a few fixed words, but problem may quote the request.
type rejection struct {
	part    string // of the request: a header, "body", or a property of the body
	problem string // completes the sentence that part begins
}

func (r rejection) Error() string { return r.part + " " + r.problem }

// maxQuoted is the maximum number of characters that a message quotes from a request.
const maxQuoted = 60

// excerpt shortens a text from a request for a message.
func excerpt(text string) string {
	characters := 0
	for i := range text {
		if characters == maxQuoted {
			return text[:i] + "…"
		}
		characters++
	}
	return text
}

// quoted returns an excerpt in double quotes, with control characters escaped.
func quoted(text string) string { return strconv.Quote(excerpt(text)) }
