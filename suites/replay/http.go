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

// gzipCoding is the one content coding that is asked for and undone (RFC 9110
// §8.4.1.3).
const gzipCoding = "gzip"

// maxCoding is how many bytes a content coding may add.
const maxCoding = 64 << 10

// errTooLong is why a body is not read to its end.
var errTooLong = errors.New("body too long")

// read takes the response in, within the limits, and gives what there is of
// it even where it fails.
func (c *Client) read(response *http.Response) (*Response, error) {
	defer response.Body.Close()
	header := response.Header
	var body []byte
	var err error
	if response.StatusCode >= 200 { // a switch of protocols has no body, but a connection
		limit := c.limits.MaxBody
		if isGzip(response) {
			limit += maxCoding
		}
		body, err = readLimited(response.Body, limit)
	}
	refused, coded := false, header.Get("Content-Encoding") != ""
	if isGzip(response) {
		// What is judged and recorded is the content, for which the name of the coding would be
		// wrong. The length stays: a contract may require the field. A body that is not coded so
		// is left as it came: the message is complete all the same (RFC 9112 §8), and its status
		// and fields are judged.
		if content, coding := c.gunzip(body); err != nil || coding == nil || errors.Is(coding, errTooLong) {
			header = header.Clone()
			header.Del("Content-Encoding")
			asked := response.Request.Header.Values("Accept-Encoding") // without it, any coding will do (RFC 9110 §12.5.3)
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

// cookieValue is the value in a field Set-Cookie, which may be as good as a credential.
var cookieValue = regexp.MustCompile("=[^;]+")

// maskCookies masks the values of the cookies that a service sets.
func maskCookies(header http.Header) http.Header {
	for i, field := range header["Set-Cookie"] {
		if at := cookieValue.FindStringIndex(field); at != nil {
			header["Set-Cookie"][i] = field[:at[0]+1] + redact.Mask + field[at[1]:]
		}
	}
	return header
}

// streamTime is how long a stream is listened to: what has come by then shows its status
// and its media type, and whether it ever ends is not known of any.
const streamTime = time.Second

// isStream reports whether an accepting response is of one of the media types of which a
// response may go on for as long as the client listens.
func isStream(r *http.Response, types []string) bool {
	named, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && r.StatusCode/100 == 2 && r.ContentLength < 0 && r.Header.Get("Content-Length") == "" && slices.Contains(types, named)
}

// isGzip reports whether the body comes in the coding that most requests ask for.
func isGzip(response *http.Response) bool {
	coding := strings.ToLower(strings.Join(response.Header.Values("Content-Encoding"), ","))
	return coding == gzipCoding || coding == "x-gzip"
}

// gunzip undoes the coding and holds the limit against what comes out of it. A
// body of no bytes stays one.
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
