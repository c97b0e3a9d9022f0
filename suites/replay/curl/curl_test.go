package curl_test

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/curl"
)

const token = "Tr0ub4dor-and-3/xyz+ABC="

func fields(pairs ...string) (list []fixtures.Field) {
	for pair := range slices.Chunk(pairs, 2) {
		list = append(list, fixtures.Field{Name: pair[0], Value: pair[1]})
	}
	return list
}

func post(body string) fixtures.Message {
	return fixtures.Message{
		Method: http.MethodPost, Path: "/plants", Body: []byte(body), HasBody: true,
		Header: fields("Content-Type", "application/json", "Authorization", "Bearer $token"),
	}
}

func written(m fixtures.Message, w fixtures.Wire) fixtures.Message {
	m.Wire = w
	return m
}

// received is a request as it arrived, and its body.
type received struct {
	*http.Request
	body []byte
}

// recorder returns a target that records the requests.
func recorder(t *testing.T) (server *httptest.Server, requests <-chan received) {
	t.Helper()
	list := make(chan received, 1000)
	server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		list <- received{r, body}
	}))
	t.Cleanup(server.Close)
	return server, list
}

// runShell runs the command from a file.
func runShell(t *testing.T, shell, command, token string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "command")
	if err := os.WriteFile(file, []byte(command+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), shell, file)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "CONFORMANCE_TOKEN=" + token}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%.300s\n%.300s", shell, err, out, command)
	}
}

// shells returns the installed shells, or only the first one without LONG_TESTS. It skips the test if
// curl is missing.
func shells(t *testing.T) []string {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed: nobody has run what Command writes")
	}
	var found []string
	for _, name := range []string{"sh", "bash", "zsh"} {
		if _, err := exec.LookPath(name); err == nil {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		t.Skip("no shell is installed: nobody has run what Command writes")
	}
	if os.Getenv("LONG_TESTS") == "" {
		return found[:1]
	}
	return found
}

// checkSame sends the message with the client and with the command, and compares the
// requests.
func checkSame(t *testing.T, shell string, target replay.Target, requests <-chan received, m fixtures.Message) {
	t.Helper()
	m.Times, m.After, m.Beside = 1, nil, nil
	client, err := replay.NewClient(target, replay.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	client.All(t.Context(), replay.OneBatch(m), func(_, _ int, x replay.Exchange) {
		if x.Failure != nil {
			t.Error(*x.Failure)
		}
	})
	want := <-requests
	command := curl.Command(target, m)
	if target.Token != "" && strings.Contains(command, target.Token) {
		t.Errorf("the token stands in the command: %.300s", command)
	}
	runShell(t, shell, command, target.Token)
	if len(requests) == 0 {
		t.Fatalf("the command sends nothing: %.300s", command)
	}
	got := <-requests
	// Hexadecimal digits in the query may have either case.
	if got.Method != want.Method || got.URL.EscapedPath() != want.URL.EscapedPath() || got.Host != want.Host ||
		!maps.EqualFunc(got.URL.Query(), want.URL.Query(), slices.Equal) {
		t.Errorf("%s %s of %s, want %s %s of %s", got.Method, got.RequestURI, got.Host, want.Method, want.RequestURI, want.Host)
	}
	if !bytes.Equal(unzipped(got), unzipped(want)) {
		t.Errorf("body %.200q, want %.200q", got.body, want.body)
	}
	if !slices.Equal(got.TransferEncoding, want.TransferEncoding) {
		t.Errorf("transfer coding %q, want %q", got.TransferEncoding, want.TransferEncoding)
	}
	names := []string{"Authorization", "Content-Type"}
	for _, h := range m.Header {
		names = append(names, h.Name)
	}
	for _, name := range names {
		if got, want := got.Header.Values(name), want.Header.Values(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if t.Failed() {
		t.Logf("%.1000s", command)
	}
}

// unzipped returns the body before compression, because programs compress differently.
func unzipped(r received) []byte {
	if reader, err := gzip.NewReader(bytes.NewReader(r.body)); err == nil && r.Header.Get("Content-Encoding") == "gzip" {
		if body, err := io.ReadAll(reader); err == nil {
			return body
		}
	}
	return r.body
}

func TestCurlSendsTheSame(t *testing.T) {
	shell := shells(t)[0]
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	bundled, err := fixtures.Load(contract, fixtures.Bundled())
	if err != nil {
		t.Fatal(err)
	}
	server, requests := recorder(t)
	for i, f := range bundled {
		if os.Getenv("LONG_TESTS") == "" && i%40 != 0 {
			continue // each fixture starts a shell
		}
		if len(f.Message(1, 0).Steps) > 0 {
			continue // scripts have their own test
		}
		t.Run(f.ID, func(t *testing.T) {
			checkSame(t, shell, replay.Target{BaseURL: server.URL + "/v1/", Token: token}, requests, f.Message(1, 0))
		})
	}
}

func TestCurlQuotes(t *testing.T) {
	noise := make([]byte, 1<<17)
	rand.NewChaCha8([32]byte{}).Read(noise)
	everyByte := make([]byte, 256)
	for i := range everyByte {
		everyByte[i] = byte(i)
	}
	bare := fixtures.Message{Method: "POST", Path: "/plants"}
	for i, row := range []struct {
		name   string
		target replay.Target
		m      fixtures.Message
	}{
		{"single quotes", replay.Target{}, post(`{'a': 'it''s'}`)},
		{"double quotes", replay.Target{}, post(`"\"" "`)},
		{"dollars", replay.Target{}, post("$HOME ${HOME} $(id) $((1)) $token")},
		{"backticks", replay.Target{}, post("`id`")},
		{"backslashes", replay.Target{}, post(`\ \\ \n \0 \x41 \'`)},
		{"percent", replay.Target{}, post("%s %d %% %")},
		{"bang", replay.Target{}, post("!! !1")},
		{"globs", replay.Target{}, post("* ? [a] {a,b} ~ # ; & | < >")},
		{"NUL", replay.Target{}, post("a\x00b\\%'")},
		{"newlines", replay.Target{}, post("\na\n\nb\n")},
		{"carriage returns", replay.Target{}, post("a\r\nb\r")},
		{"a newline alone", replay.Target{}, post("\n")},
		{"at sign", replay.Target{}, post("@/etc/hostname")},
		{"hyphens", replay.Target{}, post("-d x")},
		{"hyphens and NUL", replay.Target{}, post("--\x00-")},
		{"digits after an escape", replay.Target{}, post("\x001\x002")},
		{"letters beyond ASCII", replay.Target{}, post("Grün 植物 🌱 \u202e\u00a0")},
		{"no UTF-8", replay.Target{}, post("\xff\xfe{}")},
		{"every byte", replay.Target{}, post(string(everyByte))},
		{"128 KiB of noise", replay.Target{}, post(string(noise))},
		{"1 MiB of text", replay.Target{}, post(strings.Repeat("plant ", 1<<20/6))},
		{"1 MiB of one letter", replay.Target{}, post(`{"name":"` + strings.Repeat("x", 1<<20) + `"}`)},
		{"runs", replay.Target{}, post(strings.Repeat("'", 300) + strings.Repeat("\x00", 300) + "-x" + strings.Repeat("\\", 300))},
		{"no body", replay.Target{}, bare},
		{"no body, and a type", replay.Target{}, fixtures.Message{Method: "POST", Path: "/", Header: fields("Content-Type", "a/b")}},
		{"a body of no bytes", replay.Target{}, fixtures.Message{Method: "POST", Path: "/", HasBody: true}},
		{"no type", replay.Target{}, fixtures.Message{Method: "POST", Path: "/", HasBody: true, Body: []byte("{}")}},
		{"GET", replay.Target{}, fixtures.Message{Method: "GET", Path: "/"}},
		{"GET with a body", replay.Target{}, fixtures.Message{Method: "GET", Path: "/", HasBody: true, Body: []byte("{}")}},
		{"HEAD", replay.Target{}, fixtures.Message{Method: "HEAD", Path: "/"}},
		{"DELETE", replay.Target{}, fixtures.Message{Method: "DELETE", Path: "/plants/7"}},
		{"query", replay.Target{}, fixtures.Message{Method: "GET", Path: "/", Query: fields("a b", "c&d=e#f", "g", "'\"$x`", "[1]", "{2}", "é", "\x00")}},
		{"token in the query", replay.Target{Token: "a+b/c=&d'\"$e"}, fixtures.Message{Method: "GET", Path: "/", Query: fields("a", "b", "api key", "$token")}},
		{"Basic", replay.Target{Token: "user:" + strings.Repeat("long", 30)}, fixtures.Message{Method: "GET", Path: "/", Header: fields("Authorization", "Basic $tokenBase64")}},
		{"Basic, the token as user", replay.Target{Token: token}, fixtures.Message{Method: "GET", Path: "/", Header: fields("Authorization", "Basic $tokenUser")}},
		{"malformed query", replay.Target{}, fixtures.Message{Method: "GET", Path: "/?x=%zz&[y]"}},
		{"odd token", replay.Target{Token: "a\"b'c$d`e\\f%g!h*"}, fixtures.Message{Method: "GET", Path: "/", Header: fields("Authorization", "Bearer $token")}},
		{"odd headers", replay.Target{}, fixtures.Message{Method: "GET", Path: "/", Header: fields("X-A", "it's $5 `x` \\ \"", "X-B", "", "X-C", "@x", "X-A", "again")}},
		{"odd headers and a token", replay.Target{Token: token}, fixtures.Message{Method: "GET", Path: "/", Header: fields("X-A", "$5 '$token' `x` \\ \"", "X-B", "$tokens")}},
		{"path", replay.Target{}, fixtures.Message{Method: "GET", Path: "/a%20b/%27%22/%5B1%5D/{x}/c"}},
		{"a coding of the response", replay.Target{}, fixtures.Message{Method: "GET", Path: "/", Header: fields("Accept-Encoding", "gzip")}},
		{"headers of the target", replay.Target{Headers: fields("X-Tenant", "it's one", "Host", "plants.example")}, fixtures.Message{Method: "GET", Path: "/"}},
	} {
		all := shells(t)
		if os.Getenv("LONG_TESTS") == "" {
			if i%4 != 0 {
				continue
			}
			all = all[i/4%len(all):][:1] // each row in one shell
		}
		t.Run(row.name, func(t *testing.T) {
			for _, shell := range all {
				server, requests := recorder(t)
				row.target.BaseURL = server.URL
				checkSame(t, shell, row.target, requests, row.m)
			}
		})
	}
}

func TestCurlText(t *testing.T) {
	for _, row := range []struct {
		name   string
		target replay.Target
		m      fixtures.Message
		want   string
	}{
		{
			"token", replay.Target{BaseURL: "http://h/v1/", Token: token}, post(`{"id": 1}`),
			`curl -sS -i -X POST 'http://h/v1/plants' -H 'Content-Type: application/json' -H "Authorization: Bearer $CONFORMANCE_TOKEN" --data-binary '{"id": 1}'`,
		},
		{
			"names of fields in lower case", replay.Target{BaseURL: "http://h", Token: token}, written(post(`1`), fixtures.LowerCase),
			`curl -sS -i -X POST 'http://h/plants' -H 'content-type: application/json' -H "authorization: Bearer $CONFORMANCE_TOKEN" --data-binary '1'`,
		},
		{
			"no space after the colons", replay.Target{BaseURL: "http://h", Token: token}, written(post(`1`), fixtures.NoSpace),
			`curl -sS -i -X POST 'http://h/plants' -H 'Content-Type:application/json' -H "Authorization:Bearer $CONFORMANCE_TOKEN" --data-binary '1'`,
		},
		{
			"an offer of another protocol", replay.Target{BaseURL: "http://h", Token: token}, written(post(`1`), fixtures.Upgrade),
			`curl -sS -i -X POST 'http://h/plants' -H 'Content-Type: application/json' -H "Authorization: Bearer $CONFORMANCE_TOKEN" -H 'Connection: Upgrade' -H 'Upgrade: conformance/1' --data-binary '1'`,
		},
		{
			"a compressed body", replay.Target{BaseURL: "http://h", Token: token}, fixtures.Message{Method: "POST", Path: "/plants", HasBody: true, Body: []byte(`{}`), Gzip: true, Header: []fixtures.Field{{Name: "Content-Encoding", Value: "gzip"}}},
			`printf '{}' | gzip | curl -sS -i -X POST 'http://h/plants' -H 'Content-Encoding: gzip' -H 'Content-Type:' --data-binary @-`,
		},
		{
			"a connection that closes", replay.Target{BaseURL: "http://h", Token: token}, written(post(`1`), fixtures.Closing),
			`curl -sS -i -X POST 'http://h/plants' -H 'Content-Type: application/json' -H "Authorization: Bearer $CONFORMANCE_TOKEN" -H 'Connection: close' --data-binary '1'`,
		},
		{
			"secret header", replay.Target{BaseURL: "http://h", Headers: fields("X-Api-Key", "s3cret", "X-Tenant", "7")}, fixtures.Message{Method: "GET", Path: "/"},
			`curl -sS -i 'http://h/' -H 'X-Api-Key: [redacted]' -H 'X-Tenant: 7'`,
		},
		{
			"not verified", replay.Target{BaseURL: "https://h", TLS: &tls.Config{InsecureSkipVerify: true}}, fixtures.Message{Method: http.MethodHead, Path: "/"},
			`curl -sS -I -k 'https://h/'`,
		},
		{
			"credentials by scheme", replay.Target{BaseURL: "http://h", Token: token, Credentials: map[string]string{"door-key": "k"}},
			fixtures.Message{Method: "GET", Path: "/", Header: fields("X-Key", "$token{door-key}", "Authorization", "Bearer $token{other}")},
			`curl -sS -i 'http://h/' -H "X-Key: $CONFORMANCE_CREDENTIAL_DOOR_KEY" -H "Authorization: Bearer $CONFORMANCE_TOKEN"`,
		},
		{
			"a token in another variable", replay.Target{BaseURL: "http://h", Token: token, TokenVariable: "STAGING_TOKEN"}, post(`1`),
			`curl -sS -i -X POST 'http://h/plants' -H 'Content-Type: application/json' -H "Authorization: Bearer $STAGING_TOKEN" --data-binary '1'`,
		},
		{
			"a token in a variable that a shell cannot have", replay.Target{BaseURL: "http://h", Token: token, TokenVariable: "A$(B)"}, post(`1`),
			`curl -sS -i -X POST 'http://h/plants' -H 'Content-Type: application/json' -H "Authorization: Bearer $CONFORMANCE_TOKEN" --data-binary '1'`,
		},
		{
			"a private authority", replay.Target{BaseURL: "https://h", TLSFiles: replay.TLSFiles{CACert: "our ca.pem"}}, fixtures.Message{Method: "GET", Path: "/"},
			`curl -sS -i --cacert 'our ca.pem' 'https://h/'`,
		},
		{
			"a client certificate", replay.Target{BaseURL: "https://h", TLSFiles: replay.TLSFiles{ClientCert: "c.pem", ClientKey: "k.pem"}}, fixtures.Message{Method: "GET", Path: "/"},
			`curl -sS -i --cert 'c.pem' --key 'k.pem' 'https://h/'`,
		},
		{
			"files with a colon in their names", replay.Target{BaseURL: "https://h", TLSFiles: replay.TLSFiles{CACert: "a:b.pem", ClientCert: `C:\c.pem`, ClientKey: "k:1.pem"}}, fixtures.Message{Method: "GET", Path: "/"},
			`curl -sS -i --cacert 'a:b.pem' --cert 'C\:\\c.pem' --key 'k:1.pem' 'https://h/'`,
		},
		{
			"IPv6", replay.Target{BaseURL: "http://[::1]:8080"}, fixtures.Message{Method: "GET", Path: "/"},
			`curl -sS -i -g 'http://[::1]:8080/'`,
		},
		{
			"long run", replay.Target{BaseURL: "http://h"}, fixtures.Message{Method: "PUT", Path: "/", HasBody: true, Body: []byte(`"` + strings.Repeat("x", 1000) + `"`)},
			`{ printf '"'; head -c 1000 /dev/zero | tr '\0' '\170'; printf '"'; } | curl -sS -i -X PUT 'http://h/' -H 'Content-Type:' --data-binary @-`,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := curl.Command(row.target, row.m); got != row.want {
				t.Errorf("%s\nwant %s", got, row.want)
			}
		})
	}
}

func TestCurlResolves(t *testing.T) {
	for _, row := range []struct {
		name, base, resolve string // PORT means the port of the server
		want                string
	}{
		{"the port of the URL", "http://plants.invalid:PORT", "plants.invalid:127.0.0.1", `--resolve 'plants.invalid:PORT:127.0.0.1'`},
		{"a port of its own", "http://plants.invalid/v1", "plants.invalid:127.0.0.1:PORT", `--connect-to 'plants.invalid:80:127.0.0.1:PORT'`},
		{"in place of an address", "http://192.0.2.7:PORT", "192.0.2.7:127.0.0.1", `--connect-to '192.0.2.7:PORT:127.0.0.1:PORT'`},
	} {
		t.Run(row.name, func(t *testing.T) {
			server, requests := recorder(t)
			put := strings.NewReplacer("PORT", server.URL[strings.LastIndex(server.URL, ":")+1:]).Replace
			target := replay.Target{BaseURL: put(row.base), Resolve: put(row.resolve), Token: token}
			command := curl.Command(target, post("{}"))
			if want := "curl -sS -i -X POST --noproxy '*' " + put(row.want) + " 'http://"; !strings.HasPrefix(command, want) {
				t.Errorf("%s, want %s…", command, want)
			}
			checkSame(t, shells(t)[0], target, requests, post("{}"))
		})
	}
	command := curl.Command(replay.Target{BaseURL: "https://plants.example", Resolve: "plants.example:[2001:db8::7]"}, post("{}"))
	if want := "--resolve 'plants.example:443:[2001:db8::7]'"; !strings.Contains(command, want) {
		t.Errorf("%s, without %s", command, want)
	}
}
