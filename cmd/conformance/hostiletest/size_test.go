//go:build long

package hostiletest

import (
	"net"
	"slices"
	"strings"
	"testing"
)

// An endless answer is read up to the limits, and is unjudged if it exceeds a limit of the harness.
// Its status is still judged: 200 to a request that must be rejected is a violation.
func TestTargetsWithoutEnd(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\n" + isJSON
	const longHeader, longBody = "the response header is longer than 65536 bytes; --max-header raises this limit", "the body is longer than 1048576 bytes; --max-body raises this limit"
	takesOne := []string{"createPlant/request/body/name"}
	takesAll := slices.Concat(takesOne, []string{"createPlant/request/body/id"})
	every200 := slices.Concat(takesAll, []string{"createPlant/request/body", "createPlant/request/body/tag", "createPlant/request/credential"})
	testRows(t, []row{
		{"chunks", does(say(head+"Transfer-Encoding: chunked\r\n\r\n"), forever(strings.Repeat("1\r\nx\r\n", 1000))), few, exitNonconformant, takesOne, []string{longBody}},
		{"body", does(say(head+"\r\n"), forever(strings.Repeat("x", 64<<10))), some, exitNonconformant, takesAll, []string{longBody}},
		{"length", does(say(head+"Content-Length: 9223372036854775807\r\n\r\n"), forever(strings.Repeat("x", 64<<10))), some, exitNonconformant, takesAll, []string{longBody}},
		{"gzip of 1 GiB", says(framed("200 OK", isJSON+"Content-Encoding: gzip\r\n", bomb())), some, exitNonconformant, takesAll, []string{longBody}},
		{"gzip of nothing", does(say(head+"Content-Encoding: gzip\r\n\r\n"), forever(gzipped(""))), few, exitNonconformant, takesOne, []string{longBody}},
		{"gzip without end", does(say(head+"Content-Encoding: gzip\r\n\r\n"), forever(gzipped(strings.Repeat("x", 1<<20)))), some, exitNonconformant, takesAll, []string{longBody}},
		{"2 MiB of header", says("HTTP/1.1 200 OK\r\n" + pieces(2<<20) + "\r\n"), every, exitInconclusive, nil, []string{longHeader}},
		{"a field of 2 MiB", says("HTTP/1.1 200 OK\r\nX: " + noise(2<<20) + "\r\n\r\n"), every, exitInconclusive, nil, []string{longHeader}},
		{"100", does(forever(strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 1000))), every, exitInconclusive, nil, []string{longHeader}},
		{"trailers", does(say(head+"Transfer-Encoding: chunked\r\n\r\n0\r\n"), forever("X: y\r\n")), every, exitNonconformant, every200, []string{"trailer"}},
		{"chunk extension", does(say(head+"Transfer-Encoding: chunked\r\n\r\n1;"), forever("x")), every, exitNonconformant, []string{answers}, []string{"not a complete HTTP message"}},
	})
}

// A large but complete answer is judged.
func TestTargetsAtTheLimits(t *testing.T) {
	const body, acceptsIt = "createPlant/200/body", "createPlant/accepts"
	takesAll := []string{"createPlant/request/body/name", "createPlant/request/body/id"}
	broken := func(clauses ...string) []string { return append(clauses, takesAll...) }
	every200 := broken("createPlant/200/body/name", "createPlant/request/body", "createPlant/request/body/tag", "createPlant/request/credential")
	testRows(t, []row{
		{"1e1000001", says(framed("400 Bad Request", isJSON, `{"message": "x", "error": 1e1000001}`)), some, exitNonconformant, []string{acceptsIt, "createPlant/400/body/error"}, []string{"1e1000001"}},
		// The client asks for one coding and decodes one (RFC 9110 §8.4).
		{"gzip in gzip", says(framed("200 OK", isJSON+"Content-Encoding: gzip\r\n", bombInBomb())), some, exitNonconformant, broken(body), []string{"is not valid JSON"}},
		{"gzip in gzip, and said so", says(framed("200 OK", isJSON+"Content-Encoding: gzip, gzip\r\n", bombInBomb())), some, exitNonconformant, broken(body), []string{"a content coding that was not asked for"}},
		{"a header of small fields", says(framed("200 OK", isJSON+pieces(65400), `{}`)), every, exitNonconformant, every200, []string{"/name is missing"}},
		{"a header of one field", says(framed("200 OK", isJSON+"X: "+noise(65000)+"\r\n", `{}`)), every, exitNonconformant, every200, []string{"/name is missing"}},
		{"a body of 1 MiB", eachRequest(func(conn net.Conn, _ request) bool {
			say(framed("200 OK", isJSON, `{"name": "`+noise(1<<20-12)+`"}`))(conn)
			return true
		}), some, exitNonconformant, broken(), nil},
		{"a body of 1 MiB that is no UTF-8", says(framed("200 OK", isJSON, strings.Repeat("\xff", 1<<20))), some, exitNonconformant, broken(body), nil},
		{"a thousand 100", says(strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 1000) + framed("400 Bad Request", isJSON, `{"error": 1, "message": "no"}`)), few, exitNonconformant, []string{acceptsIt}, nil},
		{"a thousand 103 and nothing else", does(say(strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", 1000))), few, exitNonconformant, []string{answers}, []string{"closed without an answer"}},
		{"200,000 levels of arrays", says(framed("200 OK", isJSON, strings.Repeat("[", 200_000)+strings.Repeat("]", 200_000))), some, exitNonconformant, broken(), []string{"raise --max-depth"}},
		{"200,000 levels of objects", says(framed("400 Bad Request", isJSON, strings.Repeat(`{"":`, 200_000)+"1"+strings.Repeat("}", 200_000))), some, exitNonconformant, []string{acceptsIt}, []string{"raise --max-depth"}},
		{"9,000 levels", says(framed("200 OK", isJSON, `{"name": "x", "y": `+strings.Repeat(`{"":[`, 4500)+strings.Repeat("]}", 4500)+"}")), some, exitNonconformant, broken(), []string{"createPlant/200/body/undeclared"}},
		{"a number of a million digits", says(framed("400 Bad Request", isJSON, `{"message": "x", "error": `+strings.Repeat("7", 1_000_000)+"}")), some, exitNonconformant, []string{acceptsIt}, []string{"--max-number"}},
		{"1e-1000001", says(framed("400 Bad Request", isJSON, `{"message": "x", "error": 1e-1000001}`)), some, exitNonconformant, []string{acceptsIt, "createPlant/400/body/error"}, []string{"1e-1000001"}},
		{"100,000 properties", says(framed("200 OK", isJSON, `{"name": "x"`+properties(100_000)+`}`)), atOnce, exitNonconformant, broken(), []string{"createPlant/200/body/undeclared"}},
		{"a million values", says(framed("200 OK", isJSON, "["+strings.Repeat("0,", 500_000)+"0]")), atOnce, exitNonconformant, broken(body), []string{"an object"}},
		{"objects of one property", says(framed("200 OK", isJSON, "["+strings.Repeat(`{"a":0},`, 131_000)+"0]")), atOnce, exitNonconformant, broken(body), []string{"an object"}},
	})
}
