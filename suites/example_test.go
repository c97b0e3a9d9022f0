package suites_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/result"
)

// handlerOfYours is the handler that the examples test.
func handlerOfYours() http.Handler {
	return reference.New(reference.Options{Tokens: []string{"secret-of-the-example"}})
}

// Run returns a report on a handler, or with a base URL on any service.
func ExampleRun() {
	config := suites.NewConfig()
	config.Handler = handlerOfYours()
	config.Target.Token = "secret-of-the-example"
	config.Only = []string{"createPlant/missing-required"}
	r, err := suites.Run(context.Background(), config)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Verdict)
	for _, clause := range r.Clauses {
		if clause.ID == "createPlant/request/body/name" {
			fmt.Println(clause.ID, clause.Status)
		}
	}
	// Output:
	// conformant
	// createPlant/request/body/name passed
}

// Several targets are tested at the same time.
func ExampleRun_parallel() {
	targets := []http.Handler{handlerOfYours(), http.NotFoundHandler()}
	reports := make([]result.Report, len(targets))
	var running sync.WaitGroup
	for i, handler := range targets {
		running.Go(func() {
			config := suites.NewConfig()
			config.Handler = handler
			config.Target.Token = "secret-of-the-example"
			config.Quick = true
			var err error
			if reports[i], err = suites.Run(context.Background(), config); err != nil {
				fmt.Println(err)
			}
		})
	}
	running.Wait()
	for _, r := range reports {
		fmt.Println(r.Verdict)
	}
	// Output:
	// conformant
	// nonconformant
}

// Test replays the fixtures as subtests of a test of your own handler.
func ExampleTest() {
	_ = func(t *testing.T) { // func TestConformance(t *testing.T)
		config := suites.NewConfig()
		config.Handler = handlerOfYours()
		config.Target.Token = "secret-of-the-example"
		suites.Test(t, config)
	}
}

// Several targets are tested concurrently in parallel subtests. Each has the fixtures as its subtests.
func ExampleTest_parallel() {
	targets := map[string]string{
		"staging": "https://staging.example.com/api",
		"preview": "https://preview.example.com/api",
	}
	_ = func(t *testing.T) { // func TestDeployments(t *testing.T)
		for name, baseURL := range targets {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				config := suites.NewConfig()
				config.Target.BaseURL = baseURL
				config.Target.Token = "secret-of-the-example"
				suites.Test(t, config)
			})
		}
	}
}
