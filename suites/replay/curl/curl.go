package curl

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/conn"
	"github.com/plantstore/conformance/suites/replay/redact"
)

// Command returns a command for a POSIX shell that sends the request of the message
// once. It contains each credential as its [replay.Target.Variable], even if the target
// lacks it. The values of other secret headers are redacted. If a credential goes into
// the query, the command needs curl 7.87 or later.
func Command(target replay.Target, m fixtures.Message) string {
	with, ok := m.With(target.Has)
	if !ok {
		with, _ = m.With(func(_ string, carried bool) bool { return carried })
	}
	m = with
	address := strings.TrimSuffix(target.BaseURL, "/") + m.Path
	if u, err := url.Parse(address); err == nil {
		address = u.String() // with the necessary escapes
	}
	words := []string{"curl", "-sS", "-i"}
	switch {
	case m.Method == http.MethodHead:
		words = []string{"curl", "-sS", "-I"} // with -X HEAD, curl would wait for a body
	case m.Method != http.MethodGet || m.HasBody:
		words = append(words, "-X", m.Method)
	}
	if accepts, _ := fixtures.FindField(m.Header, "Accept-Encoding"); accepts == "gzip" {
		words = append(words, "--compressed") // decodes the response
	}
	if target.TLS != nil && target.TLS.InsecureSkipVerify {
		words = append(words, "-k")
	}
	words = append(words, files(target.TLSFiles)...)
	words = append(words, resolve(target)...)
	if strings.ContainsAny(address, "[]{}") {
		words = append(words, "-g") // or curl would expand them to several URLs
	}
	variable := func(scheme string) string { return shellVariable(target.Variable(scheme)) }
	var plain, secret []string // parts of the query; curl must escape the secret ones
	for _, q := range m.Query {
		if strings.Contains(q.Value, fixtures.TokenPlaceholder) {
			secret = append(secret, "--url-query", quoteValue(fixtures.EscapeQuery(q.Name)+"="+q.Value, variable))
			continue
		}
		plain = append(plain, fixtures.EscapeQuery(q.Name)+"="+fixtures.EscapeQuery(q.Value))
	}
	if plain != nil && strings.Contains(address, "?") {
		address += "&" + strings.Join(plain, "&")
	} else if plain != nil {
		address += "?" + strings.Join(plain, "&")
	}
	words = append(append(words, quote(address)), secret...)
	for _, h := range target.HeadersOf(m) {
		if target.IsSecret(h.Name) {
			h.Value = redact.Mask
		}
		words = append(words, "-H", quote(headerLine(h)))
	}
	for _, h := range m.Header {
		if m.Wire == fixtures.LowerCase {
			h.Name = strings.ToLower(h.Name)
		}
		if m.Wire == fixtures.UpperCase {
			h.Name = strings.ToUpper(h.Name)
		}
		line := headerLine(h)
		if m.Wire == fixtures.NoSpace {
			line = strings.Replace(line, ": ", ":", 1)
		}
		words = append(words, "-H", quoteValue(line, variable))
	}
	return withBody(words, m, variable)
}

// shellVariable returns the name if it is a valid shell variable, otherwise the default name.
func shellVariable(name string) string {
	if '0' <= name[0] && name[0] <= '9' || slices.ContainsFunc([]byte(name), func(c byte) bool { return !isNameByte(c) }) {
		return "CONFORMANCE_TOKEN"
	}
	return name
}

func files(f replay.TLSFiles) []string {
	var words []string
	// In the value of --cert, a colon starts the password.
	certificate := strings.ReplaceAll(strings.ReplaceAll(f.ClientCert, `\`, `\\`), `:`, `\:`)
	for _, file := range []struct{ option, path string }{{"--cacert", f.CACert}, {"--cert", certificate}, {"--key", f.ClientKey}} {
		if file.path != "" {
			words = append(words, file.option, quote(file.path))
		}
	}
	return words
}

// resolve returns the options that make curl connect to the address in target.Resolve
// and use no proxy.
func resolve(target replay.Target) []string {
	base, err := url.Parse(target.BaseURL)
	if err != nil {
		return nil
	}
	at, err := conn.Resolve(target.Resolve, base)
	if err != nil || !at.IsValid() {
		return nil
	}
	address := conn.Address(base)
	port := address[strings.LastIndex(address, ":")+1:]
	flag, to := "--resolve", strings.TrimSuffix(at.String(), ":"+port)
	if _, err := netip.ParseAddr(base.Hostname()); err == nil || strconv.Itoa(int(at.Port())) != port {
		// --resolve only replaces a DNS result. It works neither for a host that is an
		// IP address nor for another port.
		flag, to = "--connect-to", at.String()
	}
	return []string{"--noproxy", "'*'", flag, quote(address + ":" + to)}
}

// headerLine returns a header field in the syntax of curl. A field with an empty value
// ends with a semicolon. "Name:" removes a field that curl sends by default.
func headerLine(h fixtures.Field) string {
	if h.IsRemoved() {
		return h.Name + ":"
	}
	if h.Value == "" {
		return h.Name + ";"
	}
	return h.Name + ": " + h.Value
}

// withBody adds the body: as an argument if it is text, or from a pipe if a shell
// argument would not keep every byte.
func withBody(words []string, m fixtures.Message, variable func(scheme string) string) string {
	if _, typed := fixtures.FindField(m.Header, "Content-Type"); m.HasBody && !typed {
		words = append(words, "-H", "'Content-Type:'") // or curl would add its own
	}
	switch m.Wire {
	case fixtures.Closing:
		words = append(words, "-H", "'Connection: close'")
	case fixtures.Upgrade:
		words = append(words, "-H", "'Connection: Upgrade'", "-H", "'Upgrade: conformance/1'")
	default:
	}
	if m.Chunked && len(m.Body) > 0 {
		words = append(words, "-H", "'Transfer-Encoding: chunked'")
	}
	if len(m.Body) >= 1<<20 {
		words = append(words, "-H", "'Expect:'") // or curl would wait for 100 (RFC 9110 §10.1.1)
	}
	switch {
	case m.Gzip:
		return printf(m.Body) + " | gzip | " + strings.Join(append(words, "--data-binary", "@-"), " ")
	case !m.HasBody:
		return strings.Join(words, " ")
	case len(m.Body) == 0:
		return strings.Join(append(words, "-H", "'Transfer-Encoding: chunked'", "--data-binary", "''"), " ")
	case m.Secret:
		return strings.Join(append(words, "--data-raw", quoteValue(string(m.Body), variable)), " ")
	case isArgument(m.Body):
		flag := "--data-binary"
		if m.Body[0] == '@' {
			flag = "--data-raw"
		}
		return strings.Join(append(words, flag, quote(string(m.Body))), " ")
	}
	return printf(m.Body) + " | " + strings.Join(append(words, "--data-binary", "@-"), " ")
}
