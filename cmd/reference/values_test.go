package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestHTTPS(t *testing.T) {
	cert, key := selfSigned(t)
	t.Setenv(tokensEnv, "one")
	program := start(t, "--tls-cert", cert, "--tls-key", key)
	defer program.stop(t)
	if !strings.HasPrefix(program.url, "https://127.0.0.1:") {
		t.Fatalf("it listens on %s", program.url)
	}
	if status := post(t, program.url, "one", 7); status != http.StatusOK {
		t.Errorf("status %d", status)
	}
}

// selfSigned makes a certificate and its key, and returns their files.
func selfSigned(t *testing.T) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	privateKey, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	encode := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return writeFile(t, "cert.pem", encode("CERTIFICATE", cert)), writeFile(t, "key.pem", encode("PRIVATE KEY", privateKey))
}
