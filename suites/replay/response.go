package replay

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/suites/replay/redact"
)

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
