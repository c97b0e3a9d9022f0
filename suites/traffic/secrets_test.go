package traffic_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"net/url"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/traffic"
)

const canary = "cAnArY-7f3K9q2LmXw0"

// written returns all text of a verification: every format and the console.
func written(t *testing.T, v traffic.Verification) string {
	t.Helper()
	var b bytes.Buffer
	for _, format := range report.Formats() {
		if err := format.Write(&b, v.Report); err != nil {
			t.Fatal(err)
		}
	}
	if err := (console.Printer{Detail: console.Verbose}).Write(&b, v.Report); err != nil {
		t.Fatal(err)
	}
	for _, u := range v.Unmatched {
		b.WriteString(u.Request + "\n")
	}
	return b.String()
}

const keyed = `openapi: 3.0.3
info: {title: Keyed, version: '1'}
components: {securitySchemes: {k: {type: apiKey, in: header, name: X-Plant}, q: {type: apiKey, in: query, name: plant}}}
paths:
  /plants:
    post: {operationId: a, security: [{k: []}], responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {name: {type: integer}}}}}}}}
    put: {operationId: b, security: [{q: []}], responses: {'204': {description: ok}}}
`

// No report contains a credential, wherever a tool records it or a service repeats it.
func TestNoReportHoldsASecret(t *testing.T) {
	header := func(pairs ...string) func(request, response object) {
		return func(request, _ object) {
			request["headers"] = append(request["headers"].([]object), fields(pairs...)...)
		}
	}
	back := func(texts ...string) func(request, response object) {
		return func(_, response object) {
			response["headers"] = fields("Content-Type", "application/json", "X-Echo", strings.Join(texts, " "))
			response["content"] = object{"text": asJSON(t, object{"name": strings.Join(texts, " ")})}
		}
	}
	set := func(members object) func(request, response object) {
		return func(request, _ object) {
			maps.Copy(request, members)
		}
	}
	forms := []string{canary, url.QueryEscape(canary + "/="), base64.StdEncoding.EncodeToString([]byte(canary)), hex.EncodeToString([]byte(canary)), strings.ToUpper(canary)}
	for what, entries := range map[string][]object{
		"a bearer token":                {fern(header("Authorization", "Bearer "+canary), back(forms...))},
		"a field of lower case":         {fern(header("authorization", "bearer "+canary), back(forms...))},
		"a credential without a scheme": {fern(header("Authorization", canary), back(canary))},
		"a password":                    {fern(header("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("me:"+canary))), back(forms...))},
		"a proxy's credential":          {fern(header("Proxy-Authorization", "Bearer "+canary), back(canary))},
		"a cookie":                      {fern(header("Cookie", "a=b; session="+canary+"; c=d"), back(forms...))},
		"a quoted cookie":               {fern(header("Cookie", `s="`+canary+`"`), back(canary))},
		"a cookie that is set": {fern(func(_, response object) {
			response["headers"] = fields("Set-Cookie", "a=b\nsession="+canary+"; HttpOnly")
		})},
		"a field of a telling name":           {fern(header("X-Api-Key", canary), back(forms...))},
		"a field that the contract names":     {fern(header("X-Plant", canary), back(forms...))},
		"a parameter that the contract names": {fern(set(object{"method": "PUT", "url": "https://a/plants?x=1&plant=" + canary}), back(canary))},
		"a parameter of a telling name":       {fern(set(object{"url": "https://a/plants?access%5Ftoken=" + canary}), back(canary))},
		"a password in the address":           {fern(set(object{"url": "https://me:" + canary + "@a/plants"}), back(canary))},
		"where one came from":                 {fern(header("Referer", "https://a/login?token="+canary), back(canary))},
		"where one is sent":                   {fern(func(_, response object) { response["headers"] = fields("Location", "/x?token="+canary) })},
		"what only a later entry shows":       {fern(back(forms...)), fern(header("Authorization", "Bearer "+canary))},
		"in the body that is sent":            {fern(header("Authorization", "Bearer "+canary), set(object{"postData": object{"text": `{"name":"` + canary + `"}`}}), back(canary))},
		"in the path of no operation":         {fern(header("Authorization", "Bearer "+canary)), asked(object{"url": "https://a/reset/" + canary})},
		"in what the tool says":               {fern(header("Authorization", "Bearer "+canary), func(_, r object) { r["status"], r["_error"] = 0, canary }, back())},
		"in a name":                           {fern(header("Authorization", "Bearer "+canary, canary, "x"))},
		"beyond many":                         append(manyTokens(), fern(header("Authorization", "Bearer "+canary), back(canary))),
	} {
		t.Run(what, func(t *testing.T) {
			v := verified(t, archive(t, entries...), traffic.Config{Contract: load(t, keyed)})
			if len(v.Report.Results) == 0 {
				t.Fatal("nothing was judged")
			}
			text := strings.ToLower(written(t, v))
			for _, form := range forms {
				if at := strings.Index(text, strings.ToLower(form)); at >= 0 {
					t.Fatalf("%q is there: %s", form, text[max(0, at-200):min(len(text), at+100)])
				}
			}
		})
	}
}

// manyTokens returns entries with more secrets than redaction searches for in every encoded
// form.
func manyTokens() []object {
	var list []object
	for i := range 40 {
		list = append(list, fern(func(request, _ object) {
			request["headers"] = fields("Authorization", "Bearer "+strings.Repeat(string(rune('a'+i%26)), 1000+i))
		}))
	}
	return list
}

// Values that only look secret stay, so that a report is useful.
func TestWhatIsNoSecretStays(t *testing.T) {
	v := verified(t, archive(t, fern(func(request, response object) {
		request["headers"] = fields(":authority", "store.example", "Cookie", "seen=true; lang=name", "Content-Type", "application/json")
		response["headers"] = fields("Content-Type", "application/json", "WWW-Authenticate", `Bearer realm="plants"`, "Access-Control-Allow-Credentials", "true")
	})), traffic.Config{})
	text := written(t, v)
	for _, want := range []string{"https://store.example/plants", `Bearer realm=\"plants\"`, `\"name\":\"fern\"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not there", want)
		}
	}
	if h := v.Report.Results[0].Exchange.Response.Headers["Access-Control-Allow-Credentials"]; len(h) != 1 || h[0] != "true" {
		t.Errorf("the header is %v", h)
	}
}

// The judge sees the recorded values, not the masks.
func TestMasksDoNotJudge(t *testing.T) {
	v := verified(t, archive(t, fern(func(request, response object) {
		request["headers"] = fields("Authorization", "Bearer fern-and-moss")
		request["postData"] = object{"text": `{"id":7,"name":"fern-and-moss"}`}
		response["content"] = object{"text": `{"name":"fern-and-moss"}`}
	})), traffic.Config{})
	if r := v.Report.Results[0]; r.Status != "passed" || strings.Contains(written(t, v), "fern-and-moss") {
		t.Errorf("it is %s: %+v", r.Status, r.Findings)
	}
}

// No text of an archive can control a terminal or break a format.
func TestHostileTexts(t *testing.T) {
	hostile := "\x1b[2J\u202e\x00\r\n\"'<script>]]>`$(id)`" + strings.Repeat("A", 5000)
	v := verified(t, archive(t, fern(func(request, response object) {
		request["url"] = "https://store.example/plants?" + url.QueryEscape(hostile) + "&<script>'$(id)"
		request["headers"] = fields(hostile, hostile, "Content-Type", hostile)
		request["postData"] = object{"text": hostile}
		response["headers"] = fields(hostile, hostile, "Content-Type", hostile)
		response["content"] = object{"text": hostile}
	}), asked(object{"method": hostile}), asked(object{"url": "https://a/" + url.PathEscape(hostile)}), asked(object{"url": hostile})), traffic.Config{})
	if len(v.Report.Results) != 1 || len(v.Unmatched) != 3 {
		t.Fatalf("results %d, unmatched %v", len(v.Report.Results), v.Unmatched)
	}
	var screen bytes.Buffer
	if err := (console.Printer{Detail: console.Verbose}).Write(&screen, v.Report); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(screen.String(), "\x1b\x00\u202e\r") {
		t.Errorf("the console obeys: %q", screen.String())
	}
	written(t, v)
}
