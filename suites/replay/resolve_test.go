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

// Resolve changes only the address of the connection. The request, the TLS server name and
// the certificate check still use the URL. No proxy is used, even if the environment sets
// one.
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
	roots.AddCert(secure.Certificate()) // the certificate is for example.com
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
		at := strings.TrimPrefix(deadURL, "http://")
		c := newClient(t, replay.Target{BaseURL: "http://plants.invalid", Resolve: "plants.invalid:" + at}, limits())
		checkFailure(t, c.Exchange(t.Context(), post("{}")), replay.Unreachable, "nothing listens on plants.invalid (at "+at+")")
	})
}
