package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites/result"
)

// A saved report gives the same report again, for every input format.
func TestReportShowsARunAgain(t *testing.T) {
	needsLong(t, "shows a run in each format")
	quickly(t)
	t.Chdir(t.TempDir())
	serve(t, acceptEverything)
	first := conformance(t, "run", "--report", "json=run.json", "--report", "ndjson=run.ndjson", "--report", "html=run.html", "--report", "har=run.har")
	first.wants(t, exitNonconformant)
	for _, from := range []string{"run.json", "run.ndjson"} {
		again := conformance(t, "report", from, "--report", "json=again.json", "--report", "html=again.html", "--report", "har=again.har", "--report", "ndjson=again.ndjson")
		again.wants(t, exitNonconformant)
		if again.out != first.out {
			t.Errorf("from %s it shows\n%s\nnot\n%s", from, again.out, first.out)
		}
		for _, file := range []string{"json", "html", "har"} {
			if !bytes.Equal(readFile(t, "again."+file), readFile(t, "run."+file)) {
				t.Errorf("from %s comes another %s", from, file)
			}
		}
		conformance(t, "report", "again.ndjson").wants(t, exitNonconformant)
	}
}

func TestReportMergesShards(t *testing.T) {
	quickly(t)
	t.Chdir(t.TempDir())
	store := plantStore()
	serve(t, func(w http.ResponseWriter, r *http.Request) { store(w, r) })
	run := func(args ...string) result.Counts {
		conformance(t, append([]string{"run", "--seed", "7"}, args...)...).wants(t, exitConformant)
		store = plantStore() // without plants
		return withoutChance(readReport(t, readFile(t, strings.TrimPrefix(args[len(args)-1], "json="))).Counts)
	}
	whole := run("--report", "json=whole.json")
	for _, shard := range []string{"1", "2", "3"} {
		run("--shard", shard+"/3", "--report", "json="+shard+".json")
	}
	conformance(t, "report", "3.json", "1.json", "2.json", "--report", "json=merged.json").wants(t, exitConformant, "all 135 fixtures were judged")
	if merged := readReport(t, readFile(t, "merged.json")); withoutChance(merged.Counts) != whole || !merged.Run.Complete {
		t.Errorf("merged %#v, whole %#v", merged.Counts, whole)
	}
	conformance(t, "report", "1.json", "3.json").wants(t, exitInconclusive, "cut off when 90 of 135 fixtures were judged")
	conformance(t, "report", "1.json").wants(t, exitConformant, "all 45 fixtures were judged")
}

// withoutChance removes the counts that depend on the order of two concurrent requests.
func withoutChance(c result.Counts) result.Counts {
	c.Observations = 0
	return c
}

// The known violations of a service are listed once. Then they do not fail a run, until one of them
// is fixed.
func TestFirstAdoptionOfWaivers(t *testing.T) {
	needsLong(t, "runs a service after each step")
	quickly(t)
	t.Chdir(t.TempDir())
	store := differing(t, "error-as-text")
	serve(t, func(w http.ResponseWriter, r *http.Request) { store(w, r) })
	conformance(t, "run", "--report", "json=run.json").wants(t, exitNonconformant)
	conformance(t, "report", "run.json", "--write-waivers", "waivers.yaml", "--owner", "team plants").wants(t, exitNonconformant)
	conformance(t, "run", "--waivers", "waivers.yaml", "--report", "json=run.json").
		wants(t, exitConformant, "conformant in 11 of 15 must-clauses, with 2 waived clauses: ", "none found a violation that is not waived", "~ createPlant/400/media-type", "known since", "(team plants)")
	conformance(t, "run", "--waivers", "waivers.yaml", "--only", "createPlant/valid").wants(t, exitConformant)
	conformance(t, "report", "run.json", "--write-waivers", "more.yaml", "--owner", "us").wants(t, exitConformant)
	if text := string(readFile(t, "more.yaml")); !strings.HasSuffix(text, "\n[]\n") {
		t.Errorf("what is waived is written down again: %s", text)
	}

	write(t, "one.yaml", "- {match: createPlant/400/media-type, reason: known, owner: us}\n")
	conformance(t, "run", "--waivers", "one.yaml").wants(t, exitNonconformant, "✗ ", "breaks createPlant/400/body")
	store = plantStore()
	conformance(t, "run", "--waivers", "waivers.yaml").
		wants(t, exitNonconformant, "the waiver createPlant/", "(waivers.yaml:13) no longer matches a violation")
	write(t, "old.yaml", "- {match: createPlant/400/*, reason: known, owner: us, until: 2020-01-31}\n")
	conformance(t, "run", "--waivers", "old.yaml").wants(t, exitNonconformant, "the waiver createPlant/400/* (old.yaml:1) expired on 2020-01-31")
	conformance(t, "report", "run.json", "--waivers", "old.yaml").wants(t, exitNonconformant, "expired", "breaks createPlant/400/")
}

func deviationNamed(t *testing.T, name string) reference.Deviation {
	t.Helper()
	all := reference.Deviations()
	i := slices.IndexFunc(all, func(d reference.Deviation) bool { return d.Name == name })
	if i < 0 {
		t.Fatalf("there is no deviation %s", name)
	}
	return all[i]
}

func TestMistakesWithReportsOfRuns(t *testing.T) {
	mistakes := []mistake{
		{"no report", "report", "", []string{"which report? name the file"}},
		{"a report that is missing", "report missing.json", "", []string{"the report missing.json cannot be read: no such file"}},
		{"a report that is a folder", "report none", "", []string{"the report none cannot be read: is a directory"}},
		{"something else", "report prose.yaml --report json=reports/a.json", "", []string{"prose.yaml is not a report in JSON or NDJSON"}},
		{"an empty report", "report empty", "", []string{"empty is not a report in JSON or NDJSON"}},
		{"waivers that are missing", "run --waivers missing.yaml" + withReport, "", []string{"--waivers missing.yaml cannot be read: no such file"}},
		{"waivers that are no list", "run --waivers openapi.yaml", "", []string{"--waivers: openapi.yaml:1:1: expected a list of waivers", "found a mapping"}},
		{"waivers without a reason", "run --waivers unreasonable.yaml" + withReport, "", []string{"unreasonable.yaml:1:3: reason is missing"}},
		{"waivers with a typo", "run --waivers typo.yaml", "", []string{`typo.yaml:1`, `unknown key "undtil"; known are match, fixtures, message, place, reason, owner, until`}},
		{"waivers until some day", "run --waivers someday.yaml", "", []string{`until is "soon"; write the last day as 2027-03-31`}},
		{"waivers of nothing", "run --waivers nothing.yaml" + withReport, "", []string{"nothing.yaml:1: the waiver createPlant/nothing matches no fixture and no clause"}},
		{"a shard of none", "run --shard 0/4" + withReport, "", []string{`--shard is "0/4"; it must be a part and the number of parts, such as 2/4`}},
		{"a shard too many", "run --shard 5/4", "", []string{`--shard is "5/4"`}},
		{"half a shard", "run --shard 2", "", []string{`--shard is "2"`}},
		{"more shards than fixtures", "run --shard 4/4 --only createPlant/valid/plain" + withReport, "", []string{"--shard 4/4 has none of the 1 fixtures"}},
		{"waivers over something else", "report run.json --write-waivers empty --owner us", "", []string{"--write-waivers empty already exists"}},
		{"waivers into nowhere", "report run.json --write-waivers missing/w.yaml --owner us", "", []string{"--write-waivers missing/w.yaml cannot be written: no such file"}},
		{"waivers of nobody", "report run.json --write-waivers reports/w.yaml", "", []string{"--write-waivers needs --owner: name who accepts these violations, such as a team"}},
		{"waivers of a blank owner", "report run.json --write-waivers reports/w.yaml --owner \t", "", []string{"--write-waivers needs --owner"}},
		{"waivers of nobody, by their variable", "report run.json", "CONFORMANCE_WRITE_WAIVERS=reports/w.yaml", []string{"CONFORMANCE_WRITE_WAIVERS needs --owner"}},
		{"waivers for fixtures that do not exist", "run --waivers astray.yaml" + withReport, "", []string{"astray.yaml:1: fixtures createPlant/nothing of the waiver createPlant/accepts matches no fixture; `conformance list fixtures` names them"}},
		{"waivers with an empty message", "run --waivers blank.yaml" + withReport, "", []string{"blank.yaml:1:41: message is empty"}},
		{"two whole runs", "report run.json ./run.json", "", []string{"are not parts of one run", "is complete; only shards can be merged"}},
		{"a report into nowhere", "report run.json --report html=/dev/null/a.html", "", []string{"--report: /dev/null/a.html cannot be written"}},
	}
	text := aReport(t)
	checkMistakesWith(t, mistakes, map[string]string{
		"run.json":          text,
		"unreasonable.yaml": "- {match: createPlant/accepts, owner: us}\n",
		"typo.yaml":         "- {match: createPlant/accepts, reason: known, owner: us, undtil: 2027-01-01}\n",
		"someday.yaml":      "- {match: createPlant/accepts, reason: known, owner: us, until: soon}\n",
		"astray.yaml":       "- {match: createPlant/accepts, fixtures: createPlant/nothing, reason: known, owner: us}\n",
		"blank.yaml":        "- {match: createPlant/accepts, message: '', reason: known, owner: us}\n",
		"nothing.yaml":      "- {match: createPlant/nothing, reason: known, owner: us}\n",
	})
}

// aReport returns the path of a JSON report.
func aReport(t *testing.T) string {
	t.Helper()
	serve(t, plantStore())
	return conformance(t, "run", "--quiet", "--only", "createPlant/valid", "--report", "json=-").out
}

// A run that is killed leaves all results that it had, and they decide the verdict.
func (p program) testKill(t *testing.T) {
	t.Chdir(t.TempDir())
	quickly(t)
	// Some fixtures send two requests, and an answer is reported when its connection is used again.
	const fixtures, answered, told = 400, 140, 115
	for i := range fixtures {
		write(t, filepath.Join("more", "createPlant", "valid", fmt.Sprintf("copy-%04d.yaml", i)),
			"title: a plant\nclause: createPlant/accepts\nexpect: accepted\nrequest:\n  body: {id: $freshId, name: conformance $freshId}\n")
	}
	store := plantStore()
	var mu sync.Mutex
	count := 0
	serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		count++
		last := count > answered
		mu.Unlock()
		if last {
			<-t.Context().Done()
			return
		}
		store(w, r)
	})
	c, _, _ := p.command(t, "run", "--fixtures", "more", "--only", "createPlant/valid", "--concurrency", "4", "--timeout", "1m", "--report", "ndjson=run.ndjson")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := tail(t, "run.ndjson")
	for range 1 + told {
		select {
		case <-lines:
		case <-time.After(hangGuard):
			t.Fatal("the results do not arrive in the file")
		}
	}
	_ = c.Process.Kill()
	_ = c.Wait()
	result := conformance(t, "report", "run.ndjson", "--report", "json=run.json")
	result.wants(t, exitInconclusive, "the run was cut off when ", fmt.Sprintf(" of %d fixtures were judged", fixtures+10))
	if r := readReport(t, readFile(t, "run.json")); r.Counts.Fixtures < told-1 || r.Counts.Fixtures > answered || r.Run.Complete {
		t.Errorf("%+v, complete %t", r.Counts, r.Run.Complete)
	}
}

// tail returns the lines of a file while it is written.
func tail(t *testing.T, path string) <-chan string {
	t.Helper()
	lines := make(chan string)
	go func() {
		var file *os.File
		for file == nil {
			file, _ = os.Open(path)
			if t.Context().Err() != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
		defer file.Close()
		r := bufio.NewReader(file)
		line := ""
		for {
			part, err := r.ReadString('\n')
			line += part
			if err == io.EOF {
				time.Sleep(time.Millisecond) // wait for the file to grow
			} else {
				select {
				case lines <- line:
				case <-t.Context().Done():
				}
				line = ""
			}
			if t.Context().Err() != nil {
				return
			}
		}
	}()
	return lines
}
