package replay_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// recorder returns a target that records the raw requests and responds with
// 200.
func recorder(t testing.TB, network string) (*rawTarget, <-chan *wireRequest) {
	t.Helper()
	requests := make(chan *wireRequest, 1000)
	return serveRawOn(t, network, func(conn net.Conn) {
		r := bufio.NewReader(conn)
		for {
			request, err := readRequest(r)
			if err != nil {
				return
			}
			requests <- request
			io.WriteString(conn, ok)
		}
	}), requests
}

func fields(pairs ...string) []fixtures.Field {
	var list []fixtures.Field
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, fixtures.Field{Name: pairs[i], Value: pairs[i+1]})
	}
	return list
}

// The complete request on the wire: nothing is added or omitted. HOST means the host of
// the target.
func TestRequestOnTheWire(t *testing.T) {
	for _, row := range []struct {
		name   string
		base   string // after the host
		target replay.Target
		m      fixtures.Message
		head   []string // lines
		body   string
	}{
		{
			name:   "plain",
			target: replay.Target{Token: token, UserAgent: "conformance/1"},
			m: fixtures.Message{
				Method: "POST", Path: "/plants", HasBody: true, Body: []byte(`{"id": 1}`),
				Header: fields("Content-Type", "application/json", "Authorization", "Bearer $token"),
			},
			head: []string{
				"POST /plants HTTP/1.1", "Host: HOST", "User-Agent: conformance/1", "Content-Length: 9",
				"Accept: */*", "Accept-Encoding: gzip", "Authorization: Bearer " + token, "Content-Type: application/json",
			},
			body: `{"id": 1}`,
		},
		{
			name: "nothing asked for", target: replay.Target{Token: token}, m: fixtures.Message{Method: "GET", Path: "/plants"},
			head: []string{"GET /plants HTTP/1.1", "Host: HOST", "Accept: */*", "Accept-Encoding: gzip"},
		},
		{
			name: "no body", m: fixtures.Message{Method: "POST", Path: "/plants"},
			head: []string{"POST /plants HTTP/1.1", "Host: HOST", "Content-Length: 0", "Accept: */*", "Accept-Encoding: gzip"},
		},
		{
			name: "no body and no length", m: fixtures.Message{Method: "POST", Path: "/plants", Wire: fixtures.NoLength},
			head: []string{"POST /plants HTTP/1.1", "Host: HOST", "Accept: */*", "Accept-Encoding: gzip"},
		},
		{
			name: "fields in lower case", m: fixtures.Message{Method: "GET", Path: "/plants", Wire: fixtures.LowerCase},
			head: []string{"GET /plants HTTP/1.1", "host: HOST", "accept: */*", "accept-encoding: gzip"},
		},
		{
			name: "no space after the colons", m: fixtures.Message{Method: "GET", Path: "/plants", Wire: fixtures.NoSpace},
			head: []string{"GET /plants HTTP/1.1", "Host:HOST", "Accept:*/*", "Accept-Encoding:gzip"},
		},
		{
			name: "an offer of another protocol", m: fixtures.Message{Method: "GET", Path: "/plants", Wire: fixtures.Upgrade},
			head: []string{"GET /plants HTTP/1.1", "Host: HOST", "Accept: */*", "Accept-Encoding: gzip", "Connection: Upgrade", "Upgrade: conformance/1"},
		},
		{
			name: "a body of no bytes", m: fixtures.Message{Method: "POST", Path: "/plants", HasBody: true},
			head: []string{"POST /plants HTTP/1.1", "Host: HOST", "Transfer-Encoding: chunked", "Accept: */*", "Accept-Encoding: gzip"},
		},
		{
			name: "a GET with a body", m: fixtures.Message{Method: "GET", Path: "/", HasBody: true, Body: []byte("x")},
			head: []string{"GET / HTTP/1.1", "Host: HOST", "Content-Length: 1", "Accept: */*", "Accept-Encoding: gzip"}, body: "x",
		},
		{
			name: "any bytes", m: fixtures.Message{Method: "PUT", Path: "/", HasBody: true, Body: []byte("\x00\xff\r\n\r\n{}\n")},
			head: []string{"PUT / HTTP/1.1", "Host: HOST", "Content-Length: 9", "Accept: */*", "Accept-Encoding: gzip"}, body: "\x00\xff\r\n\r\n{}\n",
		},
		{
			name: "a path before it", base: "/v1/store", m: fixtures.Message{Method: "GET", Path: "/plants"},
			head: []string{"GET /v1/store/plants HTTP/1.1", "Host: HOST", "Accept: */*", "Accept-Encoding: gzip"},
		},
		{
			name: "a slash at its end", base: "/v1/", m: fixtures.Message{Method: "GET", Path: "/plants/"},
			head: []string{"GET /v1/plants/ HTTP/1.1", "Host: HOST", "Accept: */*", "Accept-Encoding: gzip"},
		},
		{
			name: "escapes", base: "/a%2Fb", m: fixtures.Message{Method: "GET", Path: "/plants/x%2Fy%20z%3F"},
			head: []string{"GET /a%2Fb/plants/x%2Fy%20z%3F HTTP/1.1", "Host: HOST", "Accept: */*", "Accept-Encoding: gzip"},
		},
		{
			name: "query", target: replay.Target{Token: "a b+c&d"},
			m:    fixtures.Message{Method: "GET", Path: "/", Query: fields("q", "x y&z", "q", "", "key", "$token", "basic", "$tokenBase64")},
			head: []string{"GET /?q=x%20y%26z&q=&key=a%20b%2Bc%26d&basic=YSBiK2MmZA%3D%3D HTTP/1.1", "Host: HOST", "Accept: */*", "Accept-Encoding: gzip"},
		},
		{
			name:   "headers of both",
			target: replay.Target{Headers: fields("X-Tenant", "1", "Host", "plants.example", "X-Tenant", "2")},
			m:      fixtures.Message{Method: "GET", Path: "/", Header: fields("Accept", "a/b", "Accept", "c/d", "X-Tenant", "3", "X-Empty", "")},
			head: []string{
				"GET / HTTP/1.1", "Host: plants.example", "Accept: a/b", "Accept: c/d", "Accept-Encoding: gzip",
				"X-Empty: ", "X-Tenant: 1", "X-Tenant: 2", "X-Tenant: 3",
			},
		},
		{
			name:   "Basic",
			target: replay.Target{Token: "user:pass"},
			m:      fixtures.Message{Method: "GET", Path: "/", Header: fields("Authorization", "Basic $tokenBase64")},
			head:   []string{"GET / HTTP/1.1", "Host: HOST", "Accept: */*", "Accept-Encoding: gzip", "Authorization: Basic dXNlcjpwYXNz"},
		},
		{
			name: "other placeholders are none", target: replay.Target{Token: token},
			m:    fixtures.Message{Method: "GET", Path: "/", Header: fields("X-Price", "$5 ${token} $TOKEN")},
			head: []string{"GET / HTTP/1.1", "Host: HOST", "Accept: */*", "Accept-Encoding: gzip", "X-Price: $5 ${token} $TOKEN"},
		},
		{
			name:   "user agent of the target",
			target: replay.Target{UserAgent: "default", Headers: fields("user-agent", "target")}, m: fixtures.Message{Method: "GET", Path: "/"},
			head: []string{"GET / HTTP/1.1", "Host: HOST", "User-Agent: target", "Accept: */*", "Accept-Encoding: gzip"},
		},
		{
			name:   "user agent of the fixture",
			target: replay.Target{UserAgent: "default", Headers: fields("User-Agent", "target")},
			m:      fixtures.Message{Method: "GET", Path: "/", Header: fields("User-Agent", "fixture")},
			head:   []string{"GET / HTTP/1.1", "Host: HOST", "User-Agent: fixture", "Accept: */*", "Accept-Encoding: gzip"},
		},
		{
			name:   "fields that the fixture removes",
			target: replay.Target{UserAgent: "default", Headers: fields("Accept", "a/b", "User-Agent", "target")},
			m:      fixtures.Message{Method: "GET", Path: "/", Header: fields("Accept", "", "Accept-Encoding", "", "User-Agent", "")},
			head:   []string{"GET / HTTP/1.1", "Host: HOST"},
		},
		{
			name: "codings of the fixture", m: fixtures.Message{Method: "GET", Path: "/", Header: fields("Accept-Encoding", "identity")},
			head: []string{"GET / HTTP/1.1", "Host: HOST", "Accept: */*", "Accept-Encoding: identity"},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			server, requests := recorder(t, "127.0.0.1:0")
			row.target.BaseURL = server.URL + row.base
			row.m.Times = 1
			x := newClient(t, row.target, limits()).Exchange(t.Context(), row.m)
			if x.Failure != nil {
				t.Fatal(*x.Failure)
			}
			got := <-requests
			want := strings.ReplaceAll(strings.Join(row.head, "\r\n"), "HOST", strings.TrimPrefix(server.URL, "http://")) + "\r\n\r\n"
			if got.Head != want {
				t.Errorf("sent %q\nwant %q", got.Head, want)
			}
			if string(got.Body) != row.body {
				t.Errorf("sent the body %q, want %q", got.Body, row.body)
			}
		})
	}
}

func TestBodyOfNoBytesIsOneEmptyChunk(t *testing.T) {
	wire := make(chan string, 1)
	target := serveRaw(t, func(conn net.Conn) {
		var got bytes.Buffer
		for b := make([]byte, 1); !bytes.HasSuffix(got.Bytes(), []byte("\r\n0\r\n\r\n")); got.Write(b) {
			if _, err := conn.Read(b); err != nil {
				return
			}
		}
		wire <- got.String()
		io.WriteString(conn, ok)
	})
	x := clientFor(t, target.URL).Exchange(t.Context(), fixtures.Message{Method: "POST", Path: "/", HasBody: true, Body: []byte{}, Times: 1})
	if x.Failure != nil {
		t.Fatal(*x.Failure)
	}
	if got := <-wire; !strings.HasSuffix(got, "\r\n\r\n0\r\n\r\n") {
		t.Errorf("%q", got)
	}
}

func TestBaseURLOfIPv6(t *testing.T) {
	if l, err := net.Listen("tcp", "[::1]:0"); err != nil {
		t.Skip("this machine has no IPv6 loopback address")
	} else {
		l.Close()
	}
	server, requests := recorder(t, "[::1]:0")
	x := clientFor(t, server.URL+"/v1").Exchange(t.Context(), post("{}"))
	if x.Failure != nil {
		t.Fatal(*x.Failure)
	}
	if got := (<-requests).Host; got != strings.TrimPrefix(server.URL, "http://") {
		t.Errorf("Host: %s", got)
	}
}

func TestTimes(t *testing.T) {
	const seen = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"
	for _, row := range []struct {
		name    string
		times   int
		answers []string
		sent    int
		status  int // of the recorded exchange; 0 means no response
		body    string
	}{
		{"once", 1, []string{seen + "1"}, 1, 200, "1"},
		{"twice", 2, []string{seen + "1", seen + "2"}, 2, 200, "2"},
		{"three times", 3, []string{seen + "1", seen + "2", seen + "3"}, 3, 200, "3"},
		{"a rejection does not end it", 2, []string{"HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n", seen + "2"}, 2, 200, "2"},
		{"5xx ends it", 2, []string{"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", seen + "2"}, 1, 500, ""},
		{"no answer ends it", 2, []string{""}, 1, 0, ""},
		{"half an answer ends it", 2, []string{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"}, 1, 200, "x"},
		{"429 ends it", 2, []string{"HTTP/1.1 429 Slow\r\nContent-Length: 0\r\n\r\n", seen + "2"}, 1, 429, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			sent := make(chan struct{}, 10)
			target := serveRaw(t, func(conn net.Conn) {
				r := bufio.NewReader(conn)
				for _, answer := range row.answers {
					if _, err := readRequest(r); err != nil {
						return
					}
					sent <- struct{}{}
					io.WriteString(conn, answer)
				}
			})
			m := post("{}")
			m.Times = row.times
			x := clientFor(t, target.URL).Exchange(t.Context(), m)
			if len(sent) != row.sent {
				t.Errorf("sent %d times, want %d", len(sent), row.sent)
			}
			status, body := 0, ""
			if x.Response != nil {
				status, body = x.Response.Status, string(x.Response.Body)
			}
			if status != row.status || body != row.body {
				t.Errorf("recorded %d %q, want %d %q", status, body, row.status, row.body)
			}
		})
	}
}

// The token goes to the target and nowhere else.
func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere, requests := recorder(t, "127.0.0.1:0")
	for _, status := range []int{301, 302, 303, 307, 308} {
		target := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, status) })
		x := clientFor(t, target.URL).Exchange(t.Context(), post("{}"))
		if x.Failure != nil || x.Response.Status != status {
			t.Errorf("%d: %+v %v", status, x.Response, x.Failure)
		}
	}
	if len(requests) > 0 || elsewhere.conns.Load() > 0 {
		t.Error("the other host was asked")
	}
}

func TestRequestThatCannotBeSent(t *testing.T) {
	target, requests := recorder(t, "127.0.0.1:0")
	for name, m := range map[string]fixtures.Message{
		"method":       {Method: "A B", Path: "/"},
		"path":         {Method: "GET", Path: "/%zz"},
		"header name":  {Method: "GET", Path: "/", Header: fields("A B", "c")},
		"header value": {Method: "GET", Path: "/", Header: fields("A", "b\r\nC: d")},
	} {
		t.Run(name, func(t *testing.T) {
			x := clientFor(t, target.URL).Exchange(t.Context(), m)
			checkFailure(t, x, replay.Unreachable, "the request cannot be sent")
			if len(requests) > 0 {
				t.Error("it was sent")
			}
		})
	}
}

// TestCompressedBody: the sent body is compressed, and the recorded body is not.
func TestCompressedBody(t *testing.T) {
	const body = `{"id": 7}`
	var got string
	c := called(t, func(_ http.ResponseWriter, r *http.Request) {
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		read, _ := io.ReadAll(z)
		got = string(read)
	}, concurrency(1))
	x := c.Exchange(t.Context(), fixtures.Message{Method: http.MethodPost, Path: "/plants", HasBody: true, Body: []byte(body), Gzip: true, Times: 1})
	if got != body || string(x.Request.Body) != body {
		t.Errorf("the service read %q, and %q is recorded; want %q", got, x.Request.Body, body)
	}
}
