package traffic

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// decode gives the bytes that an archive holds as text, or in base64.
func decode(text, encoding string) ([]byte, error) {
	switch strings.ToLower(encoding) {
	case "", "utf-8", "utf8":
		return []byte(text), nil
	case "base64":
		body, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("which is said to be base64 and is not")
		}
		return body, nil
	}
	return nil, fmt.Errorf("whose encoding %.20q is not known", encoding)
}

// answer is a recorded response as the judge takes it.
type answer struct {
	header  http.Header
	body    []byte
	missing string // what was not recorded, as a sentence; "" where all is there
}

// read gives what there is of a response to a request of that method. The text
// of a body is decoded in an archive, so the fields that describe its coded
// form are dropped.
func (r response) read(method string) answer {
	a := answer{header: headers(r.Headers)}
	if len(r.Headers) == 0 && r.Content.MimeType != "" {
		a.header.Set("Content-Type", r.Content.MimeType) // the tool keeps no headers
	}
	coded := isCoded(a.header)
	length := a.header.Get("Content-Length")
	if coded {
		a.header.Del("Content-Encoding")
		a.header.Del("Content-Length")
	}
	if r.Content.Text == nil || *r.Content.Text == "" {
		if !r.isEmpty(method, length) {
			a.missing = "the archive does not hold the body of the response"
		}
		return a
	}
	body, err := decode(*r.Content.Text, r.Content.Encoding)
	if err != nil {
		a.missing = "the archive holds a body " + err.Error()
		return a
	}
	a.body = body
	switch {
	case r.Content.Cut.isTrue():
		a.missing = fmt.Sprintf("the archive holds only the first %d bytes of the response's body", len(body))
	case coded && bytes.HasPrefix(body, []byte("\x1f\x8b")):
		a.missing = "the archive holds the body of the response in its coded form"
	case !coded && r.Content.Size.number() > float64(len(body)):
		a.missing = fmt.Sprintf("the archive holds %d of the %.0f bytes of the response's body", len(body), r.Content.Size.number())
	case !coded && method != http.MethodHead && isLonger(length, len(body)):
		a.missing = fmt.Sprintf("the archive holds %d of the %s bytes of the response's body", len(body), length)
	}
	return a
}

// isEmpty reports whether a response without a body in the archive had none.
func (r response) isEmpty(method, length string) bool {
	switch {
	case method == http.MethodHead, r.Status < 200, r.Status == http.StatusNoContent, r.Status == http.StatusNotModified:
		return true // by HTTP (RFC 9110 §6.4.1)
	case length != "":
		return length == "0"
	case r.Content.Size.number() >= 0:
		return r.Content.Size.number() == 0
	}
	return r.Content.Text != nil || r.BodySize.number() == 0
}

// isCoded reports whether a header speaks of a content coding (RFC 9110 §8.4.1).
func isCoded(header http.Header) bool {
	codings := strings.ToLower(strings.Join(header.Values("Content-Encoding"), ","))
	return slices.ContainsFunc(strings.Split(codings, ","), func(coding string) bool {
		return slices.Contains([]string{"gzip", "x-gzip", "br", "deflate", "zstd", "compress", "x-compress"}, strings.TrimSpace(coding))
	})
}

func isLonger(text string, length int) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n > int64(length)
}
