package reference

import (
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net/http"
	"strings"
)

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

// single is the value of a field that must be sent once.
func single(header http.Header, name, whatToDo string) (string, error) {
	switch values := header.Values(name); len(values) {
	case 0:
		return "", rejection{name, "is missing: " + whatToDo}
	case 1:
		return values[0], nil
	}
	return "", rejection{name, "must be sent once"}
}

// credentials are the digests of the tokens that are accepted. Digests have
// one length, so a comparison takes the same time for every token presented,
// near or far.
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
	// It is compared with every known token, whether or not one was found
	// already, so that time does not tell which one it was.
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
