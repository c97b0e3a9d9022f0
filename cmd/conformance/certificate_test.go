package main

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
	"testing"
	"time"
)

// authority signs certificates for a test.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "an authority of the tests"},
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	key := newKey(t)
	return &authority{sign(t, template, template, key, key), key}
}

// issue signs a certificate for the host, a name or an address. It is valid from now on for the
// given time.
func (a *authority) issue(t *testing.T, host string, valid time.Duration) tls.Certificate {
	t.Helper()
	key := newKey(t)
	template := &x509.Certificate{
		NotBefore:   time.Now().Add(-time.Hour),
		NotAfter:    time.Now().Add(valid),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if address := net.ParseIP(host); address != nil {
		template.IPAddresses = []net.IP{address}
	} else {
		template.DNSNames = []string{host}
	}
	certificate := sign(t, template, a.certificate, key, a.key)
	return tls.Certificate{Certificate: [][]byte{certificate.Raw}, PrivateKey: key}
}

// pool returns a pool with only this authority.
func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// writeCertificate writes a certificate as a PEM file.
func writeCertificate(t *testing.T, path string, raw []byte) {
	t.Helper()
	write(t, path, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})))
}

// writeKeyPair writes a certificate and its key as PEM files.
func writeKeyPair(t *testing.T, certPath, keyPath string, pair tls.Certificate) {
	t.Helper()
	writeCertificate(t, certPath, pair.Certificate[0])
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	write(t, keyPath, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sign(t *testing.T, template, parent *x509.Certificate, key, by *ecdsa.PrivateKey) *x509.Certificate {
	t.Helper()
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}
