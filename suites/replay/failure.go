package replay

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
)

// ErrGivenUp is the cause of a context that a replay ends because the target
// answers nothing.
var ErrGivenUp = errors.New("the target is given up")

// failure puts into words why there is no complete response. ctx is the
// run's: when it ended, the exchange did not fail but was broken off.
func (c *Client) failure(ctx context.Context, err error, connected bool) *Failure {
	if ctx.Err() != nil {
		return broken(ctx)
	}
	message := c.redactor.text(c.words(err, connected))
	if !connected {
		return &Failure{Unreachable, message}
	}
	return &Failure{Incomplete, message}
}

// broken is the failure of an exchange that the end of the run cut short or
// kept from being sent.
func broken(ctx context.Context) *Failure {
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, ErrGivenUp):
		return &Failure{GivenUp, cause.Error()}
	case errors.Is(cause, context.DeadlineExceeded):
		return &Failure{Canceled, "the deadline of the run was reached"}
	}
	return &Failure{Canceled, "the run was interrupted"}
}

func (c *Client) words(err error, connected bool) string {
	host := c.base.Host
	switch {
	case errors.Is(err, errTooLong):
		return fmt.Sprintf("the body is longer than %d bytes", c.limits.MaxBody)
	case errors.Is(err, context.DeadlineExceeded) && connected:
		return fmt.Sprintf("no complete response within %s", c.limits.Timeout)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("no connection to %s within %s", host, c.limits.Timeout)
	case connected:
		return connectedWords(err)
	}
	return connectWords(err, host)
}

func connectedWords(err error) string {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed before the response was complete"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the connection was reset before the response was complete"
	case strings.Contains(err.Error(), "server closed idle connection"):
		return "the connection was closed instead of an answer"
	}
	return "the response is no complete HTTP message: " + err.Error()
}

// connectWords tells why there is no connection, and what to do about it.
func connectWords(err error, host string) string {
	var dns *net.DNSError
	var record tls.RecordHeaderError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.As(err, &dns):
		return fmt.Sprintf("the host %s is unknown; check the base URL", dns.Name)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("nothing listens on %s; check the base URL, or whether the service runs", host)
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return fmt.Sprintf("%s does not speak TLS; try http:// in the base URL", host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Sprintf("the certificate of %s has expired or is not valid yet: %s", host, invalid.Detail)
	case errors.As(err, &name):
		return fmt.Sprintf("the certificate of %s is for another host: %s", host, name.Error())
	case errors.As(err, &authority):
		return fmt.Sprintf("the certificate of %s is signed by an unknown authority; give it with --ca-cert", host)
	}
	return fmt.Sprintf("no connection to %s: %s", host, err)
}
