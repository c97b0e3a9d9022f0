package replay

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay/conn"
	"github.com/plantstore/conformance/suites/replay/redact"
)

// request returns the HTTP request of a message for this target. It adds the header
// fields Host, Content-Length or Transfer-Encoding, User-Agent, Accept and
// Accept-Encoding to those of the message and the target.
func (c *Client) request(ctx context.Context, m fixtures.Message) (*http.Request, error) {
	var body io.Reader
	if m.Secret {
		m.Body = []byte(expand(string(m.Body), c.target.credential))
	}
	if m.Gzip { // RFC 9110 §8.4.1.3
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(m.Body) // a write to a buffer cannot fail
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
	if m.InChunks() {
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
		// Send at most one User-Agent: the fixture's, the target's or the default.
		if !ok {
			agent = c.target.UserAgent
		}
		request.Header.Set("User-Agent", agent)
	}
	for _, h := range m.Header {
		if !strings.EqualFold(h.Name, "User-Agent") {
			// White space around a value does not belong to the value. HTTP/1.1 drops
			// it. In HTTP/2 it makes the message malformed (RFC 9113 §8.2.1).
			request.Header.Add(h.Name, strings.Trim(expand(h.Value, c.target.credential), " \t"))
		}
	}
	if len(request.Header.Values("Accept")) == 0 {
		// Nearly every client sends Accept, so services are tested with it.
		request.Header.Set("Accept", "*/*")
	}
	if _, ok := fixtures.FindField(m.Header, "Accept-Encoding"); !ok {
		request.Header.Set("Accept-Encoding", gzipCoding)
	}
	for _, h := range m.Header {
		if h.IsRemoved() && h.Name != "User-Agent" { // net/http sends its default User-Agent if it is not set
			request.Header.Del(h.Name)
		}
	}
	return request, checkHeader(request.Header)
}

// checkHeader rejects header fields that HTTP/1.1 would silently omit or change.
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

// url returns the URL of a message, with the credentials in its query.
func (c *Client) url(m fixtures.Message, credential func(scheme string) string) string {
	return strings.TrimSuffix(c.base.String(), "/") + m.Path + query(m, credential)
}

// query returns the query to append to the path, which may already contain a query.
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

// expand replaces the placeholders of a message with credentials, or with the mask.
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

// record returns the request without its secrets. The mask replaces the placeholders,
// so these credentials need not be searched for.
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

// gzipCoding is the only content coding that requests accept and that is decoded
// (RFC 9110 §8.4.1.3).
const gzipCoding = "gzip"

// maxCoding is the number of bytes that a content coding may add to a body.
const maxCoding = 64 << 10

// errTooLong reports a body that exceeds the limit.
var errTooLong = errors.New("body too long")

// read reads the response within the limits. If it fails, it returns the part that
// arrived together with the error.
func (c *Client) read(response *http.Response) (*Response, error) {
	defer response.Body.Close()
	header := response.Header
	var body []byte
	var err error
	if response.StatusCode >= 200 { // after 101 the body would be the connection itself
		limit := c.limits.MaxBody
		if isGzip(response) {
			limit += maxCoding
		}
		body, err = readLimited(response.Body, limit)
	}
	refused, coded := false, header.Get("Content-Encoding") != ""
	if isGzip(response) {
		// Judge and record the decoded content, so drop Content-Encoding. Content-Length stays,
		// because a contract may require it. A body that is not valid gzip stays as it came: the
		// message is complete (RFC 9112 §8), and its status and header fields are judged.
		if content, coding := c.gunzip(body); err != nil || coding == nil || errors.Is(coding, errTooLong) {
			header = header.Clone()
			header.Del("Content-Encoding")
			asked := response.Request.Header.Values("Accept-Encoding") // without it, any will do (RFC 9110 §12.5.3)
			refused = len(asked) > 0 && !strings.Contains(strings.ToLower(asked[0]), gzipCoding)
			body, err = content, cmp.Or(err, coding)
		}
	}
	kept, headerCut := keepHeader(header)
	return &Response{
		Status:    response.StatusCode,
		Header:    maskCookies(c.redactor.Header(kept)),
		HeaderCut: headerCut,
		Body:      c.redactor.Body(body, err != nil),
		Cut:       err != nil,
		Coded:     coded,
		Refused:   refused,
		raw:       &raw{header, body},
	}, err
}

// cookieValue matches the value in a Set-Cookie field, which may serve as a credential.
var cookieValue = regexp.MustCompile("=[^;]+")

func maskCookies(header http.Header) http.Header {
	for i, field := range header["Set-Cookie"] {
		if at := cookieValue.FindStringIndex(field); at != nil {
			header["Set-Cookie"][i] = field[:at[0]+1] + redact.Mask + field[at[1]:]
		}
	}
	return header
}

// streamTime is how long the client reads a stream. By then it has the status and the media
// type. Waiting longer does not help, because a stream may never end.
const streamTime = time.Second

// isStream reports whether a 2xx response without Content-Length has one of these media
// types, whose responses may never end.
func isStream(r *http.Response, types []string) bool {
	named, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && r.StatusCode/100 == 2 && r.ContentLength < 0 && r.Header.Get("Content-Length") == "" && slices.Contains(types, named)
}

func isGzip(response *http.Response) bool {
	coding := strings.ToLower(strings.Join(response.Header.Values("Content-Encoding"), ","))
	return coding == gzipCoding || coding == "x-gzip"
}

// gunzip decodes a gzip body. The size limit applies to the decoded content. An empty
// body stays empty.
func (c *Client) gunzip(coded []byte) ([]byte, error) {
	if len(coded) == 0 {
		return nil, nil
	}
	content, err := gzip.NewReader(bytes.NewReader(coded))
	if err != nil {
		return nil, fmt.Errorf("coded body: %w", err)
	}
	return readLimited(content, c.limits.MaxBody)
}

func readLimited(r io.Reader, limit int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(body)) > limit {
		return body[:limit], errTooLong
	}
	return body, err
}
