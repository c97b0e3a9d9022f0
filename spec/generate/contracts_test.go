package generate_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/spec/schema"
)

// A tally counts the results for schemas of real documents.
type tally struct {
	schemas, uncompiled, drawn, random, failed int
	valid, invalid                             map[string]int // by kind
	elapsed, slowest, slowestDraw              time.Duration
	slow                                       string
}

// TestContracts counts the values made for the schemas of real OpenAPI documents, in the folder
// that the variable CONTRACTS names. It fails if fewer than 99.9 % of the schemas of request bodies
// get a value, or if a valid case is invalid or an invalid one valid.
func TestContracts(t *testing.T) {
	folder := os.Getenv("CONTRACTS")
	if folder == "" {
		t.Skip("CONTRACTS names no folder of OpenAPI documents")
	}
	kinds := map[string]*tally{}
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || ext != ".json" && ext != ".yaml" && ext != ".yml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		root, err := document.Parse(path, data)
		if err != nil || !strings.HasPrefix(root.Get("openapi").Text(), "3.") {
			return nil //nolint:nilerr // what cannot be read, or is older, is another test's business
		}
		set := schema.NewSet(root)
		begin, before := time.Now(), cmp.Or(kinds["request"], &tally{}).failed
		schemasOf(document.Top(root), func(kind string, d schema.Direction, place document.Place) {
			if kinds[kind] == nil {
				kinds[kind] = &tally{valid: map[string]int{}, invalid: map[string]int{}}
			}
			kinds[kind].count(t, filepath.Base(path)+"#"+place.Pointer, set.At(place), d)
		})
		if after := kinds["request"]; testing.Verbose() && after != nil {
			fmt.Printf("%s: %s, %d failed\n", path, time.Since(begin).Round(time.Millisecond), after.failed-before)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		n := kinds[kind]
		t.Logf("%s: %d schemas, %d do not compile, %d drawn, %d drawn at random, %d failed, %d valid, %d invalid cases, %s, slowest draw %s, slowest cases %s %s",
			kind, n.schemas, n.uncompiled, n.drawn, n.random, n.failed, sum(n.valid), sum(n.invalid), n.elapsed.Round(time.Millisecond), n.slowestDraw, n.slowest, n.slow)
		t.Logf("%s: valid %v, invalid %v", kind, n.valid, n.invalid)
	}
	if n := kinds["request"]; n == nil || n.failed*1000 > n.schemas-n.uncompiled {
		t.Errorf("too few request bodies get a value: %+v", n)
	}
}

func sum(counts map[string]int) (all int) {
	for _, n := range counts {
		all += n
	}
	return all
}

// schemasOf yields the schemas of bodies and parameters, each once.
func schemasOf(root document.Place, yield func(kind string, d schema.Direction, at document.Place)) {
	known := map[string]bool{}
	content := func(kind string, d schema.Direction, of document.Place) {
		for _, m := range of.To("content").All() {
			at := of.To("content", m.Key, "schema")
			if target, err := at.Resolve(); err == nil && at.Node != nil && !known[kind+target.Pointer] {
				known[kind+target.Pointer] = true
				yield(kind, d, target)
			}
		}
	}
	parameters := func(list document.Place) {
		for _, p := range list.List() {
			p, _ = p.Resolve()
			if at := p.To("schema"); at.Node != nil && !known["parameter"+at.Pointer] {
				known["parameter"+at.Pointer] = true
				yield("parameter", schema.Request, at)
			}
		}
	}
	for _, path := range root.To("paths").All() {
		item, _ := root.To("paths", path.Key).Resolve()
		parameters(item.To("parameters"))
		for _, m := range item.All() {
			operation := item.To(m.Key)
			if operation.Get("responses") == nil {
				continue
			}
			parameters(operation.To("parameters"))
			body, _ := operation.To("requestBody").Resolve()
			content("request", schema.Request, body)
			for _, r := range operation.Get("responses").All() {
				response, _ := operation.To("responses", r.Key).Resolve()
				content("response", schema.Response, response)
			}
		}
	}
}

func (n *tally) count(t *testing.T, name string, s *schema.Schema, d schema.Direction) {
	n.schemas++
	compiled, err := s.Compiled(d)
	if err != nil {
		n.uncompiled++
		return
	}
	begin := time.Now()
	_, err = generate.Draw(s, d, generate.Minimal{})
	n.slowestDraw = max(n.slowestDraw, time.Since(begin))
	if err != nil {
		n.failed++
		t.Logf("%s: %v (%s)", name, err, time.Since(begin))
		return
	}
	n.drawn++
	if _, err := generate.Draw(s, d, generate.NewRandom(1)); err == nil {
		n.random++
	}
	if compiled == nil {
		return
	}
	given := 0
	for c := range generate.Valid(s, d) {
		n.valid[c.Kind]++
		if err := compiled.Validate(c.Value); err != nil {
			t.Errorf("%s: %s %v %s is not valid: %v", name, c.Kind, c.Path, c.Variant, err)
		}
		if given++; given == 500 {
			break
		}
	}
	given = 0
	for c := range generate.Invalid(s, d) {
		n.invalid[c.Kind]++
		if compiled.Validate(c.Value) == nil {
			t.Errorf("%s: %s %v %s is valid", name, c.Kind, c.Path, c.Variant)
		}
		if given++; given == 500 {
			break
		}
	}
	took := time.Since(begin)
	n.elapsed += took
	if took > n.slowest {
		n.slowest, n.slow = took, name
	}
}
