package replay_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

func TestResolveIsChecked(t *testing.T) {
	for _, row := range []struct {
		base, resolve string
		want          string // a part of the error; "" is none
	}{
		{"https://plants.example", "plants.example:192.0.2.7", ""},
		{"https://plants.example", "PLANTS.example:192.0.2.7:8443", ""},
		{"https://plants.example:8443/v1", "plants.example:[2001:db8::7]", ""},
		{"https://plants.example", "plants.example:[2001:db8::7]:8443", ""},
		{"https://grün.example", "grün.example:192.0.2.7", ""},
		{"https://grün.example", "xn--grn-ioa.example:192.0.2.7", ""},
		{"http://[::1]:8080", "[::1]:192.0.2.7", ""},
		{"https://plants.example", "plants.example", `resolve is "plants.example"; it must be HOST:ADDRESS`},
		{"https://plants.example", ":192.0.2.7", "it must be HOST:ADDRESS"},
		{"http://[::1]:8080", "[::1]", "it must be HOST:ADDRESS"},
		{"https://plants.example", "other.example:192.0.2.7", `resolve is for the host "other.example", but the host of the base URL is "plants.example"`},
		{"https://plants.example", "plants.example:", `resolve has the address ""; it must be an IP address`},
		{"https://plants.example", "plants.example:localhost", `has the address "localhost"`},
		{"https://plants.example", "plants.example:192.0.2.7:0", `has the address "192.0.2.7:0"`},
		{"https://plants.example", "plants.example:2001:db8::7", "[2001:db8::7] or"},
		{"https://plants.example", "plants.example:443:192.0.2.7", `has the address "443:192.0.2.7"`},
	} {
		t.Run(row.base+" "+row.resolve, func(t *testing.T) {
			err := replay.Target{BaseURL: row.base, Resolve: row.resolve}.Validate()
			if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v, want %q", err, row.want)
			}
		})
	}
}

// Only where the connection goes is another: what the target is asked for, by
// which name and certificate, stays that of the URL. A proxy is not asked,
// though the environment may name one.
func TestResolve(t *testing.T) {
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := ""
		if r.TLS != nil {
			name = r.TLS.ServerName
		}
		fmt.Fprint(w, r.Host, " by ", name)
	})
	plain := httptest.NewServer(echo)
	t.Cleanup(plain.Close)
	secure := httptest.NewUnstartedServer(echo)
	secure.EnableHTTP2 = true
	secure.Config.ErrorLog = quiet()
	secure.StartTLS()
	t.Cleanup(secure.Close)
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate()) // which is for example.com
	plainAt, secureAt := plain.Listener.Addr().String(), secure.Listener.Addr().String()
	_, plainPort, _ := strings.Cut(plainAt, ":")

	for _, row := range []struct {
		name, base, resolve string
		want                string
	}{
		{"the port of the URL", "http://plants.invalid:" + plainPort, "plants.invalid:127.0.0.1", "plants.invalid:" + plainPort + " by "},
		{"a port of its own", "http://plants.invalid", "plants.invalid:" + plainAt, "plants.invalid by "},
		{"TLS", "https://example.com", "example.com:" + secureAt, "example.com by example.com"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := newClient(t, replay.Target{BaseURL: row.base, Resolve: row.resolve, TLS: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}, limits())
			defer c.Close()
			x := c.Exchange(t.Context(), fixtures.Message{Method: "GET", Path: "/", Times: 1})
			if x.Failure != nil || string(x.Response.Body) != row.want {
				t.Errorf("%+v %+v, want %q", x.Response, x.Failure, row.want)
			}
		})
	}
	t.Run("the certificate of another", func(t *testing.T) {
		target := replay.Target{BaseURL: "https://plants.invalid", Resolve: "plants.invalid:" + secureAt, TLS: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
		c := newClient(t, target, limits())
		defer c.Close()
		checkFailure(t, c.Exchange(t.Context(), post("{}")), replay.Unreachable, "the certificate of plants.invalid (at "+secureAt+") is for another host")
	})
	t.Run("nobody there", func(t *testing.T) {
		at := strings.TrimPrefix(deadURL(t), "http://")
		c := newClient(t, replay.Target{BaseURL: "http://plants.invalid", Resolve: "plants.invalid:" + at}, limits())
		checkFailure(t, c.Exchange(t.Context(), post("{}")), replay.Unreachable, "nothing listens on plants.invalid (at "+at+")")
	})
}

func TestCurlResolves(t *testing.T) {
	for _, row := range []struct {
		name, base, resolve string // PORT is that of the server
		want                string
	}{
		{"the port of the URL", "http://plants.invalid:PORT", "plants.invalid:127.0.0.1", `--resolve 'plants.invalid:PORT:127.0.0.1'`},
		{"a port of its own", "http://plants.invalid/v1", "plants.invalid:127.0.0.1:PORT", `--connect-to 'plants.invalid:80:127.0.0.1:PORT'`},
		{"in place of an address", "http://192.0.2.7:PORT", "192.0.2.7:127.0.0.1", `--connect-to '192.0.2.7:PORT:127.0.0.1:PORT'`},
	} {
		t.Run(row.name, func(t *testing.T) {
			server, requests := recorder(t, "127.0.0.1:0")
			put := strings.NewReplacer("PORT", server.URL[strings.LastIndex(server.URL, ":")+1:]).Replace
			target := replay.Target{BaseURL: put(row.base), Resolve: put(row.resolve), Token: token}
			command := replay.Curl(target, post("{}"))
			if want := "curl -sS -i -X POST --noproxy '*' " + put(row.want) + " 'http://"; !strings.HasPrefix(command, want) {
				t.Errorf("%s, want %s…", command, want)
			}
			checkSame(t, shells(t)[0], target, requests, post("{}"))
		})
	}
	command := replay.Curl(replay.Target{BaseURL: "https://plants.example", Resolve: "plants.example:[2001:db8::7]"}, post("{}"))
	if want := "--resolve 'plants.example:443:[2001:db8::7]'"; !strings.Contains(command, want) {
		t.Errorf("%s, without %s", command, want)
	}
}
