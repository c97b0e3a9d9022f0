package traffic_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/traffic"
)

// An error about an archive is one sentence that includes the place.
func TestMistakesInArchives(t *testing.T) {
	whole := archive(t, asked(object{"method": "GET"}), fern())
	for _, row := range []struct{ what, text, says string }{
		{"nothing", "", "is empty"},
		{"white space", " \n ", "is empty"},
		{"prose", "this is no HAR", "is not JSON: invalid character 'h' in literal true (expecting 'r') in line 1"},
		{"a page", "<!doctype html>", "is not JSON: invalid character '<' at start of value in line 1"},
		{"JSON that is no object", `["log"]`, "is not a HAR file: it is JSON, but no object with a log"},
		{"JSON that is no HAR", `{"a": {"b": []}}`, "is not a HAR file: it has no log with a list of entries"},
		{"a log that is no object", `{"log": []}`, "is not a HAR file: it has no log with a list of entries"},
		{"a log without entries", `{"log": {"version": "1.2"}}`, "is not a HAR file: it has no log with a list of entries"},
		{"entries that are no list", `{"log": {"entries": {}}}`, "is not a HAR file: it has no log with a list of entries"},
		{"another version", `{"log": {"version": "2.0", "entries": []}}`, `is a HAR of version "2.0"; only 1.2 and those before it can be read`},
		{"another version behind the entries", `{"log": {"entries": [], "version": "2.0"}}`, `is a HAR of version "2.0"`},
		{"something behind the log", archive(t) + "x", "is not JSON: invalid character 'x' at start of value in line"},
		{"two of them", archive(t) + archive(t), "is not a HAR file: something follows the log"},
		{"one that is cut off", whole[:len(whole)/3], "is cut off: it ends in or after entry 1, line "},
		{"one that is cut off in its second entry", whole[:len(whole)-60], "is cut off: it ends in or after entry 2, line "},
		{"one that is cut off behind its entries", strings.TrimSuffix(strings.TrimSpace(whole), "}"), "is cut off: it ends in or after entry 2, line "},
		{"a comma too many", `{"log": {"entries": [{"request":{"method":"GET","url":"http://a/"}},]}}`, "is not JSON: invalid character ',' at start of value in or after entry 2, line 1"},
		{"an entry that is none", `{"log": {"entries": [7]}}`, "is not a HAR file: entry 1 (line 1) has a wrong entry: a JSON number"},
		{"an entry that is null", `{"log": {"entries": [null]}}`, "is not a HAR file: entry 1 (line 1) has no request.method"},
		{"an entry without a request", `{"log": {"entries": [` + "\n\n" + ` {"response": {}}]}}`, "is not a HAR file: entry 1 (line 3) has no request.method"},
		{"a request without an address", `{"log": {"entries": [{"request": {"method": "GET"}}]}}`, "is not a HAR file: entry 1 (line 1) has no request.url"},
		{"a status in words", `{"log": {"entries": [{"request": {"method": "GET", "url": "http://a/"}, "response": {"status": "OK"}}]}}`, "is not a HAR file: entry 1 (line 1) has a wrong response.status: a JSON string"},
		{"headers as an object", `{"log": {"entries": [{"request": {"method": "GET", "url": "http://a/", "headers": {"a": "b"}}}]}}`, "is not a HAR file: entry 1 (line 1) has a wrong request.headers: a JSON object"},
	} {
		t.Run(row.what, func(t *testing.T) {
			_, err := verify(t, row.text, traffic.Config{})
			if err == nil || !strings.HasPrefix(err.Error(), row.says) {
				t.Fatalf("the archive %v, want: %s", err, row.says)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("that is more than a line: %v", err)
			}
		})
	}
}

// Differences between tools do not matter.
func TestOddArchives(t *testing.T) {
	one := asJSON(t, fern())
	for what, text := range map[string]string{
		"version 1.1":                `{"log":{"version":"1.1","entries":[` + one + `]}}`,
		"no version":                 `{"log":{"entries":[` + one + `]}}`,
		"an empty version":           `{"log":{"version":"","entries":[` + one + `]}}`,
		"the version at the end":     `{"log":{"entries":[` + one + `],"version":"1.2"}}`,
		"hints of odd types":         `{"log":{"entries":[` + asJSON(t, oddHints()) + `]}}`,
		"a byte order mark":          "\xef\xbb\xbf" + archive(t, fern()),
		"more beside the log":        `{"comment":{"a":[1,{"b":null}]},"log":{"pages":[{"id":"p"}],"entries":[` + one + `],"_x":1},"z":0}`,
		"line ends of another sort":  strings.ReplaceAll(archive(t, fern()), "\n", "\r\n"),
		"a name twice":               `{"log":{"version":"1.2","version":"1.2","entries":[` + one + `]}}`,
		"half a surrogate elsewhere": `{"log":{"comment":"\ud800","entries":[` + strings.Replace(one, `"_initiator":{`, `"_initiator":{"x":"\udfff",`, 1) + `]}}`,
		"bytes that are no UTF-8":    `{"log":{"comment":"` + "\xff" + `","entries":[` + one + `]}}`,
	} {
		t.Run(what, func(t *testing.T) {
			v := verified(t, text, traffic.Config{})
			if v.Report.Verdict != "conformant" || v.Entries != 1 {
				t.Errorf("%s: %s", v.Report.Verdict, v.Report.Reason)
			}
		})
	}
}

// oddHints returns fern with values of unexpected types in optional fields.
func oddHints() object {
	entry := fern(func(request, response object) {
		request["bodySize"], response["bodySize"], response["statusText"] = nil, "many", object{}
		response["content"].(object)["size"], response["_error"] = "15", []any{}
	})
	entry["time"], entry["_error"] = "12 ms", object{"code": 1}
	return entry
}

func TestTooManyEntries(t *testing.T) {
	request := `{"request":{"method":"POST","url":"http://a/plants"}}`
	text := `{"log":{"entries":[` + request + strings.Repeat(","+request, 50_000) + `]}}`
	_, err := verify(t, text, traffic.Config{})
	if err == nil || !strings.HasPrefix(err.Error(), "holds more than 50000 entries for operations") {
		t.Errorf("the archive %v", err)
	}
}

// Any file is refused with a one-line error or judged, and the report can be written.
func FuzzVerify(f *testing.F) {
	f.Add([]byte(archive(f, fern())))
	f.Add([]byte(archive(f, answered(500, "a-secret-token"), asked(object{"url": "http://u:hunter22@a/plants?key=a-secret-token"}))))
	f.Add([]byte(`{"log":{"entries":[{"time":1e300,"request":{"method":"POST","url":"//[::1]/plants","headers":[{"name":":a","value":"\n"}]},"response":{"status":999999999}}]}}`))
	f.Add([]byte("\xef\xbb"))
	contract := reporttest.PlantStore(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := traffic.Verify(t.Context(), bytes.NewReader(data), traffic.Config{Contract: contract, File: "fuzz.har"})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("that is more than a line: %v", err)
			}
			return
		}
		for _, format := range report.Formats() {
			if err := format.Write(io.Discard, v.Report); err != nil {
				t.Error(err)
			}
		}
	})
}
