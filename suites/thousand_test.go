package suites_test

import (
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites/verdict"
)

// A thousand fixtures, sent one at a time and sixty-four at a time, against the reference, against one that
// uses a freedom and against one that breaks a clause: the two reports differ only in their times.
func TestAThousandFixtures(t *testing.T) {
	needsLong(t, "sends six thousand requests")
	set := copiesOfBundled(t, 2)
	for _, row := range []struct {
		name    string
		options reference.Options
		want    verdict.Verdict
	}{
		{"reference", reference.Options{}, verdict.Conformant},
		{"422 for another shape", reference.Options{Variation: variation(t, "content-422")}, verdict.Conformant},
		{"400 as text", reference.Options{Deviation: deviation(t, "error-as-text")}, verdict.Nonconformant},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.options.Tokens = []string{token}
			var service http.Handler
			c := configFor(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { service.ServeHTTP(w, r) })))
			c.Fixtures = []fixtures.Set{set}
			c.Seed = 42
			var reports [2]string
			for i, concurrency := range []int{1, 64} {
				service = reference.New(row.options) // with an empty store
				c.Limits.Concurrency = concurrency
				c.Skip = []string{"createPlant/open/same-id-at-once*"} // either of the two may be first
				r := run(t, c)
				if r.Counts.Fixtures < 1000 || r.Verdict != row.want {
					t.Fatalf("%d fixtures, %s: %s", r.Counts.Fixtures, r.Verdict, r.Reason)
				}
				reports[i] = settled(t, r)
			}
			if reports[0] != reports[1] {
				t.Errorf("concurrency 64 gave another report:\n%s", firstDifference(reports[0], reports[1]))
			}
		})
	}
}

func deviation(t *testing.T, name string) reference.Deviation {
	t.Helper()
	all := reference.Deviations()
	i := slices.IndexFunc(all, func(d reference.Deviation) bool { return d.Name == name })
	if i < 0 {
		t.Fatalf("there is no deviation %s", name)
	}
	return all[i]
}

func variation(t *testing.T, name string) reference.Variation {
	t.Helper()
	all := reference.Variations()
	i := slices.IndexFunc(all, func(v reference.Variation) bool { return v.Name == name })
	if i < 0 {
		t.Fatalf("there is no variation %s", name)
	}
	return all[i]
}

// copiesOfBundled returns the built-in fixtures n times. Fixtures that a store may accept only
// once, because they have a fixed number, are there once.
func copiesOfBundled(t *testing.T, n int) fixtures.Set {
	t.Helper()
	files := fstest.MapFS{}
	bundled := fixtures.Bundled().FS
	err := fs.WalkDir(bundled, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(bundled, name)
		if err != nil {
			return err
		}
		files[name] = &fstest.MapFile{Data: data, Mode: entry.Type()}
		text := string(data)
		if path.Base(name) == "tables.yaml" || !strings.Contains(text, "$freshId") && !strings.Contains(text, "expect: rejected") {
			return nil
		}
		id := strings.TrimSuffix(name, ".yaml")
		for i := 1; i < n; i++ {
			another := fmt.Sprintf("%s-%d", id, i)
			itself := strings.ReplaceAll(text, "beside: "+id+"\n", "beside: "+another+"\n")
			files[another+".yaml"] = &fstest.MapFile{Data: []byte(itself), Mode: entry.Type()}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fixtures.Set{Name: "copies", FS: files}
}
