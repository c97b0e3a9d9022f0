package suites_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/onsi/ginkgo/v2"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites"
)

// Run gives a report of any base URL.
func ExampleRun() {
	server := httptest.NewServer(reference.New(reference.Options{Tokens: []string{"secret-of-the-example"}}))
	defer server.Close()

	config := suites.NewConfig()
	config.Target.BaseURL = server.URL
	config.Target.Token = "secret-of-the-example"
	config.Only = []string{"createPlant/missing-required"}
	report, err := suites.Run(context.Background(), config)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict)
	for _, clause := range report.Clauses {
		if clause.ID == "createPlant/request/body/name" {
			fmt.Println(clause.ID, clause.Status)
		}
	}
	// Output:
	// conformant
	// createPlant/request/body/name passed
}

// Test replays the fixtures as subtests of a test of your own handler.
func ExampleTest() {
	_ = func(t *testing.T) { // func TestConformance(t *testing.T)
		server := httptest.NewServer(reference.New(reference.Options{Tokens: []string{"secret-of-the-example"}}))
		defer server.Close()

		config := suites.NewConfig()
		config.Target.BaseURL = server.URL
		config.Target.Token = "secret-of-the-example"
		suites.Test(t, config)
	}
}

// Register adds the fixtures as specs to a Ginkgo suite of your own. The
// target may still be unknown when the specs are registered.
func ExampleRegister() {
	_ = func() bool { // var _ = Describe("my service", func() { … })
		return ginkgo.Describe("my service", func() {
			config := suites.NewConfig()
			ginkgo.BeforeEach(func() {
				config.Target.BaseURL = "http://127.0.0.1:8080"
				config.Target.Token = "secret-of-the-example"
			})
			suites.Register(&config)
		})
	}
}
