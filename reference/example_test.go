package reference_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/plantstore/conformance/reference"
)

// The service behind a test server, and the same plant sent to it twice.
func Example() {
	service := httptest.NewServer(reference.New(reference.Options{Tokens: []string{"example-token"}}))
	defer service.Close()

	for range 2 {
		request, _ := http.NewRequest(http.MethodPost, service.URL+"/plants", strings.NewReader(`{"name":"fern","id":7}`))
		request.Header.Set("Authorization", "Bearer example-token")
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			fmt.Println(err)
			return
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		fmt.Print(response.StatusCode, " ", string(body))
	}
	// Output:
	// 200 {"name":"fern"}
	// 400 {"error":400,"message":"id 7 is taken by another plant"}
}
