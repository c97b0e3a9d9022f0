package replay

import (
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
)

// Masked is what stands in the place of a secret.
const Masked = mask

// maxSecrets is how many bytes of secrets are looked for in every form, and in
// parts: the cost of a redactor is that of some ten forms of each.
const maxSecrets = 8 << 10

// Secrets are texts that must not get out of exchanges that were recorded
// elsewhere.
type Secrets struct{ redactor *redactor }

// NewSecrets makes them of texts, the weightiest first. Those within the first
// 8 KiB are masked in whatever form they appear, the rest as they are.
func NewSecrets(texts []string) Secrets {
	n, size := 0, 0
	for n < len(texts) && size+len(texts[n]) <= maxSecrets {
		size += len(texts[n])
		n++
	}
	s := Secrets{newRedactor(texts[:n])}
	var pairs []string
	for _, text := range texts[n:] {
		if len(text) >= minSecret {
			pairs = append(pairs, text, mask)
		}
	}
	if pairs != nil {
		s.redactor.exact = strings.NewReplacer(pairs...)
	}
	return s
}

// Text gives the text with the secrets masked.
func (s Secrets) Text(text string) string { return s.redactor.text(text) }

// Bytes gives the bytes with the secrets masked; the same slice where there
// are none.
func (s Secrets) Bytes(text []byte) []byte { return s.redactor.bytes(text) }

// IsSecretName says whether a header or parameter of that name may carry a
// credential, as far as the name tells.
func IsSecretName(name string) bool { return isSecretName(name) }

// Recorded makes an exchange of a request and a complete response that were
// recorded elsewhere. The secrets stay in [Exchange.Raw] and in the body of the
// request, which the judge compares with the response: who keeps the exchange
// after that masks the body with Bytes.
func (s Secrets) Recorded(request Request, status int, header http.Header, body []byte) Exchange {
	x := s.Unanswered(request, nil)
	x.Response = &Response{Status: status, Header: s.redactor.header(header), Body: s.redactor.bytes(body), raw: &raw{header, body}}
	return x
}

// Unanswered is Recorded for a request to which there is no complete response,
// and why.
func (s Secrets) Unanswered(request Request, failure *Failure) Exchange {
	request.URL = s.redactor.text(request.URL)
	request.Header = slices.Clone(request.Header)
	for i, h := range request.Header {
		request.Header[i] = fixtures.Field{Name: s.redactor.text(h.Name), Value: s.redactor.text(h.Value)}
	}
	if failure != nil {
		failure = &Failure{failure.Kind, s.redactor.text(failure.Message)}
	}
	return Exchange{Request: request, Failure: failure, redactor: s.redactor}
}
