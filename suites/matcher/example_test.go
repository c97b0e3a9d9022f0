package matcher_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/onsi/gomega"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/matcher"
)

// rejected returns the response of the example service to an invalid plant.
func rejected() *httptest.ResponseRecorder {
	response := httptest.NewRecorder()
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(http.StatusBadRequest)
	fmt.Fprint(response, `{"error":"name","message":"name is missing"}`)
	return response
}

// With Gomega, a test checks the status, and the matcher checks the rest of the response.
func ExampleMeetContract() {
	contract, err := spec.PlantStore()
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = func(t *testing.T) { // func TestNameIsNeeded(t *testing.T)
		g := gomega.NewWithT(t)
		response := rejected()
		g.Expect(response).To(gomega.HaveHTTPStatus(http.StatusBadRequest))
		g.Expect(response).To(matcher.MeetContract(contract, "createPlant"))
	}

	fmt.Println(matcher.MeetContract(contract, "createPlant").FailureMessage(rejected()))
	// Output:
	// the response to createPlant does not meet the contract Plant Store 1.0.0
	//     answered  400 application/json
	// breaks createPlant/400/body/error (must, §4 r3, 7): /error has the wrong type
	//     expected  an int32
	//     got       "name"
}

// Without Gomega, a test uses the findings.
func ExampleMatcher_Findings() {
	contract, err := spec.PlantStore()
	if err != nil {
		fmt.Println(err)
		return
	}
	findings, err := matcher.MeetContract(contract, "createPlant").Findings(rejected())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range findings {
		fmt.Println(f.Severity, f.Clause, f.Pointer)
	}
	// Output:
	// violation createPlant/400/body/error /error
	// observation createPlant/silent/error-value /error
}
