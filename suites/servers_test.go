package suites_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// store is a plant store in plain net/http, written only for these tests from the interface
// document. Each field changes one thing in it.
type store struct {
	success     int    // status of a success; 0 is 200
	nameMissing bool   // accepts a plant without a name
	badType     string // media type of a rejection; "" is application/json
	badBody     string // body of a rejection; "" is an Error
	anonymous   bool   // requires no credential
	unknown     int    // status for a missing or unknown credential; 0 is 400
}

const token = "a-token-of-these-tests"

var integer = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

func (s store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.anonymous && r.Header.Get("Authorization") != "Bearer "+token {
		if s.unknown != 0 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="plants"`)
			w.WriteHeader(s.unknown)
			return
		}
		s.reject(w, "no credential")
		return
	}
	plant, err := s.read(r)
	if err != nil {
		s.reject(w, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(cmp.Or(s.success, http.StatusOK))
	_ = json.NewEncoder(w).Encode(plant)
}

func (s store) reject(w http.ResponseWriter, message string) {
	body, _ := json.Marshal(map[string]any{"error": 400, "message": message})
	mediaType := cmp.Or(s.badType, "application/json")
	if s.badBody != "" {
		body = []byte(s.badBody)
	}
	w.Header().Set("Content-Type", mediaType)
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write(body)
}

// read returns the plant to show.
func (s store) read(r *http.Request) (map[string]string, error) {
	if mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || mediaType != "application/json" {
		return nil, errors.New("not application/json")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) || !json.Valid(body) {
		return nil, errors.New("no JSON object")
	}
	var sent map[string]json.RawMessage
	if err := json.Unmarshal(body, &sent); err != nil {
		return nil, err
	}
	isString := func(key string) bool { return strings.HasPrefix(string(sent[key]), `"`) }
	if !isString("name") && !(s.nameMissing && sent["name"] == nil) {
		return nil, errors.New("name")
	}
	if sent["tag"] != nil && !isString("tag") {
		return nil, errors.New("tag")
	}
	if _, err := strconv.ParseInt(string(sent["id"]), 10, 64); err != nil || !integer.Match(sent["id"]) {
		return nil, errors.New("id")
	}
	shown := map[string]string{"name": ""}
	for _, key := range []string{"name", "tag"} {
		if sent[key] == nil {
			continue
		}
		var text string
		if err := json.Unmarshal(sent[key], &text); err != nil {
			return nil, err
		}
		shown[key] = text
	}
	return shown, nil
}

// hangUp closes every connection without a response.
var hangUp = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })

// always sends the same response to every request.
func always(status int, mediaType, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if mediaType != "" {
			w.Header().Set("Content-Type", mediaType)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}
