package garden_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"example.com/garden"

	"github.com/onsi/gomega"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/matcher"
)

const token = "the-token-of-the-garden"

// The fixtures as subtests against the handler.
func TestHandler(t *testing.T) {
	config := suites.NewConfig()
	config.Handler = garden.New(token)
	config.Target.Token = token
	suites.Test(t, config)
}

// The same against a service that runs elsewhere.
func TestService(t *testing.T) {
	config := suites.NewConfig()
	config.Target.BaseURL, config.Target.Token = os.Getenv("GARDEN_URL"), os.Getenv("GARDEN_TOKEN")
	if config.Target.BaseURL == "" {
		t.Skip("GARDEN_URL names no service")
	}
	suites.Test(t, config)
}

// Several at a time.
func TestTwoGardens(t *testing.T) {
	for _, token := range []string{"the-token-of-the-first", "the-token-of-the-second"} {
		t.Run(token, func(t *testing.T) {
			t.Parallel()
			config := suites.NewConfig()
			config.Handler = garden.New(token)
			config.Target.Token = token
			suites.Test(t, config)
		})
	}
}

// A report, to do with as one likes.
func TestReport(t *testing.T) {
	config := suites.NewConfig()
	config.Handler = garden.New(token)
	config.Target.Token = token
	config.Only = []string{"createPlant/missing-required"}
	report, err := suites.Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict != "conformant" {
		t.Error(report.Verdict, report.Reason)
	}
}

// The contract in a test of one's own: of an answer the test knows what it
// should be, and the contract how it must look.
func TestUnknownTagIsRefused(t *testing.T) {
	g := gomega.NewWithT(t)
	contract, err := spec.PlantStore()
	g.Expect(err).NotTo(gomega.HaveOccurred())

	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/plants", strings.NewReader(`{"id": 7, "name": "fern", "tag": 1}`))
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response := httptest.NewRecorder()
	garden.New(token).ServeHTTP(response, request)

	g.Expect(response).To(gomega.HaveHTTPStatus(http.StatusBadRequest))
	g.Expect(response).To(matcher.MeetContract(contract, "createPlant"))
}
