package replay_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

const apiKey = "k3y-0f-the-gateway"

// echo writes the text in many ways, in header and body.
func echo(w http.ResponseWriter, text string) {
	inJSON, _ := json.Marshal(text)
	ways := []string{
		text, strings.ToUpper(text), url.QueryEscape(text), hex.EncodeToString([]byte(text)), string(inJSON),
		base64.StdEncoding.EncodeToString([]byte(text)), base64.StdEncoding.EncodeToString([]byte("user:" + text)),
		text[:12], text[len(text)-12:],
	}
	for i, way := range ways {
		w.Header().Set(fmt.Sprintf("X-Echo-%d", i), way)
	}
	w.Header()["X-"+url.PathEscape(text)] = []string{"1"}
	w.Header().Set("Www-Authenticate", `Bearer error="invalid_token", error_description="`+text+`"`)
	json.NewEncoder(w).Encode(map[string]any{"ways": ways, "dump": "Authorization: Bearer " + text})
}

// recorded returns everything that reports may show of an exchange.
func recorded(x replay.Exchange) string {
	var response, failure any
	if x.Response != nil {
		response = []any{x.Response.Status, x.Response.Header, string(x.Response.Body)}
	}
	if x.Failure != nil {
		failure = *x.Failure
	}
	return fmt.Sprint(x.Request.Method, x.Request.URL, x.Request.Header, string(x.Request.Body), response, failure)
}

func checkHidden(t *testing.T, text string, secrets ...string) {
	t.Helper()
	plain, _ := url.QueryUnescape(text)
	for _, secret := range secrets {
		for _, form := range []string{
			secret, secret[:12], secret[len(secret)-12:], hex.EncodeToString([]byte(secret)),
			base64.RawStdEncoding.EncodeToString([]byte(secret))[:12], base64.RawStdEncoding.EncodeToString([]byte("user:" + secret))[8:20],
		} {
			if strings.Contains(strings.ToLower(text+plain), strings.ToLower(form)) {
				t.Errorf("%q shows in %s", form, text)
			}
		}
	}
}

func TestSecretsAreNotRecorded(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		echo(w, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+r.URL.Query().Get("key")+r.Header.Get("X-Api-Key"))
	})
	target := replay.Target{BaseURL: server.URL, Token: token, Headers: fields("X-Api-Key", apiKey, "X-Tenant", "seven", "X-Copy", token)}
	m := post("{}")
	m.Query = fields("key", "$token", "page", "2")
	x := newClient(t, target, limits()).Exchange(t.Context(), m)
	if x.Failure != nil {
		t.Fatal(*x.Failure)
	}
	checkHidden(t, recorded(x), token, apiKey)
	if got := x.Request.Header; fmt.Sprint(got) != fmt.Sprint(fields(
		"X-Api-Key", "[redacted]", "X-Tenant", "seven", "X-Copy", "[redacted]",
		"Content-Type", "application/json", "Authorization", "Bearer [redacted]")) {
		t.Errorf("%v", got)
	}
	if want := server.URL + "/plants?key=%5Bredacted%5D&page=2"; x.Request.URL != want {
		t.Errorf("%s, want %s", x.Request.URL, want)
	}

	header, body := x.Raw()
	if !strings.Contains(string(body), token) || header.Get("X-Echo-0") == "" || strings.Contains(header.Get("X-Echo-0"), "[redacted]") {
		t.Errorf("the judge is not told the truth: %v %s", header, body)
	}
	checkHidden(t, x.Redact(string(body)+fmt.Sprint(header)), token, apiKey)

	kept := x.Forget()
	if header, body := kept.Raw(); header != nil || body != nil {
		t.Errorf("not forgotten: %v %s", header, body)
	}
	if _, body := x.Raw(); body == nil {
		t.Error("the original is touched")
	}
	if recorded(kept) != recorded(x) {
		t.Error("more than the truth is forgotten")
	}
	checkHidden(t, kept.Redact(token), token)
}

// A credential in a body is sent, but redacted in the record, even if it is short.
func TestSecretBodiesAreNotRecorded(t *testing.T) {
	for _, secret := range []string{token, "abc"} {
		got := make(chan string, 1)
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got <- string(body)
			_, _ = w.Write(body)
		})
		m := post(`{"access_token":"$token"}`)
		m.Secret = true
		x := newClient(t, replay.Target{BaseURL: server.URL, Token: secret}, limits()).Exchange(t.Context(), m)
		if sent := <-got; sent != `{"access_token":"`+secret+`"}` {
			t.Errorf("%s is sent", sent)
		}
		for _, kept := range []string{string(x.Request.Body), string(x.RequestBody()), string(x.Forget().RequestBody())} {
			if kept != `{"access_token":"[redacted]"}` {
				t.Errorf("%s is recorded", kept)
			}
		}
	}
}

// TestPartsOfSecretHeaders: the parts of a secret header that a target may show.
func TestPartsOfSecretHeaders(t *testing.T) {
	const password, session = "a password of bob", "abcd1234ef"
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("bob:"+password))
	for _, row := range []struct{ name, value, shown string }{
		{"Authorization", basic, password},
		{"X-Proxy-Auth", basic, password},
		{"Cookie", "theme=dark; sid=" + session, session},
	} {
		handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "not "+row.shown+", dark") })
		c := newClient(t, replay.Target{BaseURL: "http://handler.example", Headers: fields(row.name, row.value), Handler: handler}, limits())
		x := c.Exchange(t.Context(), post("{}"))
		if got := string(x.Response.Body); got != "not [redacted], dark" {
			t.Errorf("%s: %q is recorded", row.name, got)
		}
	}
}

// TestPartsOfCredentials: the parts of a credential that a target may show.
func TestPartsOfCredentials(t *testing.T) {
	for _, row := range []struct{ name, credential, body, want string }{
		{"after a scheme", "Token lstoken0000", `{"token":"lstoken0000"}`, `{"token":"[redacted]"}`},
		{"Bearer", "Bearer opaque-00", "no opaque-00", "no [redacted]"},
		{"Basic", "Basic " + base64.StdEncoding.EncodeToString([]byte("bob:hunter22")), "not hunter22", "not [redacted]"},
		{"a pair", "bob:hunter22", "not hunter22", "not [redacted]"},
		{"the scheme alone", "Token lstoken0000", "Token expected", "Token expected"},
		{"a space in a password", "bob:open name", `{"name":"x"}`, `{"name":"x"}`},
	} {
		handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, row.body) })
		for _, target := range []replay.Target{{Token: row.credential}, {Credentials: map[string]string{"key": row.credential}}} {
			target.BaseURL, target.Handler = "http://handler.example", handler
			x := newClient(t, target, limits()).Exchange(t.Context(), post("{}"))
			if got := string(x.Response.Body); got != row.want {
				t.Errorf("%s: %q is recorded, want %q", row.name, got, row.want)
			}
		}
	}
}

// Short tokens are redacted in the fields for credentials, although they cannot be
// recognized elsewhere.
func TestShortTokenIsNotRecorded(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	m := post("{}")
	m.Query = fields("key", "$token", "basic", "$tokenBase64")
	x := newClient(t, replay.Target{BaseURL: server.URL, Token: "abc"}, limits()).Exchange(t.Context(), m)
	if text := recorded(x); strings.Contains(text, "abc") || strings.Contains(text, "YWJj") {
		t.Error(text)
	}
}

func TestSecretsInErrors(t *testing.T) {
	for name, answer := range map[string]string{
		"status line": "HTTP/1.1 " + token + "\r\n\r\n",
		"no HTTP":     "Bearer " + token + "\r\n\r\n",
		"field":       "HTTP/1.1 200 OK\r\n" + token + "\r\n\r\n",
		"length":      "HTTP/1.1 200 OK\r\nContent-Length: " + token + "\r\n\r\n",
		"coding":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + token + "\r\n\r\n",
		"body":        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + token,
	} {
		t.Run(name, func(t *testing.T) {
			target := serveRaw(t, func(conn net.Conn) {
				answering(answer)(&oneRequest{Conn: conn})
			})
			x := clientFor(t, target.URL).Exchange(t.Context(), post("{}"))
			checkFailure(t, x, replay.Incomplete, "")
			checkHidden(t, recorded(x), token)
		})
	}
}

// oneRequest is a connection that closes its side after the first write.
type oneRequest struct{ net.Conn }

func (c *oneRequest) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.Conn.(*net.TCPConn).CloseWrite()
	return n, err
}

// A body that ends at the limit, in the middle of the token.
func TestSecretAtTheLimit(t *testing.T) {
	for n := 1; n <= len(token); n++ {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "Bearer "+token) })
		c := clientFor(t, server.URL, func(l *replay.Limits) { l.MaxBody = int64(7 + n) })
		x := c.Exchange(t.Context(), post("{}"))
		want := "Bearer [redacted]"
		if n < 4 {
			want = "Bearer " + token[:n] // too short to recognize
		}
		if got := string(x.Response.Body); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestForgetLongBodies(t *testing.T) {
	for _, row := range []struct {
		name string
		body string
		kept int
		cut  bool
	}{
		{"short", "{}", 2, false},
		{"as long as is kept", strings.Repeat("x", 64<<10), 64 << 10, false},
		{"longer", strings.Repeat("x", 64<<10+1), 64 << 10, true},
		{"in the middle of a letter", strings.Repeat("x", 64<<10-1) + "植", 64<<10 - 1, true},
		{"no UTF-8", strings.Repeat("\x80", 70<<10), 64 << 10, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			server := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, row.body) })
			x := clientFor(t, server.URL).Exchange(t.Context(), post("{}"))
			if string(x.Response.Body) != row.body || x.Response.Cut {
				t.Fatal("is not whole to begin with")
			}
			got := x.Forget().Response
			if len(got.Body) != row.kept || got.Cut != row.cut || !strings.HasPrefix(row.body, string(got.Body)) {
				t.Errorf("%d bytes, cut %t; want %d, %t", len(got.Body), got.Cut, row.kept, row.cut)
			}
			if utf8.ValidString(row.body) != utf8.Valid(got.Body) {
				t.Error("a letter is torn")
			}
		})
	}
}

func TestForgetLongHeaders(t *testing.T) {
	tiny := http.Header{}
	for i := range 1000 {
		tiny.Add("X-"+strconv.Itoa(i), "")
	}
	for _, row := range []struct {
		name   string
		header http.Header
		kept   func(fields int) bool
		cut    bool
	}{
		{"short", http.Header{"X-A": {"1", "2"}, "X-B": {"3"}}, func(n int) bool { return n == 4 }, false},
		{"one long field", http.Header{"X-A": {strings.Repeat("x", 9<<10)}, "X-B": {"3"}}, func(n int) bool { return n == 3 }, true},
		{"one long field and one almost so", http.Header{"X-A": {strings.Repeat("x", 9<<10)}, "X-B": {strings.Repeat("x", 7<<10)}}, func(n int) bool { return n == 3 }, true},
		{"many small fields", tiny, func(n int) bool { return n > 50 && n < 200 }, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			server := serve(t, func(w http.ResponseWriter, r *http.Request) { maps.Copy(w.Header(), row.header) })
			x := clientFor(t, server.URL).Exchange(t.Context(), post("{}"))
			got := x.Forget().Response
			if !row.kept(len(got.Header)) || got.HeaderCut != row.cut || x.Response.HeaderCut != row.cut {
				t.Errorf("%d fields, cut %t; want cut %t", len(got.Header), got.HeaderCut, row.cut)
			}
		})
	}
}

func TestNothingToForget(t *testing.T) {
	var x replay.Exchange
	if header, body := x.Forget().Raw(); header != nil || body != nil {
		t.Error(header, body)
	}
	if got := x.Redact("text"); got != "text" {
		t.Error(got)
	}
}

// The recorded request is the request of the fixture, byte for byte.
func TestRequestIsRecorded(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	m := fixtures.Message{Method: "PUT", Path: "/a%2Fb", Query: fields("q", "x y"), Body: []byte("\x00{"), HasBody: true, Header: fields("X-B", "2", "X-A", "1")}
	x := clientFor(t, server.URL+"/v1").Exchange(t.Context(), m)
	got := x.Request
	if got.Method != m.Method || got.URL != server.URL+"/v1/a%2Fb?q=x%20y" || !bytes.Equal(got.Body, m.Body) || fmt.Sprint(got.Header) != fmt.Sprint(m.Header) {
		t.Errorf("%+v", got)
	}
}
