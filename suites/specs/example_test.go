package specs_test

import (
	"github.com/onsi/ginkgo/v2"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/specs"
)

// Register adds the fixtures as specs to your own Ginkgo suite. The target may still be unknown
// when the specs are registered.
func ExampleRegister() {
	_ = func() bool { // var _ = Describe("my service", func() { … })
		return ginkgo.Describe("my service", func() {
			config := suites.NewConfig()
			ginkgo.BeforeEach(func() {
				config.Target.BaseURL = "http://127.0.0.1:8080"
				config.Target.Token = "secret-of-the-example"
			})
			specs.Register(&config)
		})
	}
}
