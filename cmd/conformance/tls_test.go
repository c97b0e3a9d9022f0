package main

import (
	"crypto/tls"
	"encoding/pem"
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// serveTLS starts the plant store with HTTPS and makes it the target.
func serveTLS(t *testing.T, config *tls.Config) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(plantStore())
	server.TLS = config
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // the tests cause failed handshakes
	server.StartTLS()
	t.Cleanup(server.Close)
	aim(t, server.URL)
	return server
}

// runOne sends one fixture that a good service passes.
func runOne(t *testing.T, args ...string) outcome {
	t.Helper()
	return conformance(t, append([]string{"run", "--only", "createPlant/valid/plain"}, args...)...)
}

func TestPrivateAuthority(t *testing.T) {
	t.Chdir(t.TempDir())
	a := newAuthority(t)
	writeCertificate(t, "ca.pem", a.certificate.Raw)
	serveTLS(t, &tls.Config{Certificates: []tls.Certificate{a.issue(t, "127.0.0.1", time.Hour)}})

	runOne(t).wants(t, exitInconclusive, "signed by an unknown authority", "--ca-cert")
	runOne(t, "--ca-cert", "ca.pem").wants(t, exitConformant)
	runOne(t, "--ca-cert", "ca.pem", "--dry-run").wants(t, exitConformant, "curl -sS -i -X POST --cacert 'ca.pem' ")
	runOne(t, "--insecure-skip-verify").wants(t, exitConformant)
}

func TestClientCertificate(t *testing.T) {
	t.Chdir(t.TempDir())
	a := newAuthority(t)
	writeCertificate(t, "ca.pem", a.certificate.Raw)
	writeKeyPair(t, "cert.pem", "key.pem", a.issue(t, "127.0.0.1", time.Hour))
	serveTLS(t, &tls.Config{
		Certificates: []tls.Certificate{a.issue(t, "127.0.0.1", time.Hour)},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    a.pool(),
	})

	runOne(t, "--ca-cert", "ca.pem").wants(t, exitInconclusive, "refuses the TLS connection", "--client-cert, --client-key")
	runOne(t, "--ca-cert", "ca.pem", "--client-cert", "cert.pem", "--client-key", "key.pem").wants(t, exitConformant)
}

// The error for an encrypted key does not say that it is not a key.
func TestEncryptedKeys(t *testing.T) {
	parameters := pem.EncodeToMemory(&pem.Block{Type: "EC PARAMETERS", Bytes: []byte("curve")})
	var list []mistake
	files := map[string]string{}
	for what, block := range map[string]pem.Block{
		"PKCS8":  {Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("hunter2")},
		"legacy": {Type: "EC PRIVATE KEY", Headers: map[string]string{"Proc-Type": "4,ENCRYPTED", "DEK-Info": "AES-256-CBC,00"}, Bytes: []byte("hunter2")},
	} {
		files[what+".pem"] = string(parameters) + string(pem.EncodeToMemory(&block))
		list = append(list, mistake{what, "run --client-cert cert.pem --client-key " + what + ".pem", "", []string{"conformance: --client-key " + what + ".pem is encrypted; decrypt it first\n"}})
	}
	checkMistakesWith(t, list, files)
}

func TestCertificateOfAnotherHost(t *testing.T) {
	t.Chdir(t.TempDir())
	a := newAuthority(t)
	writeCertificate(t, "ca.pem", a.certificate.Raw)
	serveTLS(t, &tls.Config{Certificates: []tls.Certificate{a.issue(t, "127.0.0.2", time.Hour)}})
	runOne(t, "--ca-cert", "ca.pem").wants(t, exitInconclusive, "is for another host", "127.0.0.2")
}

func TestCertificateThatHasExpired(t *testing.T) {
	t.Chdir(t.TempDir())
	a := newAuthority(t)
	writeCertificate(t, "ca.pem", a.certificate.Raw)
	serveTLS(t, &tls.Config{Certificates: []tls.Certificate{a.issue(t, "127.0.0.1", -time.Minute)}})
	runOne(t, "--ca-cert", "ca.pem").wants(t, exitInconclusive, "has expired or is not valid yet")
}

func TestTLSWhereThereIsNone(t *testing.T) {
	server := serve(t, untouched(t))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	aim(t, strings.Replace(server.URL, "http:", "https:", 1))
	runOne(t).wants(t, exitInconclusive, "does not speak TLS; try http://")
}

func TestNoTLSWhereThereIsSome(t *testing.T) {
	a := newAuthority(t)
	server := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{a.issue(t, "127.0.0.1", time.Hour)}})
	aim(t, strings.Replace(server.URL, "https:", "http:", 1))
	runOne(t).wants(t, exitInconclusive, "speaks TLS; try https://")
}
