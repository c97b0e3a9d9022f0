//go:build long

package hostiletest

import (
	"encoding/hex"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// canaries are tokens: a typical one, and one with characters that encodings change, which is also
// valid in a header field.
var canaries = []string{
	"Kq2CnrVx3Zt9+Rw5Yb2/Lm4Np6Qs8Hd7==",
	`Cn"r<7&K>q+2/V=` + "x3Zt9Rw5Yb" + `%41\u0041'$(id)` + "`~#;7",
}

// Secrets of --header, and the last one of the variable for secret headers with ordinary names.
const (
	cookieSecret = "c00kieCanaryZx7Wq9Lp"
	apiKeySecret = "ap1keyCanaryTy5Nb3Mv"
	proxySecret  = "pr0xyCanary/Gh8+Jk2="
	schemeSecret = "sch3meCanaryDf6Rs4Uj"
	plainSecret  = "pla1nCanaryHk2Vg8Xb"
)

var secretVariable = []string{"CONFORMANCE_SECRET_HEADERS=X-Plain: " + plainSecret}

var secretHeaders = []string{
	"--header", "Cookie: session=" + cookieSecret,
	"--header", "X-Api-Key: " + apiKeySecret,
	"--header", "Proxy-Authorization: Basic " + proxySecret,
}

// places are the places of an echo. Each writes an answer that contains the text and causes a
// finding or a parse error.
var places = []struct {
	name   string
	answer func(text string) string
}{
	{"status text", func(s string) string { return framed("400 "+s, isJSON, "{}") }},
	{"status", func(s string) string { return "HTTP/1.1 " + s + "\r\n\r\n" }},
	{"no HTTP", func(s string) string { return s + "\r\n\r\n" }},
	{"header line", func(s string) string { return "HTTP/1.1 200 OK\r\n" + s + "\r\n\r\n" }},
	{"header name", func(s string) string { return framed("400 No", isJSON+"X-"+s+": x\r\n", "{}") }},
	{"header name in hexadecimal", func(s string) string {
		return framed("400 No", isJSON+"X-"+hex.EncodeToString([]byte(s))+": x\r\n", "{}")
	}},
	{"header value", func(s string) string {
		return framed("400 No", isJSON+"X-Echo: "+s+"\r\nSet-Cookie: a="+s+"\r\n", "{}")
	}},
	{"media type", func(s string) string { return framed("499 No", "Content-Type: "+s+"\r\n", s) }},
	{"length", func(s string) string { return "HTTP/1.1 200 OK\r\nContent-Length: " + s + "\r\n\r\n" }},
	{"coding", func(s string) string { return "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + s + "\r\n\r\n" }},
	{"content coding", func(s string) string { return framed("200 OK", isJSON+"Content-Encoding: "+s+"\r\n", "{}") }},
	{"location", func(s string) string { return framed("307 Go", "Location: http://"+s+"/?"+s+"\r\n", "") }},
	{"retry", func(s string) string { return framed("400 No", isJSON+"Retry-After: "+s+"\r\n", s) }},
	{"chunk", func(s string) string {
		return "HTTP/1.1 200 OK\r\n" + isJSON + "Transfer-Encoding: chunked\r\n\r\n" + s + "\r\n"
	}},
	{"trailer", func(s string) string {
		return "HTTP/1.1 400 No\r\n" + isJSON + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Echo: " + s + "\r\n" + s + "\r\n\r\n"
	}},
	{"body", func(s string) string { return framed("200 OK", isJSON, s) }},
	{"body of text", func(s string) string { return framed("500 Oops", "Content-Type: text/html\r\n", "<pre>"+s+"</pre>") }},
	{"body that is no UTF-8", func(s string) string { return framed("200 OK", isJSON, "\xff"+s+"\xff") }},
	{"body in gzip", func(s string) string {
		return framed("200 OK", isJSON+"Content-Encoding: gzip\r\n", gzipped(`{"name": 1, "x": "`+s+`"}`))
	}},
	{"value", func(s string) string { return framed("200 OK", isJSON, `{"name": ["`+inJSON(s)+`"]}`) }},
	{"undeclared name", func(s string) string { return framed("200 OK", isJSON, `{"name": "x", "`+inJSON(s)+`": 1}`) }},
	{"name twice", func(s string) string {
		return framed("200 OK", isJSON, `{"name": "x", "`+inJSON(s)+`": 1, "`+inJSON(s)+`": 1}`)
	}},
	{"plant", func(s string) string {
		return framed("200 OK", isJSON, `{"name": "`+inJSON(s)+`", "tag": "`+inJSON(s)+`"}`)
	}},
	{"error", func(s string) string {
		return framed("400 No", isJSON, `{"error": "`+inJSON(s)+`", "message": "`+inJSON(s)+`"}`)
	}},
	{"far into the body", func(s string) string {
		return framed("200 OK", isJSON, `{"name": "`+strings.Repeat("x", 64<<10-20)+inJSON(s)+`", `+inJSON(s))
	}},
	{"end of what is kept", func(s string) string {
		return framed("200 OK", isJSON, strings.Repeat("x", 16<<10-len(s)/2)+s)
	}},
	{"body cut off", func(s string) string {
		return "HTTP/1.1 200 OK\r\n" + isJSON + "Content-Length: 9999\r\n\r\n" + s[:len(s)*3/4]
	}},
}

// The tests with echoes prove something only if the answers contain the secret.
func TestEveryPlaceHoldsTheEcho(t *testing.T) {
	for _, place := range places {
		if way := leak(place.answer(canaries[0]), canaries[0]); way == "" && place.name != "body in gzip" {
			t.Errorf("%s does not hold it", place.name)
		}
	}
}

// inJSON escapes a text for a JSON string.
func inJSON(s string) string { return strings.NewReplacer(`"`, `\"`).Replace(s) }

// echo answers with what it received, in another encoding for each request. One in four requests
// gets an ordinary answer, because otherwise the run would give up the target. It counts the
// answers that contained the secret.
type echo struct {
	answer  func(string) string
	asked   atomic.Int32
	secrets []string
	showed  atomic.Int32
}

func (e *echo) handle(conn net.Conn) {
	eachRequest(func(conn net.Conn, got request) bool {
		n := int(e.asked.Add(1)) - 1
		for _, secret := range e.secrets {
			received := ""
			for name, values := range got.Header {
				for _, value := range values {
					if strings.Contains(value, secret) {
						received = name + ": " + value
					}
				}
			}
			if received == "" {
				continue
			}
			if n%4 == 0 {
				break
			}
			encoded := encodings[int(e.showed.Add(1))%len(encodings)].encode(secret)
			answer := e.answer("Echo " + encoded + " Echo")
			say(answer)(conn)
			return false
		}
		say(framed("400 Bad Request", isJSON, `{"error": 1, "message": "no"}`))(conn)
		return true
	})(conn)
}

// echoed selects all fixtures that send the whole valid credential: more than there are encodings.
var echoed = []string{"--quick", "--tries=1", "--only=createPlant/valid", "--only=createPlant/missing-required", "--only=createPlant/malformed", "--concurrency=4"}

func TestTheTokenIsNowhere(t *testing.T) {
	for i, secret := range canaries {
		for _, place := range places {
			t.Run(fmt.Sprintf("%d as %s", i, place.name), func(t *testing.T) {
				t.Parallel()
				e := &echo{answer: place.answer, secrets: []string{secret}}
				server := serve(t, e.handle)
				o := child{args: append([]string{"--verbose"}, echoed...), token: secret, url: server.url()}.run(t)
				checkHidden(t, o, secret)
				checkStreams(t, o)
				checkReports(t, o)
				if n := int(e.showed.Load()); n < len(encodings) {
					t.Errorf("%d answers showed the secret, of %d encodings", n, len(encodings))
				}
				if o.code != exitNonconformant {
					t.Errorf("exit code %d", o.code)
				}
			})
		}
	}
}

// Secret headers are redacted like the token, even if only the contract says that they are secret.
func TestSecretHeadersAreNowhere(t *testing.T) {
	dir := t.TempDir()
	contract := writeFile(t, filepath.Join(dir, "api.yaml"), gateContract)
	for i := range 2 * len(encodings) {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("fixtures/look/valid/%02d.yaml", i)), "title: a look\nclause: look/accepts\nexpect: accepted\nrequest: {}\n")
	}
	gated := []string{"--concurrency=4", "--spec", contract, "--fixtures", filepath.Join(dir, "fixtures"), "--header", "X-Gate: " + schemeSecret}
	for _, secret := range []string{cookieSecret, apiKeySecret, proxySecret, schemeSecret, plainSecret} {
		for _, place := range places {
			if place.name != "error" && place.name != "header line" && place.name != "header value" && place.name != "body" {
				continue
			}
			t.Run(secret+" as "+place.name, func(t *testing.T) {
				t.Parallel()
				e := &echo{answer: place.answer, secrets: []string{secret}}
				server := serve(t, e.handle)
				args := append(append([]string{"--verbose"}, echoed...), secretHeaders...)
				if secret == schemeSecret {
					args = append([]string{"--verbose"}, gated...)
				}
				o := child{args: args, token: token, url: server.url(), env: secretVariable}.run(t)
				checkHidden(t, o, secret)
				if n := int(e.showed.Load()); n < len(encodings) {
					t.Errorf("%d answers showed the secret, of %d encodings", n, len(encodings))
				}
			})
		}
	}
	t.Run("dry run", func(t *testing.T) {
		for _, args := range [][]string{secretHeaders, gated} {
			o := child{args: append([]string{"--dry-run"}, args...), token: canaries[1], url: "http://127.0.0.1:1", env: secretVariable}.run(t)
			checkHidden(t, o, canaries[1], cookieSecret, apiKeySecret, proxySecret, schemeSecret, plainSecret)
			if o.code != exitConformant || !strings.Contains(o.out, "curl ") || !strings.Contains(o.out, "[redacted]") {
				t.Errorf("exit code %d", o.code)
				show(t, o)
			}
		}
	})
}

// Credentials of named security schemes are redacted like the token.
func TestNamedCredentialsAreNowhere(t *testing.T) {
	dir := t.TempDir()
	contract := writeFile(t, filepath.Join(dir, "api.yaml"), strings.Replace(gateContract, "security: [{bearer: []}]", "security: [{bearer: [], gate: []}]", 1))
	for i := range 2 * len(encodings) {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("fixtures/look/valid/%02d.yaml", i)), "title: a look\nclause: look/accepts\nexpect: accepted\nrequest: {}\n")
	}
	args := []string{"--verbose", "--concurrency=4", "--spec", contract, "--fixtures", filepath.Join(dir, "fixtures"),
		"--credential", "bearer=" + writeFile(t, filepath.Join(dir, "bearer"), canaries[1])}
	env := []string{"CONFORMANCE_CREDENTIAL_GATE=" + schemeSecret}
	for _, secret := range []string{canaries[1], schemeSecret} {
		for _, place := range places {
			t.Run(secret[:4]+" as "+place.name, func(t *testing.T) {
				t.Parallel()
				e := &echo{answer: place.answer, secrets: []string{secret}}
				server := serve(t, e.handle)
				o := child{args: args, url: server.url(), env: env}.run(t)
				checkHidden(t, o, canaries[1], schemeSecret)
				if n := int(e.showed.Load()); n < len(encodings) {
					t.Errorf("%d answers showed the secret, of %d encodings", n, len(encodings))
				}
			})
		}
	}
	t.Run("dry run", func(t *testing.T) {
		o := child{args: append([]string{"--dry-run"}, args...), url: "http://127.0.0.1:1", env: env}.run(t)
		checkHidden(t, o, canaries[1], schemeSecret)
		for _, variable := range []string{"$CONFORMANCE_CREDENTIAL_BEARER", "$CONFORMANCE_CREDENTIAL_GATE"} {
			if o.code != exitConformant || !strings.Contains(o.out, variable) {
				t.Errorf("exit code %d, want a command with %s", o.code, variable)
			}
		}
	})
}

const gateContract = `
openapi: 3.0.3
info: {title: Gate, version: "1"}
security: [{gate: []}]
paths:
  /look:
    get:
      operationId: look
      security: [{bearer: []}]
      responses:
        '200': {description: ok}
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    gate: {type: apiKey, in: header, name: X-Gate}
`
