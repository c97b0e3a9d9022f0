package replay

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay/redact"
)

// longestArgument is how long a body may be to stand in the command, in bytes.
// Systems bound an argument, the strictest at 32 KiB for all of them.
const longestArgument = 16 << 10

// Curl writes the message as a command for a POSIX shell that sends the same
// request once. The credential stands in it as $CONFORMANCE_TOKEN, or another
// [Target.TokenVariable]; values of other secret headers are masked. It may take curl 7.87 or later where the
// credential goes into the query.
func Curl(target Target, m fixtures.Message) string {
	address := strings.TrimSuffix(target.BaseURL, "/") + m.Path
	if u, err := url.Parse(address); err == nil {
		address = u.String() // escaped where it has to be
	}
	words := []string{"curl", "-sS", "-i"}
	switch {
	case m.Method == http.MethodHead:
		words = []string{"curl", "-sS", "-I"} // or curl would wait for a body
	case m.Method != http.MethodGet || m.HasBody:
		words = append(words, "-X", m.Method)
	}
	if target.TLS != nil && target.TLS.InsecureSkipVerify {
		words = append(words, "-k")
	}
	words = append(words, target.TLSFiles.curlWords()...)
	words = append(words, target.curlResolve()...)
	if strings.ContainsAny(address, "[]{}") {
		words = append(words, "-g") // or curl would make several of it
	}
	plain, secret := splitQuery(m.Query)
	words = append(words, quote(address+query(plain, "")))
	for _, q := range secret {
		words = append(words, "--url-query", quoteValue(url.QueryEscape(q.Name)+"="+q.Value, target.tokenVariable()))
	}
	for _, h := range target.Headers {
		if target.IsSecret(h.Name) {
			h.Value = redact.Mask
		}
		words = append(words, "-H", quote(headerLine(h)))
	}
	for _, h := range m.Header {
		words = append(words, "-H", quoteValue(headerLine(h), target.tokenVariable()))
	}
	return withBody(words, m)
}

// splitQuery parts what curl has to escape from what can stand in the URL.
func splitQuery(fields []fixtures.Field) (plain, secret []fixtures.Field) {
	for _, f := range fields {
		if strings.Contains(f.Value, fixtures.TokenPlaceholder) {
			secret = append(secret, f)
		} else {
			plain = append(plain, f)
		}
	}
	return plain, secret
}

// headerLine is a field as curl takes it: one without a value ends with a
// semicolon, or curl would leave it out.
func headerLine(h fixtures.Field) string {
	if h.Value == "" {
		return h.Name + ";"
	}
	return h.Name + ": " + h.Value
}

// withBody adds the body: as an argument where it is text, from a pipe where
// a shell could not pass it on byte for byte.
func withBody(words []string, m fixtures.Message) string {
	if _, ok := find(m.Header, "Content-Type"); m.HasBody && !ok {
		words = append(words, "-H", "'Content-Type:'") // or curl would add its own
	}
	if m.Chunked && len(m.Body) > 0 {
		words = append(words, "-H", "'Transfer-Encoding: chunked'")
	}
	if len(m.Body) >= 1<<20 {
		words = append(words, "-H", "'Expect:'") // or curl would ask first (RFC 9110 §10.1.1)
	}
	switch {
	case !m.HasBody:
		return strings.Join(words, " ")
	case len(m.Body) == 0:
		return strings.Join(append(words, "-H", "'Transfer-Encoding: chunked'", "--data-binary", "''"), " ")
	case len(m.Body) <= longestArgument && isText(m.Body) && !hasLongRun(m.Body):
		flag := "--data-binary"
		if m.Body[0] == '@' {
			flag = "--data-raw"
		}
		return strings.Join(append(words, flag, quote(string(m.Body))), " ")
	}
	return printf(m.Body) + " | " + strings.Join(append(words, "--data-binary", "@-"), " ")
}
