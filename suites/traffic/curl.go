package traffic

import (
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/curl"
	"github.com/plantstore/conformance/suites/replay/redact"
)

// command is a recorded request, without secrets, as a curl command. It contains
// the credential as the command of a fixture does.
func command(r replay.Request) string {
	m := fixtures.Message{Method: r.Method, Path: r.URL, Body: r.Body, HasBody: r.Body != nil}
	for _, h := range r.Header {
		switch name := strings.ToLower(h.Name); {
		case name == "authorization":
			scheme, _, _ := strings.Cut(h.Value, " ")
			m.Header = append(m.Header, fixtures.Field{Name: h.Name, Value: scheme + " " + fixtures.TokenPlaceholder})
		case isPassedOn(name) && h.Value != redact.Mask:
			m.Header = append(m.Header, h)
		}
	}
	return curl.Script(replay.Target{}, m)
}

// isPassedOn reports whether a field belongs to the request: not to its
// connection, its framing, or the browser that sent it.
func isPassedOn(name string) bool {
	return !strings.HasPrefix(name, "sec-") && !slices.Contains([]string{
		"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "te", "trailer", "upgrade", "expect",
		"keep-alive", "proxy-connection", "user-agent", "accept-language", "referer", "origin", "priority", "dnt",
		"upgrade-insecure-requests", "cache-control", "pragma",
	}, name)
}
