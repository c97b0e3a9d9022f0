package traffic_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/traffic"
)

// object is a JSON object.
type object = map[string]any

// fern returns an entry with a request and a response that conform to the contract.
func fern(changes ...func(request, response object)) object {
	request := object{
		"method": "POST", "url": "https://store.example/plants", "httpVersion": "h2",
		"headers":  fields("content-type", "application/json", "authorization", "Bearer a-secret-token"),
		"postData": object{"mimeType": "application/json", "text": `{"id":7,"name":"fern"}`},
		"bodySize": 22,
	}
	response := object{
		"status": 200, "statusText": "OK", "headers": fields("content-type", "application/json"),
		"content": object{"size": 15, "mimeType": "application/json", "text": `{"name":"fern"}`},
	}
	for _, change := range changes {
		change(request, response)
	}
	return object{"startedDateTime": "2026-11-21T11:00:00.000Z", "time": 12.5, "request": request, "response": response, "cache": object{}, "_initiator": object{"type": "script"}}
}

// answered returns fern with another status and JSON response body.
func answered(status int, body string, pairs ...string) object {
	return fern(func(_, response object) {
		response["status"] = status
		response["content"] = object{"mimeType": "application/json", "text": body}
		if pairs != nil {
			response["headers"] = fields(pairs...)
		}
	})
}

// asked returns fern with other members of the request.
func asked(members object) object {
	return fern(func(request, _ object) { maps.Copy(request, members) })
}

// holding returns fern with another content of the response.
func holding(content object, pairs ...string) object {
	return fern(func(_, response object) {
		response["content"] = content
		if pairs != nil {
			response["headers"] = fields(pairs...)
		}
	})
}

func fields(pairs ...string) []object {
	list := []object{}
	for pair := range slices.Chunk(pairs, 2) {
		list = append(list, object{"name": pair[0], "value": pair[1]})
	}
	return list
}

// archive returns a HAR file with these entries, formatted as in Chromium.
func archive(t testing.TB, entries ...object) string {
	t.Helper()
	if entries == nil {
		entries = []object{}
	}
	text, err := json.MarshalIndent(object{"log": object{
		"version": "1.2", "creator": object{"name": "test", "version": "1"}, "pages": []object{}, "entries": entries,
	}}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func load(t testing.TB, document string) *spec.Contract {
	t.Helper()
	contract, err := spec.Load(t.Context(), spec.Source{Name: "openapi.yaml", Data: []byte(document)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

// verified verifies an archive. The default contract is that of the plant store.
func verified(t testing.TB, text string, c traffic.Config) traffic.Verification {
	t.Helper()
	v, err := verify(t, text, c)
	if err != nil {
		t.Fatalf("the archive %v", err)
	}
	return v
}

func verify(t testing.TB, text string, c traffic.Config) (traffic.Verification, error) {
	t.Helper()
	if c.Contract == nil {
		c.Contract = reporttest.PlantStore(t)
	}
	c.File = "traffic.har"
	return traffic.Verify(t.Context(), strings.NewReader(text), c)
}

func asJSON(t testing.TB, value any) string {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
