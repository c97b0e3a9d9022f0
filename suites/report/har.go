package report

import (
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// WriteHAR writes the exchanges as an HTTP Archive, version 1.2, which browser
// tools open. What the model does not hold is said to be unknown: the versions
// of HTTP, sizes on the wire, and when each exchange began, for which the
// beginning of the run stands.
func WriteHAR(w io.Writer, r result.Report) error {
	return terminal.WriteJSON(w, "the HAR report", "  ", har{newHARLog(r)})
}

type har struct {
	Log harLog `json:"log"`
}

type harLog struct {
	Version string     `json:"version"`
	Creator harCreator `json:"creator"`
	Pages   []harPage  `json:"pages"`
	Entries []harEntry `json:"entries"`
	Comment string     `json:"comment"`
}

type harCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// harPage is what entries belong to; there are browsers that refuse an archive
// without one.
type harPage struct {
	Started time.Time `json:"startedDateTime"`
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Timings struct{}  `json:"pageTimings"`
}

type harEntry struct {
	Page     string      `json:"pageref"`
	Started  time.Time   `json:"startedDateTime"`
	Time     float64     `json:"time"` // in milliseconds: the sum of the timings
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Error    string      `json:"_error,omitempty"` // as Chromium calls it
	Comment  string      `json:"comment"`
}

// harTimings are in milliseconds.
type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

type harRequest struct {
	Method      string       `json:"method"`
	URL         string       `json:"url"`
	HTTPVersion string       `json:"httpVersion"`
	Cookies     []harCookie  `json:"cookies"`
	Headers     []harField   `json:"headers"`
	Query       []harField   `json:"queryString"`
	PostData    *harPostData `json:"postData,omitempty"`
	HeadersSize int          `json:"headersSize"`
	BodySize    int          `json:"bodySize"`
}

type harResponse struct {
	Status      int         `json:"status"` // 0 where none came, as browsers have it
	StatusText  string      `json:"statusText"`
	HTTPVersion string      `json:"httpVersion"`
	Cookies     []harCookie `json:"cookies"`
	Headers     []harField  `json:"headers"`
	Content     harContent  `json:"content"`
	RedirectURL string      `json:"redirectURL"`
	HeadersSize int         `json:"headersSize"`
	BodySize    int         `json:"bodySize"`
}

type harField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harCookie struct {
	Name     string     `json:"name"`
	Value    string     `json:"value"`
	Path     string     `json:"path,omitempty"`
	Domain   string     `json:"domain,omitempty"`
	Expires  *time.Time `json:"expires,omitempty"`
	HTTPOnly bool       `json:"httpOnly,omitempty"`
	Secure   bool       `json:"secure,omitempty"`
}

type harPostData struct {
	MimeType string `json:"mimeType"`
	Text     string `json:"text"`
	Encoding string `json:"encoding,omitempty"` // no key of the standard, but what other tools write and read
	Comment  string `json:"comment,omitempty"`
}

type harContent struct {
	Size     int    `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"`
	Cut      bool   `json:"_truncated,omitempty"` // a key of our own, which begins with an underscore
	Comment  string `json:"comment,omitempty"`
}

const (
	harPageID  = "run"
	harUnknown = "unknown"
	harNoSize  = -1
)

func newHARLog(r result.Report) harLog {
	started := r.Run.Started.UTC().Truncate(time.Millisecond) // HAR has no more
	log := harLog{
		Version: "1.2", Creator: harCreator{"conformance", r.Harness.Version},
		Pages:   []harPage{{Started: started, ID: harPageID, Title: strings.TrimSpace(r.Contract.Title + " " + r.Contract.Version)}},
		Entries: []harEntry{},
		Comment: "the start time of each exchange is that of the run",
	}
	for _, result := range r.Results {
		x := result.Exchange
		log.Entries = append(log.Entries, harEntry{
			Page: harPageID, Started: started, Time: x.DurationMs, Timings: harTimings{Wait: x.DurationMs},
			Request: newHARRequest(x.Request), Response: newHARResponse(x.Response), Error: x.Failure, Comment: harComment(result),
		})
	}
	return log
}

// harComment says which fixture an exchange is of, and what is wrong with it.
func harComment(r result.Result) string {
	said := []string{r.Fixture + ": " + string(r.Status)}
	for _, f := range r.Findings {
		if f.Severity != judge.Observation {
			said = append(said, f.Clause+": "+sentence(f))
		}
	}
	return Visible(strings.Join(said, "; "))
}

func newHARRequest(r result.Request) harRequest {
	out := harRequest{
		Method: r.Method, URL: harURL(r.URL), HTTPVersion: harUnknown,
		Cookies: []harCookie{}, Headers: harHeaders(r.Headers), Query: harQuery(r.URL),
		HeadersSize: harNoSize, BodySize: harSize(r.Body),
	}
	for _, value := range header(r.Headers, "Cookie") {
		cookies, err := http.ParseCookie(value)
		if err != nil {
			continue // it is shown with the other headers
		}
		for _, c := range cookies {
			out.Cookies = append(out.Cookies, newHARCookie(c))
		}
	}
	if r.Body.Body != "" {
		out.PostData = &harPostData{mediaType(r.Headers), r.Body.Body, r.Encoding, harNote(r.Body)}
	}
	return out
}

func newHARResponse(r *result.Response) harResponse {
	out := harResponse{
		HTTPVersion: harUnknown, Cookies: []harCookie{}, Headers: []harField{},
		HeadersSize: harNoSize, BodySize: harNoSize, Content: harContent{MimeType: "x-unknown"}, // as browsers have it
	}
	if r == nil {
		return out
	}
	out.Status, out.StatusText, out.Headers = r.Status, http.StatusText(r.Status), harHeaders(r.Headers)
	for _, value := range header(r.Headers, "Set-Cookie") {
		if c, err := http.ParseSetCookie(value); err == nil {
			out.Cookies = append(out.Cookies, newHARCookie(c))
		}
	}
	if location := header(r.Headers, "Location"); len(location) > 0 {
		out.RedirectURL = location[0]
	}
	out.Content = harContent{Size: len(r.Raw()), MimeType: mediaType(r.Headers), Text: r.Body.Body, Encoding: r.Encoding}
	if r.Truncated {
		out.Content.Size, out.Content.Cut, out.Content.Comment = harNoSize, true, harCut
	}
	return out
}

const harCut = "the beginning of the body"

// harNote says of a request body what HAR has no other place for.
func harNote(b result.Body) string {
	var notes []string
	if b.Truncated {
		notes = append(notes, harCut)
	}
	if b.Encoding != "" {
		notes = append(notes, "in "+b.Encoding+", because the body is not UTF-8")
	}
	return strings.Join(notes, ", ")
}

func harSize(b result.Body) int {
	if b.Truncated {
		return harNoSize
	}
	return len(b.Raw())
}

// harURL is the address, which has to be an absolute one.
func harURL(text string) string {
	if u, err := url.Parse(text); err != nil || !u.IsAbs() {
		return "about:invalid"
	}
	return text
}

// harQuery are the parameters of the address, in its order.
func harQuery(address string) []harField {
	fields := []harField{}
	_, query, _ := strings.Cut(address, "?")
	query, _, _ = strings.Cut(query, "#")
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		fields = append(fields, harField{unescaped(name), unescaped(value)})
	}
	return fields
}

// unescaped is a part of a query as it is meant, or as it is written where that
// cannot be known.
func unescaped(text string) string {
	if meant, err := url.QueryUnescape(text); err == nil {
		return meant
	}
	return text
}

// harHeaders are the fields by name, the values of one in their order.
func harHeaders(headers map[string][]string) []harField {
	fields := []harField{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for _, value := range headers[name] {
			fields = append(fields, harField{name, value})
		}
	}
	return fields
}

// header gives the values of a field, however its name is written.
func header(headers map[string][]string, name string) []string {
	var values []string
	for _, key := range slices.Sorted(maps.Keys(headers)) {
		if strings.EqualFold(key, name) {
			values = append(values, headers[key]...)
		}
	}
	return values
}

func mediaType(headers map[string][]string) string {
	return strings.Join(header(headers, "Content-Type"), ", ")
}

func newHARCookie(c *http.Cookie) harCookie {
	out := harCookie{Name: c.Name, Value: c.Value, Path: c.Path, Domain: c.Domain, HTTPOnly: c.HttpOnly, Secure: c.Secure}
	if !c.Expires.IsZero() {
		out.Expires = &c.Expires
	}
	return out
}
