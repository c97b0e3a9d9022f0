//go:build long

package hostiletest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"path/filepath"
	"testing"
	"time"
)

// certificate returns a self-signed certificate for the loopback address, which change may modify.
// The second result is the certificate in PEM.
func certificate(t *testing.T, change func(*x509.Certificate)) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "target"}, BasicConstraintsValid: true, IsCA: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	if change != nil {
		change(template)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// overTLS returns a handler that does a TLS handshake first.
func overTLS(config *tls.Config, handle func(net.Conn)) func(net.Conn) {
	return func(conn net.Conn) {
		secure := tls.Server(conn, config)
		if secure.Handshake() == nil {
			handle(secure)
		}
	}
}

// notices answers the first bytes of a protocol that it does not speak.
func notices(answer string) func(net.Conn) {
	return func(conn net.Conn) {
		conn.Read(make([]byte, 4096))
		say(answer)(conn)
		conn.(*net.TCPConn).CloseWrite()
		hang(conn)
	}
}

// If no connection can be made, the report makes no statement about the service: the run is
// inconclusive, and says what to do.
func TestConnectionsThatFail(t *testing.T) {
	good, goodPEM := certificate(t, nil)
	expired, expiredPEM := certificate(t, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) })
	early, earlyPEM := certificate(t, func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Minute) })
	other, otherPEM := certificate(t, func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"evil\x1b[2J.example"} })
	keeps := says(framed("400 Bad Request", isJSON, `{"error": 1, "message": "no"}`))
	with := func(c tls.Certificate) *tls.Config { return &tls.Config{Certificates: []tls.Certificate{c}} }
	for _, row := range []struct {
		name, scheme string
		handle       func(net.Conn)
		trusted      string
		code         int
		says         string
	}{
		{"trusted", "https", overTLS(with(good), keeps), goodPEM, exitInconclusive, "createPlant/valid/plain got 400"},
		{"unknown authority", "https", overTLS(with(good), keeps), "", exitInconclusive, "is signed by an unknown authority; give it with --ca-cert"},
		{"expired", "https", overTLS(with(expired), keeps), expiredPEM, exitInconclusive, "renew it, or check the clock"},
		{"not valid yet", "https", overTLS(with(early), keeps), earlyPEM, exitInconclusive, "renew it, or check the clock"},
		{"wrong host", "https", overTLS(with(other), keeps), otherPEM, exitInconclusive, "is for another host"},
		{"certificate wanted", "https", overTLS(&tls.Config{Certificates: []tls.Certificate{good}, ClientAuth: tls.RequireAnyClientCert}, keeps), goodPEM, exitInconclusive, "--client-cert, --client-key"},
		{"old version", "https", overTLS(&tls.Config{Certificates: []tls.Certificate{good}, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}, keeps), goodPEM, exitInconclusive, "version"},
		{"TLS to a plain port", "https", notices("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n400 Bad Request"), "", exitInconclusive, "does not speak TLS; try http:// in the base URL"},
		{"TLS to SSH", "https", func(conn net.Conn) { say("SSH-2.0-x\r\n")(conn); hang(conn) }, "", exitInconclusive, "does not speak TLS; try http:// in the base URL"},
		{"plain to a TLS port", "http", notices("\x15\x03\x01\x00\x02\x02\x46"), "", exitInconclusive, "speaks TLS; try https:// in the base URL"},
		{"plain to a TLS port that answers", "http", says(framed("400 Bad Request", "", "Client sent an HTTP request to an HTTPS server.\n")), "", exitInconclusive, "speaks TLS; try https:// in the base URL"},
		{"no handshake", "https", hang, "", exitInconclusive, "does not accept a connection in time; check the base URL"},
		{"hung up on", "https", func(net.Conn) {}, "", exitInconclusive, "closed the connection before it could be used; check the base URL"},
		{"reset", "https", reset, "", exitInconclusive, "closed the connection before it could be used; check the base URL"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, row.handle)
			args := []string{"--only=createPlant/missing-required/name", "--timeout=1s"}
			if row.trusted != "" {
				args = append(args, "--ca-cert", writeFile(t, filepath.Join(t.TempDir(), "ca.pem"), row.trusted))
			}
			o := child{args: args, token: token, url: row.scheme + "://" + server.address}.run(t)
			checkStreams(t, o)
			checkVerdict(t, o, row.code)
			checkSays(t, o, row.says)
			show(t, o)
		})
	}
}
