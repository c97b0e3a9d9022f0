package report_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/har"
	"github.com/plantstore/conformance/suites/result"
)

const harSchema = "testdata/schema/har/har.json"

func checkHAR(t *testing.T, archive []byte) {
	for _, entry := range readHAR(t, archive) {
		reporttest.Harmless(t, "the comment", entry.Comment)
	}
}

func TestHARKeepsTheMethod(t *testing.T) {
	reporttest.EachHostile(t, func(t *testing.T, text string, r result.Report) {
		for _, entry := range readHAR(t, reporttest.Written(t, har.Write, r)) {
			if want := strings.ToValidUTF8(text, ""); strings.ReplaceAll(entry.Request.Method, "\ufffd", "") != want {
				t.Errorf("the method is %.100q", entry.Request.Method)
			}
		}
	})
}

type field struct{ Name, Value string }

type entry struct {
	Pageref  string
	Comment  string
	Error    string `json:"_error"`
	Time     float64
	Timings  struct{ Send, Wait, Receive float64 }
	Request  harMessage
	Response harMessage
}

type harMessage struct {
	Method, URL string
	Status      int
	StatusText  string
	Cookies     []cookie
	Headers     []field
	QueryString []field
	BodySize    int
	PostData    *struct{ MimeType, Text, Comment string }
	Content     *struct {
		Size                              int
		MimeType, Text, Encoding, Comment string
	}
	RedirectURL string
}

type cookie struct {
	Name, Value, Path, Domain, Expires string
	HTTPOnly, Secure                   bool
}

func readHAR(t *testing.T, text []byte) []entry {
	t.Helper()
	var file struct {
		Log struct {
			Version string
			Pages   []struct{ ID string }
			Entries []entry
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if file.Log.Version != "1.2" || len(file.Log.Pages) != 1 {
		t.Errorf("version %s, %d pages", file.Log.Version, len(file.Log.Pages))
	}
	for i, e := range file.Log.Entries {
		if e.Pageref != file.Log.Pages[0].ID || e.Time != e.Timings.Send+e.Timings.Wait+e.Timings.Receive {
			t.Errorf("entry %d is on page %q and takes %v, which is %+v", i, e.Pageref, e.Time, e.Timings)
		}
	}
	return file.Log.Entries
}

// exchanged returns the HAR entry of one exchange.
func exchanged(t *testing.T, x result.Exchange) entry {
	t.Helper()
	r := result.Report{Results: []result.Result{{Outcome: judge.Outcome{Fixture: "a/b/c", Status: "passed"}, Exchange: x}}}
	text := reporttest.Written(t, har.Write, r)
	reporttest.Meets(t, reporttest.CompileFile(harSchema)(t), text)
	return readHAR(t, text)[0]
}

func TestHARRequests(t *testing.T) {
	const binary = "\x00\xff"
	encoded := base64.StdEncoding.EncodeToString([]byte(binary))
	for name, c := range map[string]struct {
		request result.Request
		want    string // URL, query, cookies, body size, body
	}{
		"plain":               {result.Request{URL: "http://a/b"}, "http://a/b [] [] 0"},
		"a query":             {result.Request{URL: "http://a/b?x=1&x=%20+&y&%zz=#f"}, "http://a/b?x=1&x=%20+&y&%zz=#f [{x 1} {x   } {y } {%zz }] [] 0"},
		"no address":          {result.Request{URL: "b c"}, "about:invalid [] [] 0"},
		"cookies":             {result.Request{URL: "http://a", Headers: map[string][]string{"cookie": {"a=1; b=2", "\x00", "c=3"}}}, "http://a [] [a=1 b=2 c=3] 0"},
		"a body":              {result.Request{URL: "http://a", Headers: map[string][]string{"content-type": {"text/plain"}}, Body: result.Body{Body: "é"}}, "http://a [] [] 2 text/plain é "},
		"a body's beginning":  {result.Request{URL: "http://a", Body: result.Body{Body: "é", Truncated: true}}, "http://a [] [] -1  é the beginning of the body"},
		"a body of odd bytes": {result.Request{URL: "http://a", Body: result.Body{Body: encoded, Encoding: "base64"}}, "http://a [] [] 2  AP8= in base64, because the body is not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			r := exchanged(t, result.Exchange{Request: c.request}).Request
			got := fmt.Sprintf("%s %v %v %d", r.URL, r.QueryString, cookies(r.Cookies), r.BodySize)
			if r.PostData != nil {
				got += fmt.Sprintf(" %s %s %s", r.PostData.MimeType, r.PostData.Text, r.PostData.Comment)
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func cookies(list []cookie) []string {
	var all []string
	for _, c := range list {
		all = append(all, c.Name+"="+c.Value)
	}
	return all
}

func TestHARResponses(t *testing.T) {
	for name, c := range map[string]struct {
		response *result.Response
		want     string // status, text, size, media type, content
	}{
		"none":        {nil, "0  0 x-unknown   "},
		"plain":       {&result.Response{Status: 200, Headers: map[string][]string{"Content-Type": {"text/plain"}}, Body: result.Body{Body: "é"}}, "200 OK 2 text/plain é  "},
		"unknown":     {&result.Response{Status: 799}, "799  0    "},
		"odd bytes":   {&result.Response{Status: 400, Body: result.Body{Body: "AP8=", Encoding: "base64"}}, "400 Bad Request 2  AP8= base64 "},
		"a beginning": {&result.Response{Status: 200, Body: result.Body{Body: "ab", Truncated: true}}, "200 OK -1  ab  the beginning of the body"},
	} {
		t.Run(name, func(t *testing.T) {
			r := exchanged(t, result.Exchange{Response: c.response}).Response
			got := fmt.Sprintf("%d %s %d %s %s %s %s", r.Status, r.StatusText, r.Content.Size, r.Content.MimeType, r.Content.Text, r.Content.Encoding, r.Content.Comment)
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestHARResponseHeaders(t *testing.T) {
	x := exchanged(t, result.Exchange{Failure: "cut off", Response: &result.Response{Status: 302, Headers: map[string][]string{
		"Location":   {"/elsewhere"},
		"Set-Cookie": {"a=1; Path=/p; Domain=d.example; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Secure; HttpOnly", "=", "b=2"},
		"A":          {"1", "2"},
	}}})
	want := []cookie{{"a", "1", "/p", "d.example", "2026-10-21T07:28:00Z", true, true}, {Name: "b", Value: "2"}}
	if !slices.Equal(x.Response.Cookies, want) {
		t.Errorf("cookies are %+v", x.Response.Cookies)
	}
	if x.Response.RedirectURL != "/elsewhere" || x.Error != "cut off" {
		t.Errorf("it leads to %q with the error %q", x.Response.RedirectURL, x.Error)
	}
	names := []string{}
	for _, f := range x.Response.Headers {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, "+"); got != "A+A+Location+Set-Cookie+Set-Cookie+Set-Cookie" {
		t.Errorf("headers are %s", got)
	}
}

func FuzzHAR(f *testing.F) {
	schema := reporttest.CompileFile(harSchema)(f)
	reporttest.Fuzz(f, func(t *testing.T, r result.Report) {
		text := reporttest.Written(t, har.Write, r)
		reporttest.Meets(t, schema, text)
		reporttest.CheckNoCommands(t, "HAR", string(text))
	})
}
