//go:build long

package hostiletest

import (
	"encoding/base64"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// An error does not show the secret that caused it.
func TestFailuresShowNoSecret(t *testing.T) {
	secret := canaries[0]
	dir := t.TempDir()
	file := func(name, content string) string { return writeFile(t, filepath.Join(dir, name), content) }
	echoing := serve(t, notices("HTTP/1.1 400 "+secret+"\r\n\r\n"+secret))
	proxy := serve(t, eachRequest(func(conn net.Conn, got request) bool {
		// The raw value, so that an encoded password is echoed, too.
		said := got.Header.Get("Proxy-Authorization")
		say(framed("502 "+said, "X-Echo: "+said+"\r\n", said+" "+secret))(conn)
		return false
	}))
	via := "http://user:" + proxySecret[:11] + "@" + proxy.address
	for _, row := range []struct {
		name string
		args []string
		env  []string
		code int
		url  string
	}{
		{name: "password in the URL", url: "http://user:" + secret + "@127.0.0.1", code: exitUsage},
		{name: "password with a bad escape", url: "http://user:%zz" + secret + "@127.0.0.1", code: exitUsage},
		{name: "password and no scheme", url: "user:" + secret + "@127.0.0.1", code: exitUsage},
		{name: "password and no host", url: "http:user:" + secret + "@127.0.0.1", code: exitUsage},
		{name: "password and a bad port", url: "http://user:" + secret + "@127.0.0.1:99999", code: exitUsage},
		{name: "password and a space", url: "http://us er:" + secret + "@127.0.0.1", code: exitUsage},
		{name: "password in the environment", env: []string{"CONFORMANCE_BASE_URL=https://:" + secret + "@x.invalid/"}, code: exitUsage},
		{name: "a token flag that there is not", args: []string{"--token=" + secret}, code: exitUsage},
		{name: "a token flag and its value", args: []string{"--token", secret}, code: exitUsage},
		{name: "Authorization as a header", args: []string{"--header", "Authorization: Bearer " + secret}, code: exitUsage},
		{name: "a header without a colon", args: []string{"--header", "Cookie " + secret}, code: exitUsage},
		{name: "a header of control characters", args: []string{"--header", "X-Api-Key: " + secret + "\x01"}, code: exitUsage},
		{name: "a header of two lines", args: []string{"--header", "X-Api-Key: a\r\nX: " + secret}, code: exitUsage},
		{name: "a header that is the connection's", args: []string{"--header", "Proxy-Connection: " + secret}, code: exitUsage},
		{name: "a host that is none", args: []string{"--header", "Host: " + secret + " x"}, code: exitUsage},
		{name: "a token of two lines", args: []string{"--token-file", file("lines", secret+"\n"+secret)}, code: exitUsage},
		{name: "a token with NUL", args: []string{"--token-file", file("nul", secret+"\x00x")}, code: exitUsage},
		{name: "a token with an escape", args: []string{"--token-file", file("escape", "\x1b[31m"+secret)}, code: exitUsage},
		{name: "a token file too long", args: []string{"--token-file", file("long", strings.Repeat(secret, 4000))}, code: exitUsage},
		{name: "a token in the environment, of two lines", env: []string{"CONFORMANCE_TOKEN=" + secret + "\n" + secret}, code: exitUsage},
		{name: "nothing listens", url: "http://127.0.0.1:1", code: exitInconclusive, env: []string{"CONFORMANCE_TOKEN=" + secret}},
		{name: "no such host", url: "http://store.invalid", code: exitInconclusive, env: []string{"CONFORMANCE_TOKEN=" + secret}},
		{name: "no TLS, and an echo", url: "https://" + echoing.address, code: exitInconclusive, env: []string{"CONFORMANCE_TOKEN=" + secret}},
		{name: "quiet", url: "http://127.0.0.1:1", args: []string{"--quiet"}, code: exitInconclusive, env: []string{"CONFORMANCE_TOKEN=" + secret}},
		{name: "a proxy that is not there", url: "http://store.invalid", code: exitInconclusive, env: []string{"CONFORMANCE_TOKEN=" + secret, "HTTP_PROXY=http://user:" + proxySecret[:11] + "@127.0.0.1:1"}},
		{name: "a proxy of nonsense", url: "http://store.invalid", code: exitUsage, env: []string{"CONFORMANCE_TOKEN=" + secret, "HTTP_PROXY=http://user:" + proxySecret[:11] + "@[%zz"}},
		{name: "a proxy that echoes its password", url: "http://store.invalid", code: exitNonconformant, env: []string{"CONFORMANCE_TOKEN=" + secret, "HTTP_PROXY=" + via}},
		{name: "a tunnel that echoes its password", url: "https://store.invalid", code: exitInconclusive, env: []string{"CONFORMANCE_TOKEN=" + secret, "HTTPS_PROXY=" + via}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"--only=createPlant/missing-required", "--timeout=2s"}, row.args...)
			o := child{args: args, env: row.env, url: row.url}.run(t)
			if o.code != row.code {
				t.Errorf("exit code %d, want %d", o.code, row.code)
				show(t, o)
			}
			checkHidden(t, o, secret, proxySecret[:11])
			basic := base64.StdEncoding.EncodeToString([]byte("user:" + proxySecret[:11]))
			for name, text := range o.all() {
				if strings.Contains(text, basic) {
					t.Errorf("%s shows the proxy's password", name)
				}
			}
			checkStreams(t, o)
			if row.code == exitUsage && (o.stderr == "" || o.out != "" || len(o.files) > 0) {
				t.Errorf("a mistake is told on standard error, and that is all: %q", o.out)
			}
		})
	}
}

// net/http has a debug option that prints every header.
func TestDebuggingShowsNoToken(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	o := child{
		args: []string{"--insecure-skip-verify", "--only=createPlant/valid", "--verbose"}, env: []string{"GODEBUG=http2debug=2"},
		token: canaries[0], url: server.URL,
	}.run(t)
	checkVerdict(t, o, exitNonconformant, "createPlant/accepts")
	checkHidden(t, o, canaries[0])
}
