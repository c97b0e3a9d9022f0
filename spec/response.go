package spec

import (
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/schema"
)

// response is what the document declares for one status, or a class of
// statuses, of an operation.
type response struct {
	status  string // "200", "4XX", "default"
	ids     ResponseIDs
	content []Content
	headers []*responseHeader
	echo    bool // the body is the resource that the request carried

	bodiless string // id of the clause that there is no body, "" where there is none
}

type responseHeader struct {
	name     string
	clause   string
	required bool
	explode  bool // an object is written as a=1,b=2 and not as a,1,b,2
	schema   *schema.Schema
}

// response gives what is declared for a status: itself before its class
// before default (OpenAPI 3.0.3, Responses Object).
func (op *Operation) response(status int) *response {
	exact := strconv.Itoa(status)
	for _, key := range []string{exact, exact[:1] + "XX", "default"} {
		for _, r := range op.responses {
			if strings.EqualFold(r.status, key) {
				return r
			}
		}
	}
	return nil
}

func isStatus(key string) bool {
	if key == "default" {
		return true
	}
	if len(key) != 3 || key[0] < '1' || key[0] > '5' {
		return false
	}
	if strings.EqualFold(key[1:], "XX") {
		return true
	}
	_, err := strconv.Atoi(key)
	return err == nil
}
