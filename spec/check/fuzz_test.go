package check_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// FuzzCheckResponse checks that judging any body ends, always has the same result, and reports only
// existing clauses and places. For the Error of the bundled contract, the result must agree with an
// independent implementation of the same rules.
func FuzzCheckResponse(f *testing.F) {
	for _, seed := range []string{
		`{"error":400,"message":"no"}`, `{"error":4e2,"message":""}`, `{"error":1e1000001,"message":""}`, `{"error":-2147483649}`,
		`{"error":1,"error":2,"message":""}`, "\ufeff{}", "{}{}", "", "[", `{"message":"\ud83c"}`, `{"kind":"dog","tricks":0.1,"x":[]}`, `[{"a":1,"b":{"c":null}}]`,
	} {
		f.Add([]byte(seed))
	}
	contract, err := spec.PlantStore()
	if err != nil {
		f.Fatal(err)
	}
	others := []*spec.Contract{
		spectest.Load(f, spectest.Document("3.0.3", `{type: object, nullable: true, required: [kind], additionalProperties: {type: array, items: {type: object, additionalProperties: false, properties: {b: {type: string, format: uuid}}}},
                properties: {kind: {type: string, enum: [cat, dog]}, tricks: {type: integer, format: int64, multipleOf: 3}, error: {oneOf: [{type: integer}, {type: string, minLength: 1}]}}}`)),
		spectest.Load(f, spectest.Document("3.1.0", `{type: [object, array, 'null'], properties: {kind: {const: dog}, message: {type: [string, 'null'], writeOnly: true}}, items: {type: object, required: [a, b], minProperties: 3},
                propertyNames: {maxLength: 8}, if: {required: [error]}, then: {properties: {error: {maximum: 5}}}, uniqueItems: true}`)),
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		sane(t, contract, 200, body)
		for _, other := range others {
			sane(t, other, 200, body)
		}
		breaches, judged := sane(t, contract, 400, body)
		if !judged {
			return
		}
		accepted := true
		for _, b := range breaches {
			accepted = accepted && strings.HasSuffix(string(b.Clause), "/undeclared")
		}
		switch flaw, certain := flawOfError(body); {
		case accepted && flaw != "":
			t.Errorf("%q is accepted; %s", body, flaw)
		case !accepted && flaw == "" && certain:
			t.Errorf("%q is refused: %+v", body, breaches)
		}
	})
}

// sane checks a body and the properties of every result. A body that exceeds a limit is not judged,
// so its breaches may be incomplete.
func sane(t *testing.T, contract *spec.Contract, status int, body []byte) (breaches []check.Breach, judged bool) {
	op, response := contract.Operations[0], spectest.Answer(status, string(body))
	got, err := response.Check(t.Context(), op, instance.Limits{})
	if _, limited := errors.AsType[*instance.LimitError](err); err != nil && !limited {
		t.Error(err)
	}
	again, errAgain := response.Check(t.Context(), op, instance.Limits{})
	if diff := cmp.Diff(got, again) + cmp.Diff(fmt.Sprint(err), fmt.Sprint(errAgain)); diff != "" {
		t.Errorf("%q is judged in two ways:\n%s", body, diff)
	}
	for _, b := range got.Breaches {
		if _, ok := contract.Clause(b.Clause); !ok {
			t.Errorf("%q breaks %q, which is no clause", body, b.Clause)
		}
		if b.Offset < -1 || b.Offset > int64(len(body)) || b.Message == "" || b.Expected == "" || b.Actual == "" {
			t.Errorf("%q: %+v", body, b)
		}
	}
	return got.Breaches, err == nil
}

// flawOfError returns why a body is not a valid Error, using encoding/json and math/big. It may
// miss flaws, for example those of surrogates.
func flawOfError(body []byte) (flaw string, certain bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return err.Error(), true
	}
	if _, err := d.Token(); err != io.EOF {
		return "something follows the value", true
	}
	if !utf8.Valid(body) {
		return "it is no UTF-8", true
	}
	if key := keyTwice(body); key != "" {
		return "it has the key " + key + " twice", true
	}
	object, ok := value.(map[string]any)
	if !ok {
		return "it is not an object", true
	}
	if _, ok := object["message"].(string); !ok {
		return "message is not a string", true
	}
	number, ok := object["error"].(json.Number)
	if !ok {
		return "error is no number", true
	}
	if strings.Trim(strings.FieldsFunc(number.String(), func(r rune) bool { return r == 'e' || r == 'E' })[0], "-0.") != "" {
		rat, ok := new(big.Rat).SetString(number.String())
		if !ok || !rat.IsInt() || !rat.Num().IsInt64() || rat.Num().Int64() != int64(int32(rat.Num().Int64())) {
			return "error is no int32", true
		}
	}
	return "", len(body) < 1000 && !bytes.Contains(body, []byte(`\u`))
}

// keyTwice returns the first duplicate key in an object of the body.
func keyTwice(body []byte) string {
	d := json.NewDecoder(bytes.NewReader(body))
	type level struct {
		keys    map[string]bool // nil in a list
		isValue bool
	}
	var open []*level
	for {
		token, err := d.Token()
		if err != nil {
			return ""
		}
		if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
			open = open[:len(open)-1]
			continue
		}
		if len(open) > 0 && open[len(open)-1].keys != nil {
			top := open[len(open)-1]
			if !top.isValue {
				key := fmt.Sprint(token)
				if top.keys[key] {
					return fmt.Sprintf("%q", key)
				}
				top.keys[key], top.isValue = true, true
				continue
			}
			top.isValue = false
		}
		switch token {
		case json.Delim('{'):
			open = append(open, &level{keys: map[string]bool{}})
		case json.Delim('['):
			open = append(open, &level{})
		}
	}
}
