package suites_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/internal/services"
	"github.com/plantstore/conformance/suites/internal/services/books"
	"github.com/plantstore/conformance/suites/internal/services/parcels"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// plantBody has the properties that bugs depend on.
type plantBody map[string]any

func (p plantBody) id() int64 {
	number, _ := p["id"].(json.Number)
	id, _ := number.Int64()
	return id
}

func (p plantBody) text(property string) string {
	text, _ := p[property].(string)
	return text
}

// bug is a fault of a plant store that few requests show.
type bug struct {
	name    string
	is      func(plantBody) bool
	accepts bool   // what it should reject; otherwise it answers with 500
	minimal string // the body of the simplest request that shows it
}

func bugs() []bug {
	beyond := func(text string, limit rune) bool {
		return strings.ContainsFunc(text, func(r rune) bool { return r > limit })
	}
	return []bug{
		{"large id and long name", func(p plantBody) bool { return p.id() > 1000 && len([]rune(p.text("name"))) > 3 }, false, `{"id":1001,"name":"aaaa"}`},
		{"tag beyond the BMP", func(p plantBody) bool { return beyond(p.text("tag"), 0xFFFF) }, false, `{"id":$freshId,"name":"","tag":"😀"}`},
		{"id that a double rounds", func(p plantBody) bool { return p["id"] == json.Number("9007199254740993") }, false, `{"id":9007199254740993,"name":""}`},
		{"unchecked name", func(p plantBody) bool {
			name, there := p["name"]
			_, isText := name.(string)
			return there && !isText && beyond(p.text("tag"), 0x7F) && p.id() < 0
		}, true, `{"id":-1,"name":7,"tag":"é"}`},
	}
}

func (b bug) in(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		var p plantBody
		switch {
		case decoder.Decode(&p) != nil || !b.is(p):
			next.ServeHTTP(w, r)
		case b.accepts:
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"name":"fern"}`)
		default:
			http.Error(w, "out of order", http.StatusInternalServerError)
		}
	})
}

// exploring returns the configuration of a run that explores, with few fixtures.
func exploring(seed uint64, requests int) suites.Config {
	c := suites.NewConfig()
	c.Target.Token, c.Seed, c.Explore = token, seed, requests
	c.Only = []string{"createPlant/malformed/comment"}
	return c
}

func plants() http.Handler { return reference.New(reference.Options{Tokens: []string{token}}) }

// TestExploreFindsBugs: with nine of ten seeds, 2,000 requests are enough to find the simplest
// request that shows a bug.
func TestExploreFindsBugs(t *testing.T) {
	seeds := sampled(1, 10)
	for _, b := range bugs() {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			missed := 0
			for seed := range seeds {
				finds, r := explored(t, exploring(uint64(seed)+1, 1000), b.in(plants()), false)
				if len(finds) != 1 || r.Run.Explored > 2000 || !strings.Contains(string(finds[0].Data), `"body":`+strings.ReplaceAll(b.minimal, "$freshId", `"$freshId"`)) {
					missed++
					t.Logf("seed %d: %d requests, %s", seed+1, r.Run.Explored, written(finds))
				}
			}
			if missed > seeds/10 {
				t.Errorf("missed in %d of %d seeds", missed, seeds)
			}
		})
	}
}

// TestExploreRaisesNoAlarm: nothing is found in a service that keeps the contract, no matter how it
// answers the questions that the contract leaves open.
func TestExploreRaisesNoAlarm(t *testing.T) {
	variations := append([]reference.Variation{{Name: "none"}}, reference.Variations()...)
	for i, v := range variations[:sampled(2, len(variations))] {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			o := reference.Options{Tokens: []string{token}}
			if v.Name != "none" {
				o.Variation = v
			}
			c := exploring(uint64(i)+1, 200)
			c.Strict = v.Name == "none" // otherwise its freedoms are violations
			finds, r := explored(t, c, reference.New(o), true)
			if len(finds) > 0 || r.Run.Explored != 200 || r.Verdict == verdict.Nonconformant {
				t.Errorf("%d requests, %s (%s): %s", r.Run.Explored, r.Verdict, r.Reason, written(finds))
			}
		})
	}
}

// TestExploreNothing: nothing is explored if responses would show nothing.
func TestExploreNothing(t *testing.T) {
	for name, handler := range map[string]http.Handler{
		"credential refused": reference.New(reference.Options{Tokens: []string{"another"}, Variation: variation(t, "unknown-token-401")}),
		"given up":           http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
	} {
		t.Run(name, func(t *testing.T) {
			c := exploring(1, 100)
			c.Only = []string{"createPlant/valid"}
			if _, r := explored(t, c, handler, true); r.Run.Explored != 0 {
				t.Errorf("%d requests; %s", r.Run.Explored, r.Reason)
			}
		})
	}
}

// TestExploreServices: nothing is found in services with parameters, chains and several
// credentials, and no created data remains.
func TestExploreServices(t *testing.T) {
	needsLong(t, "explores the services of the tests")
	for _, s := range []services.Service{parcels.Service(), books.Service()} {
		variations := append([]services.Variation{{Name: "faithful"}}, s.Variations...)
		c, err := loadDerived(s, 200)
		if err != nil {
			t.Fatal(err)
		}
		c.Target.Credentials, c.Limits.MaxRequests = s.Credentials, 1000
		for i, v := range variations {
			t.Run(s.Name+"/"+v.Name, func(t *testing.T) {
				t.Parallel()
				c := c
				c.Seed, c.Explore = uint64(i)+1, 100
				finds, r := explored(t, c, s.New(services.Options{Variation: v}), false)
				if len(finds) > 0 || r.Run.Explored < 100 || len(r.Left()) > 0 {
					t.Errorf("%d requests, %d things left, %s", r.Run.Explored, len(r.Left()), written(finds))
				}
			})
		}
	}
}

// TestExploreChains: an operation that depends on others is explored after the steps that create its data. The
// request that is found is a fixture file that finds the same fault again, with other limits on the requests.
func TestExploreChains(t *testing.T) {
	needsLong(t, "explores several services")
	contract := specOf(t, shelfDocument)
	service := func() *shelves {
		return &shelves{kept: map[string]shelf{}, refused: func(method string, sent shelf) int {
			number, _ := sent["height"].(json.Number)
			height, _ := number.Float64()
			if labels, _ := sent["labels"].([]any); method == http.MethodPut && height > 700 && len(labels) > 1 {
				return http.StatusInternalServerError
			}
			return 0
		}}
	}
	c := suites.NewConfig()
	c.Contract, c.Seed, c.Explore, c.Only = contract, 1, 1000, []string{"putShelf/valid/minimal"}
	for _, row := range []struct {
		name  string
		limit func(*suites.Config)
		finds int
	}{
		{"all", func(*suites.Config) {}, 1},
		{"read-only", func(c *suites.Config) { c.ReadOnly, c.Only = true, []string{"getShelf/*"} }, 0},
		{"few requests", func(c *suites.Config) { c.Limits.MaxRequests = 20 }, 0},
		{"another shard", func(c *suites.Config) {
			c.Only, c.Shard = []string{"putShelf/valid/minimal", "getShelf/valid/minimal"}, suites.Shard{Index: 2, Of: 2}
		}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := c
			row.limit(&c)
			var events bytes.Buffer
			c.Observe = func(e result.Event) { _ = result.WriteEvent(&events, e) }
			s := service()
			finds, r := explored(t, c, s, false)
			c.Observe = nil
			if recorded, err := result.Read(&events); err != nil || len(s.kept)+len(recorded.Left()) > 0 {
				t.Errorf("%d things are left behind, and by the events %d (%v)", len(s.kept), len(recorded.Left()), err)
			}
			if again, same := explored(t, c, service(), false); !slices.EqualFunc(finds, again, func(a, b fixtures.Text) bool { return a.ID == b.ID }) || same.Run.Explored != r.Run.Explored {
				t.Errorf("the same seed finds %s, then %s", written(finds), written(again))
			}
			if len(finds) != row.finds || c.Limits.MaxRequests > 0 && r.Run.Explored > 20 {
				t.Fatalf("%d requests, %s", r.Run.Explored, written(finds))
			}
			if row.finds == 0 {
				return
			}
			if want := `"body":{"height":701,"labels":["",""],"name":"a"}`; !strings.Contains(string(finds[0].Data), want) || !strings.Contains(string(finds[0].Data), `$steps.addShelf.outputs.id`) {
				t.Errorf("found %s, want %s", finds[0].Data, want)
			}
			file, err := derive.File(finds[0])
			if err != nil {
				t.Fatal(err)
			}
			kept := c
			kept.Fixtures, kept.Only, kept.Explore = []fixtures.Set{{Name: "kept", FS: oneFile(finds[0].ID+".yaml", string(file))}}, nil, 0
			if _, r := explored(t, kept, service(), false); r.Verdict != verdict.Nonconformant || r.Counts.Failed != 1 || r.Counts.Fixtures != 1 {
				t.Errorf("kept as\n%s\nit gives %s", file, r.Headline)
			}
		})
	}
}

// TestExploreEnds: the deadline of the run ends exploration, too.
func TestExploreEnds(t *testing.T) {
	c := exploring(1, 10_000)
	c.Deadline = 300 * time.Millisecond
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		plants().ServeHTTP(w, r)
	})
	if _, r := explored(t, c, slow, false); r.Run.Explored == 0 || r.Run.Explored > 5000 || r.Verdict != verdict.Inconclusive {
		t.Errorf("%d requests, %s: %s", r.Run.Explored, r.Verdict, r.Reason)
	}
}

// explored runs until a request is found, and returns it: over connections, or in this process.
func explored(t *testing.T, c suites.Config, handler http.Handler, onWire bool) (finds []fixtures.Text, r result.Report) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	if c.Handler = handler; !onWire {
		c.Handler, c.Target.BaseURL, c.Target.Handler = nil, "http://service.example", handler
	}
	c.Found = func(f fixtures.Text) {
		finds = append(finds, f)
		end()
	}
	r, err := suites.Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, one := range r.Results {
		if one.Derived && strings.Contains(one.Fixture, "/explore/") {
			ids = append(ids, one.Fixture)
			if one.Status != judge.Failed {
				t.Errorf("%s is reported as %s", one.Fixture, one.Status)
			}
		}
	}
	var found []string
	for _, f := range finds {
		found = append(found, f.ID)
	}
	if !slices.Equal(ids, found) {
		t.Errorf("reported %s, found %s", ids, found)
	}
	return finds, r
}

// written returns the fixtures as their files have them.
func written(finds []fixtures.Text) string {
	var b strings.Builder
	for _, f := range finds {
		b.Write(f.Data)
	}
	return b.String()
}
