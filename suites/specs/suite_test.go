package specs_test

import (
	"crypto/rand"
	"os"
	"testing"

	"github.com/onsi/ginkgo/v2"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/specs"
)

// TestSpecs runs the suite. It fails if a filter selects no spec, because a suite without tests
// must not pass.
func TestSpecs(t *testing.T) {
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.FailOnEmpty = true
	ginkgo.RunSpecs(t, "conformance", suite, reporter)
}

var _ = ginkgo.Describe("the service", func() {
	config := suites.NewConfig()
	config.Target.BaseURL, config.Target.Token = os.Getenv("CONFORMANCE_BASE_URL"), os.Getenv("CONFORMANCE_TOKEN")
	if config.Target.BaseURL == "" && config.Target.Token == "" { // a token needs a base URL
		config.Target.Token = rand.Text()
		config.Handler = reference.New(reference.Options{Tokens: []string{config.Target.Token}})
	}
	specs.Register(&config)
})
