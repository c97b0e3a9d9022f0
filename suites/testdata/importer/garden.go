// Package garden is a plant store of another project. Its tests use the
// conformance suite as importers do, by every door.
package garden

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
)

// New is the store, for who has that token. It keeps nothing.
func New(token string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /plants", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			reject(w, errors.New("the credential is missing or unknown"))
			return
		}
		plant, err := read(r)
		if err != nil {
			reject(w, err)
			return
		}
		answer(w, http.StatusOK, plant)
	})
	return mux
}

func reject(w http.ResponseWriter, err error) {
	answer(w, http.StatusBadRequest, map[string]any{"error": http.StatusBadRequest, "message": err.Error()})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// read gives the plant to be shown.
func read(r *http.Request) (map[string]string, error) {
	if mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || mediaType != "application/json" {
		return nil, errors.New("the body is not application/json")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("read the body: %w", err)
	}
	var sent map[string]json.RawMessage
	if err := json.Unmarshal(body, &sent); err != nil || sent == nil {
		return nil, errors.New("the body is no JSON object")
	}
	var id int64
	if err := take(sent, "id", &id); err != nil {
		return nil, err
	}
	plant := map[string]string{}
	for _, key := range []string{"name", "tag"} {
		if _, ok := sent[key]; !ok && key == "tag" {
			continue
		}
		var text string
		if err := take(sent, key, &text); err != nil {
			return nil, err
		}
		plant[key] = text
	}
	return plant, nil
}

func take(sent map[string]json.RawMessage, key string, into any) error {
	value, ok := sent[key]
	if !ok {
		return fmt.Errorf("%s is missing", key)
	}
	if string(value) == "null" || json.Unmarshal(value, into) != nil {
		return fmt.Errorf("%s has the wrong type", key)
	}
	return nil
}
