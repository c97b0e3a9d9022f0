package fault_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

// A service that accepts everything, and one that answers 201 and shows a number for
// the name if the request has a tag.
func Example() {
	service := func(*fault.Request) fault.Answer { return fault.JSON(http.StatusOK, map[string]any{"name": "fern"}) }
	change := fault.When(fault.SentProperty("tag", fault.Present),
		fault.Status(http.StatusCreated),
		fault.Body(fault.PropertyOf("name", fault.Constant("7"))))
	changed := change(service, nil)
	for _, body := range []string{`{"name":"fern"}`, `{"name":"fern","tag":"indoor"}`} {
		recorder := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		changed(fault.NewRequest(request, 1<<20)).Send(recorder, request)
		fmt.Println(recorder.Code, strings.TrimSpace(recorder.Body.String()))
	}
	// Output:
	// 200 {"name":"fern"}
	// 201 {"name":7}
}
