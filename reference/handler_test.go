package reference

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
)

const testToken = "s3cret-test-token"

// testServer is the service on a loopback port.
type testServer struct {
	url    string
	client *http.Client
	stop   func() // waits for the requests in flight; called at the end of the test at the latest
}

func startServer(t *testing.T, o Options) testServer {
	t.Helper()
	server := httptest.NewServer(New(o))
	t.Cleanup(server.Close)
	return testServer{url: server.URL, client: server.Client(), stop: server.Close}
}

// reply is an answer that a client receives.
type reply struct {
	status int
	header http.Header
	body   string
}

func (s testServer) send(t *testing.T, method, path, body string, header http.Header) reply {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header
	response, err := s.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(text)}
}

// post sends body with the header of a valid request.
func (s testServer) post(t *testing.T, token, body string) reply {
	t.Helper()
	return s.send(t, http.MethodPost, plantsPath, body, plantHeader(token))
}

func plantHeader(token string) http.Header {
	return http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}
}

// checkRejection checks for an Error with this status, and with a message that begins with the
// given text (§4 rule 3, §7).
func checkRejection(t *testing.T, got reply, status int, message string) {
	t.Helper()
	if got.status != status {
		t.Errorf("status %d, want %d", got.status, status)
	}
	if mediaType := got.header.Get("Content-Type"); mediaType != "application/json" {
		t.Errorf("Content-Type %q", mediaType)
	}
	decoder := json.NewDecoder(strings.NewReader(got.body))
	decoder.DisallowUnknownFields()
	var body struct {
		Error   *int32
		Message *string
	}
	if err := decoder.Decode(&body); err != nil || body.Error == nil || body.Message == nil {
		t.Fatalf("the body is no Error: %s (%v)", got.body, err)
	}
	if int(*body.Error) != status {
		t.Errorf("error %d, want the status %d", *body.Error, status)
	}
	if !strings.HasPrefix(*body.Message, message) {
		t.Errorf("message:\n got %s\nwant %s", *body.Message, message)
	}
}

func TestAcceptedPlantComesBackWithoutID(t *testing.T) {
	server := startServer(t, Options{Tokens: []string{testToken}})
	for _, test := range []struct {
		what, body, want string
	}{
		{"without a tag", `{"name":"fern","id":1}`, `{"name":"fern"}`},
		{"with a tag", `{"name":"fern","id":2,"tag":"indoor"}`, `{"name":"fern","tag":"indoor"}`},
		{"with an empty tag", `{"name":"fern","id":3,"tag":""}`, `{"name":"fern","tag":""}`},
		{"with characters that HTML would escape", `{"name":"<b>&\u2028Ä","id":4}`, `{"name":"<b>&\u2028Ä"}`},
		{"with properties nobody listed", `{"name":"fern","id":5,"height":3}`, `{"name":"fern"}`},
	} {
		t.Run(test.what, func(t *testing.T) {
			got := server.post(t, testToken, test.body)
			if got.status != http.StatusOK || got.body != test.want+"\n" {
				t.Errorf("got %d %s, want 200 %s", got.status, got.body, test.want)
			}
			if mediaType := got.header.Get("Content-Type"); mediaType != "application/json" {
				t.Errorf("Content-Type %q", mediaType)
			}
		})
	}
}

func TestSecondPlantWithTheSameIDIsRejected(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		server := startServer(t, Options{Tokens: []string{testToken}, Store: store})
		if got := server.post(t, testToken, `{"name":"fern","id":7}`); got.status != http.StatusOK {
			t.Fatalf("the first plant got %d %s", got.status, got.body)
		}
		checkRejection(t, server.post(t, testToken, `{"name":"moss","id":7.0}`), 400, "id 7 is taken by another plant")
	})
}

func TestHeadersAndBody(t *testing.T) {
	const plant = `{"name":"fern","id":%d}`
	server := startServer(t, Options{Tokens: []string{testToken, "second-token", ""}})
	for id, test := range []struct {
		what    string
		change  func(http.Header)
		body    string // %d is a fresh id
		message string // of the rejection; "" when accepted
	}{
		{what: "a proper request", body: plant},
		{what: "another token of those accepted", body: plant, change: set("Authorization", "Bearer second-token")},
		{what: "the scheme in lower case", body: plant, change: set("Authorization", "bearer "+testToken)},
		{what: "several spaces after the scheme", body: plant, change: set("Authorization", "Bearer   "+testToken)},
		{what: "no Authorization", body: plant, change: remove("Authorization"), message: "Authorization is missing: send a bearer token"},
		{what: "another scheme", body: plant, change: set("Authorization", "Basic cGxhbnQ6c3RvcmU="), message: "Authorization must be the word Bearer"},
		{what: "the token alone", body: plant, change: set("Authorization", testToken), message: "Authorization must be the word Bearer"},
		{what: "an empty Authorization", body: plant, change: set("Authorization", ""), message: "Authorization must be the word Bearer"},
		{what: "no token, though an empty one is among the options", body: plant, change: set("Authorization", "Bearer "), message: "Authorization has no token"},
		{what: "an unknown token", body: plant, change: set("Authorization", "Bearer unknown"), message: "Authorization has a token that is not accepted here"},
		{what: "the beginning of a token", body: plant, change: set("Authorization", "Bearer "+testToken[:5]), message: "Authorization has a token that is not accepted here"},
		{what: "a token in another case", body: plant, change: set("Authorization", "Bearer "+strings.ToUpper(testToken)), message: "Authorization has a token that is not accepted here"},
		{what: "two Authorizations", body: plant, change: set("Authorization", "Bearer "+testToken, "Bearer "+testToken), message: "Authorization must be sent once"},
		{what: "no token and a bad body: the credential comes first", body: `{`, change: remove("Authorization"), message: "Authorization is missing"},

		{what: "a media type with charset", body: plant, change: set("Content-Type", "application/json; charset=utf-8")},
		{what: "a media type in another case", body: plant, change: set("Content-Type", "Application/JSON;Charset=UTF-8")},
		{what: "another charset, which has no effect", body: plant, change: set("Content-Type", "application/json; charset=latin1")},
		{what: "no media type", body: plant, change: remove("Content-Type"), message: "Content-Type is missing: it must be application/json"},
		{what: "another media type", body: plant, change: set("Content-Type", "text/plain"), message: `Content-Type must be application/json, not "text/plain"`},
		{what: "a media type that only builds on JSON", body: plant, change: set("Content-Type", "application/problem+json"), message: `Content-Type must be application/json, not "application/problem+json"`},
		{what: "an empty media type", body: plant, change: set("Content-Type", ""), message: `Content-Type must be application/json, not ""`},
		{what: "a malformed parameter", body: plant, change: set("Content-Type", "application/json; charset"), message: `Content-Type must be application/json, not "application/json; charset"`},
		{what: "two media types", body: plant, change: set("Content-Type", "application/json", "application/json"), message: "Content-Type must be sent once"},
		{what: "an encoded body", body: plant, change: set("Content-Encoding", "gzip"), message: "Content-Encoding must not be used"},

		{what: "no body", body: ``, message: "body is missing: send a JSON object with name and id"},
		{what: "neither a body nor a media type: the body is what is missing", body: ``, change: remove("Content-Type"), message: "body is missing"},
		{what: "no name", body: `{"id":%d}`, message: "name is missing"},
		{what: "an id as a string", body: `{"name":"fern","id":"%d"}`, message: "id must be an integer, not a string"},
		{what: "a null tag", body: `{"name":"fern","id":%d,"tag":null}`, message: "tag must be a string, not null"},
	} {
		t.Run(test.what, func(t *testing.T) {
			header := plantHeader(testToken)
			if test.change != nil {
				test.change(header)
			}
			got := server.send(t, http.MethodPost, plantsPath, strings.Replace(test.body, "%d", fmt.Sprint(id), 1), header)
			if test.message != "" {
				checkRejection(t, got, http.StatusBadRequest, test.message)
			} else if got.status != http.StatusOK {
				t.Errorf("it was rejected: %s", got.body)
			}
		})
	}
}

func set(name string, values ...string) func(http.Header) {
	return func(h http.Header) { h[name] = values }
}

func remove(name string) func(http.Header) {
	return func(h http.Header) { delete(h, name) }
}

func TestBodyLimit(t *testing.T) {
	server := startServer(t, Options{Tokens: []string{testToken}})
	for _, test := range []struct {
		what    string
		body    string
		size    int
		message string // "" when accepted
	}{
		{"exactly 1 MiB", `{"name":"fern","id":1}`, maxBody, ""},
		{"a byte more", `{"name":"fern","id":2}`, maxBody + 1, "body must not be larger than 1048576 bytes"},
		{"many times the limit", `{"name":"fern","id":3}`, 8 * maxBody, "body must not be larger than 1048576 bytes"},
	} {
		t.Run(test.what, func(t *testing.T) {
			got := server.post(t, testToken, test.body+strings.Repeat(" ", test.size-len(test.body)))
			if test.message != "" {
				checkRejection(t, got, http.StatusBadRequest, test.message)
			} else if got.status != http.StatusOK {
				t.Errorf("it was rejected: %s", got.body)
			}
		})
	}
}

func TestOtherPathsAndMethods(t *testing.T) {
	server := startServer(t, Options{Tokens: []string{testToken}})
	for _, test := range []struct {
		method, path string
		status       int
		message      string
	}{
		{http.MethodPost, "/", 404, "path is unknown: only POST /plants is defined"},
		{http.MethodPost, "/plants/", 404, "path is unknown"},
		{http.MethodPost, "/plants/7", 404, "path is unknown"},
		{http.MethodPost, "/Plants", 404, "path is unknown"},
		{http.MethodPost, "//plants", 404, "path is unknown"},
		{http.MethodGet, "/plants/7", 404, "path is unknown"},
		{http.MethodGet, "/plants", 405, "method is not defined: only POST /plants is"},
		{http.MethodPut, "/plants", 405, "method is not defined"},
		{http.MethodDelete, "/plants", 405, "method is not defined"},
		{http.MethodOptions, "/plants", 405, "method is not defined"},
		{"post", "/plants", 405, "method is not defined"},
	} {
		t.Run(test.method+" "+test.path, func(t *testing.T) {
			got := server.send(t, test.method, test.path, "", nil)
			checkRejection(t, got, test.status, test.message)
			if allow := got.header.Get("Allow"); (test.status == 405) != (allow == http.MethodPost) {
				t.Errorf("Allow: %q", allow)
			}
		})
	}
	t.Run("HEAD has the header alone", func(t *testing.T) {
		if got := server.send(t, http.MethodHead, plantsPath, "", nil); got.status != 405 || got.body != "" {
			t.Errorf("got %d %q", got.status, got.body)
		}
	})
}

func TestPathIsComparedByMeaning(t *testing.T) {
	server := startServer(t, Options{Tokens: []string{testToken}})
	for id, path := range []string{"/plants", "/plants?x=1&x=2", "/pl%61nts"} {
		t.Run(path, func(t *testing.T) {
			body := fmt.Sprintf(`{"name":"fern","id":%d}`, id)
			if got := server.send(t, http.MethodPost, path, body, plantHeader(testToken)); got.status != http.StatusOK {
				t.Errorf("got %d %s", got.status, got.body)
			}
		})
	}
}

func TestZeroOptionsAcceptNobody(t *testing.T) {
	server := startServer(t, Options{})
	for _, token := range []string{"", "any"} {
		checkRejection(t, server.post(t, token, `{"name":"fern","id":7}`), 400, "Authorization")
	}
}

// TestBodyIsReadBeforeACredentialIsRefused: if a server closes a connection with unread bytes of
// the request, it resets the connection, and a proxy may lose the answer.
func TestBodyIsReadBeforeACredentialIsRefused(t *testing.T) {
	for name, body := range map[string]io.Reader{"whole": strings.NewReader(strings.Repeat(" ", 70<<10)), "broken": iotest.ErrReader(errors.New("cut"))} {
		request := httptest.NewRequest(http.MethodPost, plantsPath, body)
		recorder := httptest.NewRecorder()
		New(Options{}).ServeHTTP(recorder, request)
		checkRejection(t, reply{recorder.Code, recorder.Header(), recorder.Body.String()}, 400, "Authorization is missing")
		if left, err := io.Copy(io.Discard, body); name == "whole" && (left > 0 || err != nil) {
			t.Errorf("%d bytes are unread, %v", left, err)
		}
	}
}

func TestBrokenOffBodyIsRejected(t *testing.T) {
	request := httptest.NewRequest(http.MethodPost, plantsPath, iotest.TimeoutReader(strings.NewReader(`{"name":"fern","id":7}`)))
	request.Header = plantHeader(testToken)
	recorder := httptest.NewRecorder()
	New(Options{Tokens: []string{testToken}}).ServeHTTP(recorder, request)
	checkRejection(t, reply{recorder.Code, recorder.Header(), recorder.Body.String()}, 400, "body did not arrive in full")
}

// brokenStore is a store whose disk is full.
type brokenStore struct{ Store }

func (brokenStore) Add(context.Context, NewPlant) error {
	return errors.New("write /srv/plants.db: no space left on device")
}

func TestFailureOfTheStoreIsToldWithoutItsCause(t *testing.T) {
	var log bytes.Buffer
	server := startServer(t, Options{
		Tokens: []string{testToken},
		Store:  brokenStore{},
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	got := server.post(t, testToken, `{"name":"fern","id":7}`)
	server.stop()
	checkRejection(t, got, 400, "store did not confirm that it keeps the plant")
	if strings.Contains(got.body, "space") {
		t.Errorf("the client is told of the operator's disk: %s", got.body)
	}
	if !strings.Contains(log.String(), "no space left on device") {
		t.Errorf("the operator is not told of the disk: %s", &log)
	}
}
