package check_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/instance"
)

// A contract is loaded once and judges any number of responses.
func Example() {
	contract, err := spec.Load(context.Background(), spec.Source{Name: "api.yaml", Data: []byte(`
openapi: 3.0.3
info: {title: Counter, version: 1.0.0}
paths:
  /count:
    get:
      operationId: readCount
      responses:
        '200':
          description: How often something happened.
          content:
            application/json:
              schema:
                type: object
                required: [count]
                properties: {count: {type: integer, format: int64}}
`)}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	readCount, _ := contract.Operation("readCount")
	response := check.Response{
		Status: 200,
		Header: http.Header{"Content-Type": {"Application/JSON; charset=utf-8"}},
		Body:   []byte(`{"count": 9223372036854775808}`),
	}
	result, err := response.Check(context.Background(), readCount, instance.DefaultLimits())
	if err != nil { // the body exceeds a limit
		fmt.Println(err)
		return
	}
	for _, breach := range result.Breaches {
		clause, _ := contract.Clause(breach.Clause)
		fmt.Printf("%s (%s): %s\n", clause.ID, clause.Level, clause.Text)
		fmt.Printf("%s %s\n", breach.Pointer, breach.Message)
		fmt.Printf("expected %s\n", breach.Expected)
		fmt.Printf("got      %s at byte %d\n", breach.Actual, breach.Offset)
	}
	// Output:
	// readCount/200/body/count (must): in the body of a 200 response, count is present and is an int64
	// /count is out of range
	// expected an int64, from -9223372036854775808 to 9223372036854775807
	// got      9223372036854775808 at byte 10
}
