package curl

import (
	"bytes"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/conn"
	"github.com/plantstore/conformance/suites/replay/redact"
)

// Command writes the message as a command for a POSIX shell that sends the same
// request once. It contains each credential as its [replay.Target.Variable], also one
// that the target lacks. The values of other secret headers are masked. If a
// credential goes into the query, the command needs curl 7.87 or later.
func Command(target replay.Target, m fixtures.Message) string {
	with, ok := m.With(target.Has)
	if !ok {
		with, _ = m.With(func(_ string, carried bool) bool { return carried })
	}
	m = with
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
	if accepts, _ := fixtures.FindField(m.Header, "Accept-Encoding"); accepts == "gzip" {
		words = append(words, "--compressed") // decodes the response
	}
	if target.TLS != nil && target.TLS.InsecureSkipVerify {
		words = append(words, "-k")
	}
	words = append(words, files(target.TLSFiles)...)
	words = append(words, resolve(target)...)
	if strings.ContainsAny(address, "[]{}") {
		words = append(words, "-g") // or curl would make several of it
	}
	variable := func(scheme string) string { return shellVariable(target.Variable(scheme)) }
	var plain, secret []string // of the query; curl must escape what is secret
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

// shellVariable is the name, if a shell can have a variable of that name.
func shellVariable(name string) string {
	if '0' <= name[0] && name[0] <= '9' || slices.ContainsFunc([]byte(name), func(c byte) bool { return !isNameByte(c) }) {
		return "CONFORMANCE_TOKEN"
	}
	return name
}

// files are the options that name the files.
func files(f replay.TLSFiles) []string {
	var words []string
	// Of what follows --cert a password begins with a colon.
	certificate := strings.ReplaceAll(strings.ReplaceAll(f.ClientCert, `\`, `\\`), `:`, `\:`)
	for _, file := range []struct{ option, path string }{{"--cacert", f.CACert}, {"--cert", certificate}, {"--key", f.ClientKey}} {
		if file.path != "" {
			words = append(words, file.option, quote(file.path))
		}
	}
	return words
}

// resolve are the options that make curl connect to where the client connects,
// and use no proxy either.
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
		// --resolve replaces an answer of DNS, which is not asked about addresses
		// and says nothing of ports.
		flag, to = "--connect-to", at.String()
	}
	return []string{"--noproxy", "'*'", flag, quote(address + ":" + to)}
}

// headerLine is a field as curl takes it: one without a value ends with a
// semicolon, or curl would leave it out. It leaves out so what it sends by itself.
func headerLine(h fixtures.Field) string {
	if h.IsRemoved() {
		return h.Name + ":"
	}
	if h.Value == "" {
		return h.Name + ";"
	}
	return h.Name + ": " + h.Value
}

// withBody adds the body: as an argument where it is text, from a pipe where
// a shell could not pass it on byte for byte.
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
		words = append(words, "-H", "'Expect:'") // or curl would ask first (RFC 9110 §10.1.1)
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

// longRun is from how many equal bytes on they are counted, not written.
const longRun = 256

// longestArgument is how long a body may be to stand in the command, in bytes.
// Systems bound an argument, the strictest at 32 KiB for all of them.
const longestArgument = 16 << 10

// isArgument reports whether a body can stand in the command.
func isArgument(body []byte) bool {
	if len(body) > longestArgument || !isText(body) {
		return false
	}
	_, run := firstRun(body)
	return run == 0
}

func isText(body []byte) bool {
	return utf8.Valid(body) && !bytes.ContainsFunc(body, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
}

// firstRun is where the first long run of one byte begins, and its length. Without one
// it is the end.
func firstRun(body []byte) (at, length int) {
	for at+longRun <= len(body) {
		end := at + longRun
		first := end - 1 // of the run that ends there
		for first > at && body[first-1] == body[end-1] {
			first--
		}
		if first == at {
			for end < len(body) && body[end] == body[at] {
				end++
			}
			return at, end - at
		}
		at = first
	}
	return len(body), 0
}

// printf writes a command that prints the body.
func printf(body []byte) string {
	var commands []string
	for len(body) > 0 {
		at, length := firstRun(body)
		if at > 0 {
			commands = append(commands, "printf '"+format(body[:at])+"'")
		}
		if length > 0 {
			commands = append(commands, fmt.Sprintf(`head -c %d /dev/zero | tr '\0' '\%03o'`, length, body[at]))
		}
		body = body[at+length:]
	}
	if len(commands) == 1 {
		return commands[0]
	}
	return "{ " + strings.Join(commands, "; ") + "; }"
}

// format is what printf(1) writes as this text: a first hyphen would begin an
// option.
func format(text []byte) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == '\\':
			b.WriteString(`\\`)
		case r == '%':
			b.WriteString("%%")
		case r == '\'', r == '-' && i == 0, r == utf8.RuneError, !unicode.IsPrint(r):
			for _, c := range text[i : i+size] {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// quote makes the text one word of a shell command, with nothing expanded.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// quoteValue quotes a text in which credentials may stand; the shell is to put those
// in, from the variables of their schemes.
func quoteValue(text string, variable func(scheme string) string) string {
	if !strings.Contains(text, fixtures.TokenPlaceholder) {
		return quote(text)
	}
	var b strings.Builder
	for rest := text; rest != ""; {
		if placeholder, scheme, after, ok := fixtures.CutToken(rest); ok {
			b.WriteString(value(placeholder, variable(scheme), after))
			rest = after
			continue
		}
		if strings.IndexByte("\\\"`$", rest[0]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(rest[0])
		rest = rest[1:]
	}
	return `"` + b.String() + `"`
}

// value is how a shell writes the credential in the variable as the placeholder asks.
func value(placeholder, variable, after string) string {
	encoded := func(before, behind string) string {
		return `$(printf %s "` + before + "${" + variable + "}" + behind + `" | base64 | tr -d '\n')`
	}
	switch {
	case placeholder == fixtures.PasswordPlaceholder:
		return encoded(fixtures.PasswordUser+":", "")
	case placeholder == fixtures.UserPlaceholder:
		return encoded("", ":")
	case placeholder == fixtures.BasicPlaceholder:
		return encoded("", "")
	case after != "" && isNameByte(after[0]):
		return "${" + variable + "}"
	}
	return "$" + variable
}

// isNameByte reports whether a shell would take c for a part of the variable's
// name before it.
func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
