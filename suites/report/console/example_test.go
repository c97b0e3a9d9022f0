package console_test

import (
	"os"

	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/report/console"
)

// One fixture found that the service accepts a request that it must reject.
func ExamplePrinter() {
	r := reporttest.OneFailure().Report()
	printer := console.Printer{Detail: console.Normal}
	if err := printer.Write(os.Stdout, r); err != nil {
		panic(err)
	}
	// Output:
	// Plant Store 1.0.0 · greenhouse 2.0 at http://127.0.0.1:8080 · seed 7
	//
	// broken clauses                   fixtures  for example
	// ✗ createPlant/request/body/name         1  createPlant/missing-required/name
	//     a request whose name is missing or not a string must be rejected
	//
	// ✗ createPlant/missing-required/name   breaks createPlant/request/body/name (must, §2)
	//     sent      a plant without a name: {"id":7203685477580123}
	//     expected  a rejection: 4xx, such as the declared 400
	//     got       200 {"name":""}
	//     replay    curl -X POST 'http://127.0.0.1:8080/plants' -H "Content-Type: application/json" -H "Authorization: Bearer $CONFORMANCE_TOKEN" --data-binary '{"id":7203685477580123}'
	//
	// 9 must-clauses: 8 passed, 1 failed
	// 1 fixture: 0 passed, 1 failed, in 0.04 s
	// nonconformant: 1 of 1 fixtures found a violation
}
