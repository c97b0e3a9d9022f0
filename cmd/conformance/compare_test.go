package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites/compare"
)

// recordStore runs the suite against the reference, with the variation or deviation of that name if
// there is one, and writes the report.
func recordStore(t *testing.T, path, name, version, change string, flags ...string) {
	t.Helper()
	options := reference.Options{Tokens: []string{testToken}}
	known := change == ""
	for _, v := range reference.Variations() {
		if v.Name == change {
			options.Variation, known = v, true
		}
	}
	for _, d := range reference.Deviations() {
		if d.Name == change {
			options.Deviation, known = d, true
		}
	}
	if !known {
		t.Fatalf("the reference knows no %s", change)
	}
	serve(t, reference.New(options).ServeHTTP)
	// The order of answers to two concurrent requests is random.
	line := []string{"run", "--quiet", "--report", path, "--implementation", name, "--skip", "createPlant/open/same-id-at-once"}
	if version != "" {
		line = append(line, "--implementation-version", version)
	}
	conformance(t, append(line, flags...)...)
}

func TestCompare(t *testing.T) {
	quickly(t)
	t.Chdir(t.TempDir())
	recordStore(t, "json=store.json", "greenhouse", "1.0", "")
	recordStore(t, "ndjson=asks.ndjson", "greenhouse", "1.1", "missing-credential-401")
	recordStore(t, "json=broken.json", "greenhouse", "1.2", "fails-without-name")
	recordStore(t, "json=nursery.json", "nursery", "", "same-id-accepted")
	recordStore(t, "json=part.json", "greenhouse", "1.3", "", "--only", "createPlant/valid")
	recordStore(t, "json=rest.json", "greenhouse", "1.4", "", "--only", "createPlant/malformed")

	for _, row := range []struct {
		what string
		line string
		code int
		says []string
	}{
		{"implementations differ, which is no fault", "compare store.json nursery.json broken.json", 0,
			[]string{"A  greenhouse 1.0  conformant", "createPlant/answers", "✗7", "≠ createPlant/open/same-id", "compared: 3 implementations side by side"}},
		{"an answer that moved is no regression", "compare store.json asks.ndjson", 0,
			[]string{"400 application/json → 401 application/json", "no regression: ", "10 answers moved"}},
		{"a clause that is newly broken is one", "compare store.json broken.json", 1,
			[]string{"newly broken", "✗ createPlant/answers (must, §4)  passed → failed", "regression: 1 clause newly broken, in 7 fixtures"}},
		{"what is mended is none", "compare broken.json store.json", 0, []string{"fixed", "✓ createPlant/answers", "no regression: "}},
		{"a part is compared as far as it goes", "compare store.json part.json", 0, []string{"not judged by all", "not in B", "no longer tested", "no regression: "}},
		{"parts with nothing in common say nothing", "compare part.json rest.json", 3, []string{"inconclusive: no fixture was judged"}},
		{"the outcome alone", "compare --quiet store.json asks.ndjson", 0, []string{"no regression: "}},
		{"all rows", "compare --verbose store.json nursery.json", 0, []string{"createPlant/200/body/name"}},
	} {
		t.Run(row.what, func(t *testing.T) {
			conformance(t, strings.Fields(row.line)...).wants(t, row.code, row.says...)
		})
	}
	t.Run("into files", func(t *testing.T) {
		conformance(t, "compare", "store.json", "nursery.json", "--report", "json=out.json", "--report", "html=out.html").wants(t, exitConformant, "compared: ")
		var c compare.Comparison
		if err := json.Unmarshal(readFile(t, "out.json"), &c); err != nil || c.Schema != compare.SchemaID || len(c.Columns) != 2 {
			t.Errorf("%v: %+v", err, c)
		}
		if html := string(readFile(t, "out.html")); !strings.HasSuffix(html, "</html>\n") || !strings.Contains(html, "nursery") {
			t.Error("the page is not whole")
		}
	})
	t.Run("onto standard output, which it has to itself", func(t *testing.T) {
		result := conformance(t, "compare", "store.json", "nursery.json", "--report", "json=-")
		result.wants(t, exitConformant)
		if !json.Valid([]byte(result.out)) || !strings.Contains(result.err, "compared: ") {
			t.Errorf("there is %q and %q", result.out, result.err)
		}
	})
	t.Run("a regression whose report is lost is still one", func(t *testing.T) {
		if _, err := os.Stat("/dev/full"); err != nil {
			t.Skip("there is no /dev/full here")
		}
		conformance(t, "compare", "store.json", "broken.json", "--report", "json=/dev/full").wants(t, exitNonconformant, "conformance: report path /dev/full cannot be written", "regression: ")
		conformance(t, "compare", "store.json", "nursery.json", "--report", "json=/dev/full").wants(t, exitInconclusive, "/dev/full cannot be written")
	})
}

func TestMistakesInComparisons(t *testing.T) {
	t.Chdir(t.TempDir())
	recordStore(t, "json=a.json", "greenhouse", "", "", "--only", "createPlant/valid")
	recordStore(t, "json=b.json", "nursery", "", "", "--only", "createPlant/valid")
	recordStore(t, "json=strict.json", "nursery", "", "", "--only", "createPlant/valid", "--strict")
	write(t, "other.json", strings.Replace(string(readFile(t, "b.json")), `"sha256": "`, `"sha256": "f`, 1))
	write(t, "prose", "this is no report\n")
	write(t, "later.json", strings.Replace(string(readFile(t, "b.json")), "conformance.report/v1", "conformance.report/v2", 1))
	write(t, "html/x", "")
	for _, m := range []mistake{
		{"no reports", "compare", "", []string{"which reports? name at least two"}},
		{"one report", "compare a.json", "", []string{"which reports? name at least two"}},
		{"a missing report", "compare a.json missing", "", []string{"the report missing cannot be read: no such file"}},
		{"prose", "compare a.json prose", "", []string{"prose is not a report in JSON or NDJSON"}},
		{"another version", "compare a.json later.json", "", []string{"later.json is not a report of this version"}},
		{"other contracts", "compare a.json other.json", "", []string{"cannot be compared: a.json was judged by Plant Store 1.0.0 (sha256 ", "compare reports by the same contract"}},
		{"one report twice", "compare a.json b.json ./a.json", "", []string{"cannot be compared: a.json and ./a.json are the same run"}},
		{"strict and not", "compare a.json strict.json", "", []string{"one of a.json and strict.json was judged with --strict"}},
		{"an unknown format", "compare a.json b.json --report junit=reports/x.xml", "", []string{`--report: report format "junit" is unknown; there are json and html`}},
		{"a report without a path", "compare a.json b.json --report html", "", []string{"--report is \"html\"; write it as FORMAT=PATH"}},
		{"two reports to one file", "compare a.json b.json --report json=x --report html=./x", "", []string{"two reports would be written to ./x"}},
		{"a second report that cannot be written", "compare a.json b.json --report json=reports/x --report html=html", "", []string{"--report: html is a directory"}},
		{"a mistake beside a report", "compare a.json prose --report json=reports/x", "", []string{"prose is not a report"}},
		{"quiet and verbose", "compare a.json b.json --quiet --verbose", "", []string{"--quiet and --verbose exclude each other"}},
		{"an unknown flag", "compare a.json b.json --since", "", []string{"unknown flag --since"}},
	} {
		t.Run(m.what, func(t *testing.T) {
			write(t, "reports/kept", "")
			result := conformance(t, strings.Fields(m.line)...)
			result.wants(t, exitUsage, m.says...)
			checkOneLine(t, result)
			if left := filesIn(t, "reports"); len(left) != 1 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
