package reference

import (
	"mime"
	"net/http"
)

// checkContentHeaders demands a body that is declared as application/json (§4)
// and not encoded.
//
// The media type is compared without regard to case (RFC 9110 §8.3.1). Its
// parameters must be well-formed but have no say: application/json defines
// none, and charset has no effect on it (RFC 8259 §11), so the body is read as
// UTF-8 whatever it claims.
func checkContentHeaders(header http.Header) error {
	const mediaType, coding = "Content-Type", "Content-Encoding"
	for _, value := range header.Values(coding) {
		if value != "" {
			return rejection{coding, "must not be used: send the JSON as it is"}
		}
	}
	values := header.Values(mediaType)
	switch len(values) {
	case 0:
		return rejection{mediaType, "is missing: it must be application/json"}
	case 1:
	default:
		return rejection{mediaType, "must be sent once"}
	}
	declared, _, err := mime.ParseMediaType(values[0])
	if err != nil || declared != "application/json" {
		return rejection{mediaType, "must be application/json, not " + quoted(values[0])}
	}
	return nil
}
