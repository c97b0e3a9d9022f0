package replay

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay/conn"
	"github.com/plantstore/conformance/suites/replay/redact"
)

// request makes the HTTP request of a message for this target. Beside what
// message and target ask for it has the fields Host, Content-Length or
// Transfer-Encoding, User-Agent, Accept and Accept-Encoding.
func (c *Client) request(ctx context.Context, m fixtures.Message) (*http.Request, error) {
	var body io.Reader
	if m.Secret {
		m.Body = []byte(expand(string(m.Body), c.target.credential))
	}
	if m.Gzip { // RFC 9110 §8.4.1.3
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(m.Body) // a buffer takes all
		_ = z.Close()
		m.Body = b.Bytes()
	}
	if m.HasBody {
		body = bytes.NewReader(m.Body)
	}
	request, err := http.NewRequestWithContext(conn.WithWire(ctx, conn.Wire(m.Wire)), m.Method, c.url(m, c.target.credential), body)
	if err != nil {
		return nil, fmt.Errorf("the request cannot be sent: %w", err)
	}
	if m.HasBody && (m.Chunked || len(m.Body) == 0) {
		// A body of no bytes differs from no body only where it is framed
		// (RFC 9112 §6).
		request.Body = io.NopCloser(bytes.NewReader(m.Body))
		request.ContentLength = -1
		request.TransferEncoding = []string{"chunked"}
	}
	request.Close = m.Wire == fixtures.Closing
	for _, h := range c.target.HeadersOf(m) {
		if strings.EqualFold(h.Name, "Host") {
			request.Host = h.Value
			continue
		}
		request.Header.Add(h.Name, h.Value)
	}
	if agent, ok := fixtures.FindField(m.Header, "User-Agent"); ok || len(request.Header.Values("User-Agent")) == 0 {
		// There is one of it at most: the fixture's, the target's or ours.
		if !ok {
			agent = c.target.UserAgent
		}
		request.Header.Set("User-Agent", agent)
	}
	for _, h := range m.Header {
		if !strings.EqualFold(h.Name, "User-Agent") {
			// White space around a value is no part of it. HTTP/1.1 drops it;
			// in HTTP/2 the message would be malformed (RFC 9113 §8.2.1).
			request.Header.Add(h.Name, strings.Trim(expand(h.Value, c.target.credential), " \t"))
		}
	}
	if len(request.Header.Values("Accept")) == 0 {
		// As nearly every client does: who leaves it out is not who most
		// services serve.
		request.Header.Set("Accept", "*/*")
	}
	if _, ok := fixtures.FindField(m.Header, "Accept-Encoding"); !ok {
		request.Header.Set("Accept-Encoding", gzipCoding)
	}
	for _, h := range m.Header {
		if h.IsRemoved() && h.Name != "User-Agent" { // which net/http leaves out if it is empty, and else sends its own
			request.Header.Del(h.Name)
		}
	}
	return request, checkHeader(request.Header)
}

// checkHeader refuses what HTTP/1.1 would leave out or change in silence.
func checkHeader(header http.Header) error {
	for name, values := range header {
		if !httpguts.ValidHeaderFieldName(name) {
			return fmt.Errorf("the request cannot be sent: %q is not a valid header name", name)
		}
		if slices.ContainsFunc(values, func(v string) bool { return !httpguts.ValidHeaderFieldValue(v) }) {
			return fmt.Errorf("the request cannot be sent: the value of header %s contains a control character", name)
		}
	}
	return nil
}

// url is where a message goes, with the credentials that it has in its query.
func (c *Client) url(m fixtures.Message, credential func(scheme string) string) string {
	return strings.TrimSuffix(c.base.String(), "/") + m.Path + query(m, credential)
}

// query is what comes behind a path, which may have some of it already.
func query(m fixtures.Message, credential func(scheme string) string) string {
	var b strings.Builder
	for i, f := range m.Query {
		if i == 0 && !strings.Contains(m.Path, "?") {
			b.WriteByte('?')
		} else {
			b.WriteByte('&')
		}
		b.WriteString(fixtures.EscapeQuery(f.Name) + "=" + fixtures.EscapeQuery(expand(f.Value, credential)))
	}
	return b.String()
}

// expand puts the credentials where a message leaves room for them. The mask takes
// the same places.
func expand(value string, credential func(scheme string) string) string {
	return fixtures.ReplaceTokens(value, func(placeholder, scheme string) string {
		token := credential(scheme)
		if token == redact.Mask {
			return token
		}
		switch placeholder {
		case fixtures.BasicPlaceholder:
			return base64.StdEncoding.EncodeToString([]byte(token))
		case fixtures.PasswordPlaceholder:
			return base64.StdEncoding.EncodeToString([]byte(fixtures.PasswordUser + ":" + token))
		case fixtures.UserPlaceholder:
			return base64.StdEncoding.EncodeToString([]byte(token + ":"))
		}
		return token
	})
}

func mask(string) string { return redact.Mask }

// record notes a request without its secrets: those in their place are left
// out, not masked afterwards.
func (c *Client) record(m fixtures.Message) Request {
	if m.Secret {
		m.Body = []byte(expand(string(m.Body), mask))
	}
	r := Request{Method: m.Method, URL: c.redactor.Text(c.url(m, mask)), Body: m.Body, Schemes: m.Credential.Schemes, own: len(m.Takes) == 0}
	for _, h := range c.target.HeadersOf(m) {
		if c.target.IsSecret(h.Name) {
			h.Value = redact.Mask
		}
		r.Header = append(r.Header, fixtures.Field{Name: h.Name, Value: c.redactor.Text(h.Value)})
	}
	for _, h := range m.Header {
		if h.IsRemoved() {
			continue
		}
		if slices.Contains(m.Given, h.Name) && c.target.IsSecret(h.Name) {
			h.Value = redact.Mask
		}
		r.Header = append(r.Header, fixtures.Field{Name: h.Name, Value: c.redactor.Text(expand(h.Value, mask))})
	}
	return r
}
