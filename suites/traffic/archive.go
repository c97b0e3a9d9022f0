package traffic

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// entry contains the keys of an archive entry that this package uses. Other keys are ignored. A
// hint may have any type.
type entry struct {
	Time     hint      `json:"time"` // in milliseconds
	Request  request   `json:"request"`
	Response *response `json:"response"`
	Error    hint      `json:"_error"` // the name that Chromium uses
}

type request struct {
	Method   string    `json:"method"`
	URL      string    `json:"url"`
	Headers  []field   `json:"headers"`
	PostData *postData `json:"postData"`
}

type postData struct {
	Text     *string `json:"text"`
	Encoding string  `json:"encoding"` // not in HAR 1.2; some tools write it if the body is not text
}

type response struct {
	Status     int     `json:"status"` // 0 if there was no response
	StatusText hint    `json:"statusText"`
	Headers    []field `json:"headers"`
	Content    content `json:"content"`
	BodySize   hint    `json:"bodySize"` // on the wire; -1 if unknown
	Error      hint    `json:"_error"`
}

type content struct {
	Size     hint    `json:"size"` // without content codings; -1 if unknown
	MimeType string  `json:"mimeType"`
	Text     *string `json:"text"`
	Encoding string  `json:"encoding"`
	Cut      hint    `json:"_truncated"` // the name that our own reports use
}

type field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// hint is an optional value. It is used only if it has the expected type.
type hint struct{ value any }

// UnmarshalJSON accepts any value.
func (h *hint) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &h.value) != nil {
		h.value = nil // a number out of range
	}
	return nil
}

func (h hint) text() string {
	text, _ := h.value.(string)
	return text
}

// number returns the number, or -1 for an unknown size if the hint is not a number.
func (h hint) number() float64 {
	if n, ok := h.value.(float64); ok {
		return n
	}
	return -1
}

// decode returns the bytes that an archive contains as text or in base64.
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

// read returns the header fields and the body of a response to a request with that method.
// missing is a sentence about what was not recorded, or empty if all was recorded. Bodies are
// decoded in an archive, so read drops the fields that describe their coded form.
func (r response) read(method string) (header http.Header, body []byte, missing string) {
	header = headers(r.Headers)
	if len(r.Headers) == 0 && r.Content.MimeType != "" {
		header.Set("Content-Type", r.Content.MimeType) // the tool does not save header fields
	}
	coded := isCoded(header)
	length := header.Get("Content-Length")
	if coded {
		header.Del("Content-Encoding")
		header.Del("Content-Length")
	}
	if r.Content.Text == nil || *r.Content.Text == "" {
		if !r.isEmpty(method, length) {
			missing = "the archive does not hold the body of the response"
		}
		return header, nil, missing
	}
	body, err := decode(*r.Content.Text, r.Content.Encoding)
	if err != nil {
		return header, nil, "the archive holds a body " + err.Error()
	}
	told, err := strconv.ParseInt(length, 10, 64)
	switch {
	case r.Content.Cut.value == true:
		missing = fmt.Sprintf("the archive holds only the first %d bytes of the response's body", len(body))
	case coded && bytes.HasPrefix(body, []byte("\x1f\x8b")):
		missing = "the archive holds the body of the response in its coded form"
	case !coded && r.Content.Size.number() > float64(len(body)):
		missing = fmt.Sprintf("the archive holds %d of the %.0f bytes of the response's body", len(body), r.Content.Size.number())
	case !coded && method != http.MethodHead && err == nil && told > int64(len(body)):
		missing = fmt.Sprintf("the archive holds %d of the %s bytes of the response's body", len(body), length)
	}
	return header, body, missing
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

// isCoded reports whether a header contains a content coding (RFC 9110 §8.4.1).
func isCoded(header http.Header) bool {
	codings := strings.ToLower(strings.Join(header.Values("Content-Encoding"), ","))
	return slices.ContainsFunc(strings.Split(codings, ","), func(coding string) bool {
		return slices.Contains([]string{"gzip", "x-gzip", "br", "deflate", "zstd", "compress", "x-compress"}, strings.TrimSpace(coding))
	})
}
