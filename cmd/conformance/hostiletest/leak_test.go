//go:build long

package hostiletest

import (
	"crypto/tls"
	"net"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

func plantStore(t *testing.T) *spec.Contract {
	t.Helper()
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

// The engine leaves no goroutine running, whatever the target does. The target itself still runs.
func TestNothingIsLeftRunning(t *testing.T) {
	ok := "HTTP/1.1 200 OK\r\n" + isJSON
	certified, _ := certificate(t, nil)
	for name, handle := range map[string]func(net.Conn){
		"never answers":         does(hang),
		"does not shake hands":  hang,
		"stalls in the body":    does(say(ok+"Content-Length: 2\r\n\r\n"), hang),
		"drips":                 does(slowly(framed("200 OK", isJSON, "{}"))),
		"body without end":      does(say(ok+"\r\n"), forever(noise(4096))),
		"100 without end":       does(forever("HTTP/1.1 100 Continue\r\n\r\n")),
		"gzip of 1 GiB":         says(framed("200 OK", isJSON+"Content-Encoding: gzip\r\n", bomb())),
		"resets":                does(say(ok), reset),
		"keeps connections":     says(framed("200 OK", isJSON, "{}")),
		"stray answers":         says(strings.Repeat(framed("200 OK", isJSON, "{}"), 3)),
		"an answer and silence": does(say(framed("200 OK", isJSON, "{}")), hang),
		"answers unasked":       func(conn net.Conn) { say(framed("200 OK", isJSON, "{}"))(conn); hang(conn) },
		"HTTP/2 and silence": func(conn net.Conn) {
			hang(tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{certified}, NextProtos: []string{"h2"}}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, handle)
			c := suites.NewConfig()
			c.Target.BaseURL, c.Target.Token = server.url(), token
			if strings.Contains(name, "HTTP/2") || strings.Contains(name, "hands") {
				c.Target.BaseURL = "https://" + server.address
				c.Target.TLS = &tls.Config{InsecureSkipVerify: true}
			}
			c.Limits.Timeout = 300 * time.Millisecond
			c.Only = []string{"createPlant/missing-required"}
			if _, err := suites.Run(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			// Ignore the goroutines of this package's servers.
			if err := goleak.Find(goleak.IgnoreAnyFunction("github.com/plantstore/conformance/cmd/conformance/hostiletest.serve.func1"),
				goleak.IgnoreAnyFunction("github.com/plantstore/conformance/cmd/conformance/hostiletest.serve.func1.1"),
				goleak.IgnoreAnyFunction("testing.tRunner")); err != nil {
				t.Error(err)
			}
		})
	}
}
