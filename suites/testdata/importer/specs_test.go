package garden_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"example.com/garden"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/matcher"
	"github.com/plantstore/conformance/suites/specs"
)

// The fixtures as specs of a Ginkgo suite, beside those of the project.
func TestSpecs(t *testing.T) {
	gomega.RegisterFailHandler(ginkgo.Fail)
	ginkgo.RunSpecs(t, "garden")
}

var _ = ginkgo.Describe("the garden", func() {
	config := suites.NewConfig()
	if only := os.Getenv("GARDEN_ONLY"); only != "" {
		config.Only = []string{only}
	}
	ginkgo.BeforeEach(func() { // what is tested may become known as late as this
		if url := os.Getenv("GARDEN_URL"); url != "" {
			config.Target.BaseURL, config.Target.Token = url, os.Getenv("GARDEN_TOKEN")
			return
		}
		config.Handler = garden.New(cmp.Or(os.Getenv("GARDEN_TOKEN"), token))
		config.Target.Token = token
	})
	specs.Register(&config)

	ginkgo.It("answers as the contract says", func() {
		contract, err := spec.PlantStore()
		gomega.Expect(err).NotTo(gomega.HaveOccurred())
		server := httptest.NewServer(garden.New(token))
		defer server.Close()

		response, err := http.Post(server.URL+"/plants", "application/json", strings.NewReader(`{"id": 7, "name": "fern"}`))
		gomega.Expect(err).NotTo(gomega.HaveOccurred())
		defer response.Body.Close()

		gomega.Expect(response).To(matcher.MeetContract(contract, "createPlant"))
		gomega.Expect(response).To(gomega.HaveHTTPBody(gomega.ContainSubstring("credential")))
	})
})
