package suites_test

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// A run in shards has the same result as the whole run, also if only all results together show what
// each is worth.
func TestShardsMakeTheWhole(t *testing.T) {
	refused := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	rejects := store{}
	for _, row := range []struct {
		name    string
		handler func() http.Handler
		want    verdict.Verdict
		long    bool
	}{
		{"conformant", func() http.Handler { return store{} }, verdict.Conformant, true},
		{"a clause broken", func() http.Handler { return store{nameMissing: true} }, verdict.Nonconformant, false},
		{"the credential refused", func() http.Handler { return refused }, verdict.Inconclusive, true},
		{"everything rejected", func() http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { rejects.reject(w, "all") })
		}, verdict.Nonconformant, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.long {
				needsLong(t, "runs all shards once more")
			}
			t.Parallel()
			c := configFor(serve(t, row.handler()))
			c.Seed = 42
			whole := run(t, c)
			if whole.Verdict != row.want {
				t.Errorf("the whole is %s: %s", whole.Verdict, whole.Reason)
			}
			const of = 40 // so that some shards have no request that must be accepted
			var parts []result.Recording
			for i := range of {
				c.Shard = suites.Shard{Index: of - i, Of: of}
				parts = append(parts, run(t, c).Recording())
			}
			merged, err := result.Merge(parts)
			if err != nil {
				t.Fatal(err)
			}
			withoutIDs := regexp.MustCompile(`[0-9]{16,}|conformance [a-z]{6,8}\b|"eyJ[A-Za-z0-9+/]*=*"`) // each shard draws its own, which may be in base64
			a, b := withoutIDs.ReplaceAllString(settled(t, whole), "ID"), withoutIDs.ReplaceAllString(settled(t, result.Conclude(merged)), "ID")
			if a != b {
				t.Errorf("the shards make another report:\n%s", firstDifference(a, b))
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	for _, row := range []struct {
		shard suites.Shard
		n     int
		want  []int
	}{
		{suites.Shard{}, 3, []int{0, 1, 2}},
		{suites.Shard{Index: 1, Of: 1}, 3, []int{0, 1, 2}},
		{suites.Shard{Index: 1, Of: 2}, 5, []int{0, 2, 4}},
		{suites.Shard{Index: 2, Of: 2}, 5, []int{1, 3}},
		{suites.Shard{Index: 3, Of: 3}, 2, nil},
		{suites.Shard{Index: 1, Of: 2}, 0, nil},
		{suites.Shard{Index: 0, Of: 2}, 5, nil},
		{suites.Shard{Index: 3, Of: 2}, 5, nil},
		{suites.Shard{Index: 1}, 5, nil},
		{suites.Shard{Index: -1, Of: -1}, 5, nil},
	} {
		if got := row.shard.Places(row.n); !slices.Equal(got, row.want) {
			t.Errorf("%+v has %v of %d, want %v", row.shard, got, row.n, row.want)
		}
	}
}

func TestShardsAreOfOneSize(t *testing.T) {
	c := configFor("http://127.0.0.1:1")
	c.Only = []string{"createPlant/valid/tag", "createPlant/valid/plain", "createPlant/valid/keys-reordered"}
	for _, row := range []struct {
		shard suites.Shard
		want  int
		fault string
	}{
		{suites.Shard{}, 3, ""},
		{suites.Shard{Index: 1, Of: 1}, 3, ""},
		{suites.Shard{Index: 1, Of: 2}, 2, ""},
		{suites.Shard{Index: 2, Of: 2}, 1, ""},
		{suites.Shard{Index: 3, Of: 3}, 1, ""},
		{suites.Shard{Index: 4, Of: 4}, 0, "shard 4/4 has none of the 3 fixtures"},
		{suites.Shard{Index: 0, Of: 4}, 0, "shard is 0/4; it must be from 1/4 to 4/4"},
		{suites.Shard{Index: 5, Of: 4}, 0, "shard is 5/4"},
	} {
		c.Shard = row.shard
		r, err := suites.Run(t.Context(), c)
		if len(r.Results) != row.want || (err != nil) != (row.fault != "") {
			t.Errorf("%+v: %d results, %v", row.shard, len(r.Results), err)
		}
		if err != nil && (!errors.Is(err, suites.ErrConfig) || !strings.Contains(err.Error(), row.fault)) {
			t.Errorf("%+v: %v, want %s", row.shard, err, row.fault)
		}
	}
}
