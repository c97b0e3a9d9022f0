package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/reference"
)

// listed is a target of a test: a server, or none if handler is nil.
type listed struct {
	name    string
	handler http.HandlerFunc
	lines   []string // in its entry, in addition to name and base-url
}

// layOutTargets starts the servers and writes targets.yaml, in a new working
// directory with a folder for reports.
func layOutTargets(t *testing.T, list ...listed) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv(target.TokenVariable, testToken)
	quickly(t)
	if err := os.Mkdir("reports", 0o700); err != nil {
		t.Fatal(err)
	}
	text := "targets:\n"
	for _, target := range list {
		url := "http://" + closedPort
		if target.handler != nil {
			server := httptest.NewServer(target.handler)
			t.Cleanup(server.Close)
			url = server.URL
		}
		text += fmt.Sprintf("- name: %s\n  base-url: %s\n", target.name, url)
		for _, line := range target.lines {
			text += "  " + line + "\n"
		}
	}
	write(t, "targets.yaml", text)
}

// differing returns the reference with the deviation or variation of that name.
func differing(t testing.TB, name string) http.HandlerFunc {
	t.Helper()
	options := reference.Options{Tokens: []string{testToken}}
	for _, d := range reference.Deviations() {
		if d.Name == name {
			options.Deviation = d
			return reference.New(options).ServeHTTP
		}
	}
	for _, v := range reference.Variations() {
		if v.Name == name {
			options.Variation = v
			return reference.New(options).ServeHTTP
		}
	}
	t.Fatalf("the reference knows no %s", name)
	return nil
}

// Each target has a line and a report, even if others fail, and all have a matrix.
func TestTargets(t *testing.T) {
	const bad = "fails-without-name"
	layOutTargets(t,
		listed{"asks", differing(t, "missing-credential-401"), nil},
		listed{"dead", nil, nil},
		listed{"faulty", differing(t, bad), nil},
		listed{"plain", plantStore(), nil},
	)
	result := conformance(t, "run", "--targets", "targets.yaml", "--report", "json=reports/{target}.json",
		"--report", "junit=reports/{target}.xml", "--matrix", "json=matrix.json", "--matrix", "html=matrix.html")
	result.wants(t, exitNonconformant,
		"Plant Store 1.0.0 · 4 targets of targets.yaml, 135 fixtures for each\n",
		"A  asks    conformant     135 fixtures: 135 passed, in ",
		"B  dead    inconclusive\n   135 of 135 fixtures could not be judged: gave up on the target after 10\n   requests",
		"C  faulty  nonconformant  135 fixtures: 128 passed, 7 failed, in ",
		"D  plain   conformant     135 fixtures: 135 passed, in ",
		"createPlant/answers (must, §4)                                   ✓   -  ✗7   ✓\n",
		"≠ createPlant/no-token/* (10)                               401    -  400  400\n",
		"? nothing was judged in B\n",
		"\n\n4 targets: 2 conformant, 1 nonconformant, 1 inconclusive\n")
	if strings.Contains(result.out, "sent  ") {
		t.Errorf("it says too much: %s", result.out)
	}
	checkAnnouncement(t, result.err, "sending 139 requests to each of 4 targets, 8 at a time in all, as the run that its report names (run.id); "+
		`of those to one, up to 58 may create or change data; 57 have a text starting with "conformance" for easy clean-up`)
	var verdicts []string
	for _, name := range []string{"asks", "dead", "faulty", "plain"} {
		r := readReport(t, readFile(t, "reports/"+name+".json"))
		verdicts = append(verdicts, r.Implementation.Name+" "+string(r.Verdict))
	}
	if want := []string{"asks conformant", "dead inconclusive", "faulty nonconformant", "plain conformant"}; !slices.Equal(verdicts, want) {
		t.Errorf("the reports are %q", verdicts)
	}
	if files := filesIn(t, "reports"); len(files) != 8 {
		t.Errorf("the files are %v", files)
	}

	t.Run("the matrix is that of the reports", func(t *testing.T) {
		files := []string{"reports/asks.json", "reports/dead.json", "reports/faulty.json", "reports/plain.json"}
		conformance(t, append([]string{"compare", "--report", "json=again.json", "--report", "html=again.html"}, files...)...).wants(t, exitConformant)
		for _, ending := range []string{"json", "html"} {
			if a, b := readFile(t, "matrix."+ending), readFile(t, "again."+ending); !bytes.Equal(a, b) {
				t.Errorf("the matrix as %s is another:\n%s", ending, a)
			}
		}
	})
	t.Run("they are no parts of one run", func(t *testing.T) {
		result := conformance(t, "report", "reports/asks.json", "reports/faulty.json")
		result.wants(t, exitUsage, "are not parts of one run: they have different targets, asks at http://", "and faulty at http://", "; use `conformance compare`")
		checkOneLine(t, result)
	})
	t.Run("with everything", func(t *testing.T) {
		conformance(t, "run", "--targets", "targets.yaml", "--verbose", "--only", "createPlant/missing-required").wants(t, exitNonconformant,
			"✗ createPlant/missing-required/name", "replay    curl", "C  faulty  nonconformant", "4 targets: ")
	})
	t.Run("with the outcome alone", func(t *testing.T) {
		if result := conformance(t, "run", "--targets", "targets.yaml", "--quiet", "--only", "createPlant/missing-required"); result.out != "4 targets: 2 conformant, 1 nonconformant, 1 inconclusive\n" || result.err != "" {
			t.Errorf("it says %q and %q", result.out, result.err)
		}
	})
	t.Run("with the matrix alone on standard output", func(t *testing.T) {
		result := conformance(t, "run", "--targets", "targets.yaml", "--matrix", "json=-", "--only", "createPlant/missing-required")
		if !strings.HasPrefix(result.out, "{\n") || !strings.HasSuffix(result.out, "}\n") || !strings.Contains(result.err, "4 targets: ") {
			t.Errorf("there is %q and %q", result.out, result.err)
		}
	})
	t.Run("its settings alone", func(t *testing.T) {
		conformance(t, "config", "--targets", "targets.yaml").wants(t, exitConformant, "targets: targets.yaml", "# --targets")
		conformance(t, "config", "--targets", "missing.yaml").wants(t, exitUsage, "--targets missing.yaml cannot be read")
	})
	t.Run("without sending anything", func(t *testing.T) {
		conformance(t, "run", "--targets", "targets.yaml", "--dry-run", "--only", "createPlant/valid/plain", "--report", "json={target}.json").wants(t, exitConformant,
			"--dry-run writes no report; ", "\n# dead\n# 1 request to http://"+closedPort+",", "curl ", "Bearer $CONFORMANCE_TOKEN")
		write(t, "own.yaml", "targets: [{name: one, base-url: 'http://"+closedPort+"', token-variable: OF_ONE}]")
		t.Setenv("OF_ONE", testToken)
		conformance(t, "run", "--targets", "own.yaml", "--dry-run", "--only", "createPlant/valid/plain").wants(t, exitConformant, "Bearer $OF_ONE")
	})
	t.Run("one of them", func(t *testing.T) {
		result := conformance(t, "run", "--targets", "targets.yaml", "--shard", "4/4", "--rate", "1000", "--only", "createPlant/missing-required")
		result.wants(t, exitConformant, "1 target of targets.yaml")
		checkAnnouncement(t, result.err, `sending 11 requests to plain, 8 at a time and 1000 a second, as the run that its report names (run.id); up to 1 may create or change data; each has a text starting with "conformance" for easy clean-up`)
	})
	t.Run("a variable with one target", func(t *testing.T) {
		serve(t, plantStore())
		conformance(t, "run", "--targets", "targets.yaml", "--quiet", "--only", "createPlant/missing-required").wants(t, exitNonconformant, "4 targets: ")
		t.Setenv("CONFORMANCE_TARGETS", "targets.yaml")
		conformance(t, "run", "--quiet").wants(t, exitUsage, "CONFORMANCE_TARGETS and CONFORMANCE_BASE_URL exclude each other")
		conformance(t, "run", "--base-url", os.Getenv("CONFORMANCE_BASE_URL"), "--quiet").wants(t, exitConformant, "conformant: all 135")
	})
}

// The worst verdict is the exit code.
func TestTargetsExitCode(t *testing.T) {
	handlers := map[string]http.HandlerFunc{"good": plantStore(), "bad": acceptEverything, "dead": nil}
	for _, row := range []struct {
		names string
		code  int
		last  string
	}{
		{"good", exitConformant, "1 target: 1 conformant"},
		{"good good2", exitConformant, "2 targets: 2 conformant"},
		{"good dead", exitInconclusive, "2 targets: 1 conformant, 1 inconclusive"},
		{"dead bad", exitNonconformant, "2 targets: 1 nonconformant, 1 inconclusive"},
		{"bad good", exitNonconformant, "2 targets: 1 conformant, 1 nonconformant"},
	} {
		t.Run(row.names, func(t *testing.T) {
			var list []listed
			for name := range strings.FieldsSeq(row.names) {
				list = append(list, listed{name, handlers[strings.Trim(name, "2")], nil})
			}
			layOutTargets(t, list...)
			result := conformance(t, "run", "--targets", "targets.yaml", "--only", "createPlant/missing-required", "--only", "createPlant/valid")
			result.wants(t, row.code)
			if lines := strings.Split(strings.TrimSpace(result.out), "\n"); lines[len(lines)-1] != row.last {
				t.Errorf("the last line is %q", lines[len(lines)-1])
			}
		})
	}
}

// Each target gets its credential and headers, and is judged by its waivers.
func TestTargetsOfTheirOwn(t *testing.T) {
	needsLong(t, "runs several targets")
	headers := make([]sync.Map, 3) // the header fields of the requests to each
	store := func(i int, token, name string) http.HandlerFunc {
		options := reference.Options{Tokens: []string{token}}
		for _, d := range reference.Deviations() {
			if d.Name == name {
				options.Deviation = d
			}
		}
		handler := reference.New(options)
		return func(w http.ResponseWriter, r *http.Request) {
			headers[i].Store(r.Header.Get("X-Team"), true)
			handler.ServeHTTP(w, r)
		}
	}
	t.Setenv("SECOND_TOKEN", "second-token")
	layOutTargets(t,
		listed{"first", store(0, testToken, ""), nil},
		listed{"second", store(1, "second-token", ""), []string{"token-variable: SECOND_TOKEN", "header: 'X-Team: two'"}},
		listed{"third", store(2, "third-token", "fails-without-name"), []string{"token-file: third", "header: []", "waivers: waivers.yaml"}},
	)
	write(t, "third", "third-token")
	write(t, "waivers.yaml", "- {match: createPlant/answers, reason: known, owner: us}\n")
	result := conformance(t, "run", "--targets", "targets.yaml", "--header", "X-Team: all", "--report", "json=reports/{target}.json")
	result.wants(t, exitConformant, "C  third   conformant     135 fixtures: 128 passed, 7 waived")
	for i, want := range []string{"all", "two", ""} {
		var got []string
		headers[i].Range(func(value, _ any) bool {
			got = append(got, fmt.Sprint(value))
			return true
		})
		if !slices.Equal(got, []string{want}) {
			t.Errorf("target %d was sent %q, want %q", i+1, got, want)
		}
	}
	for _, name := range filesIn(t, "reports") {
		if text := string(readFile(t, "reports/"+name)); regexp.MustCompile(testToken + `|second-token|third-token`).MatchString(text) {
			t.Errorf("there is a credential in %s", name)
		}
	}
}

// A target that hangs uses only its share of the limit: the first of three targets answers nothing
// until the others are done. Its line is still the first.
func TestTargetsThatHang(t *testing.T) {
	others := make(chan struct{})
	var judged sync.WaitGroup
	judged.Add(2)
	go func() { judged.Wait(); close(others) }()
	last := func() http.HandlerFunc {
		store := plantStore()
		var once sync.Once
		return func(w http.ResponseWriter, r *http.Request) {
			store(w, r)
			once.Do(judged.Done)
		}
	}
	store := plantStore()
	layOutTargets(t,
		listed{"hangs", func(w http.ResponseWriter, r *http.Request) {
			<-others
			store(w, r)
		}, nil},
		listed{"second", last(), nil}, listed{"third", last(), nil})
	result := conformance(t, "run", "--targets", "targets.yaml", "--concurrency", "2", "--only", "createPlant/valid/plain")
	result.wants(t, exitConformant)
	if !regexp.MustCompile(`(?s)A  hangs .*\nB  second .*\nC  third `).MatchString(result.out) {
		t.Errorf("the lines are not in the order of the list: %s", result.out)
	}
}

// The limit is for all targets, and each has a share of it.
func TestTargetsShareTheBound(t *testing.T) {
	for _, row := range []struct{ bound, targets int }{{1, 3}, {3, 2}, {2, 3}, {4, 1}} {
		if !long && row.bound != 2 {
			continue
		}
		t.Run(fmt.Sprintf("%d for %d", row.bound, row.targets), func(t *testing.T) {
			var mu sync.Mutex
			all, most := 0, 0
			count := func(change int) {
				mu.Lock()
				defer mu.Unlock()
				all += change
				most = max(most, all)
			}
			var list []listed
			for i := range row.targets {
				list = append(list, listed{fmt.Sprint("t", i), counted(plantStore(), count), nil})
			}
			layOutTargets(t, list...)
			conformance(t, "run", "--targets", "targets.yaml", "--concurrency", fmt.Sprint(row.bound), "--quiet").wants(t, exitConformant)
			if most > row.bound {
				t.Errorf("%d requests at a time, want %d at most", most, row.bound)
			}
		})
	}
}

// Running targets get the shares of those that have ended: the last target answers nothing until it
// has two concurrent requests.
func TestTargetsTakeOverShares(t *testing.T) {
	var asked atomic.Int64
	twice := make(chan struct{})
	layOutTargets(t, listed{"done", plantStore(), nil}, listed{"left", func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 2 {
			close(twice)
		}
		select {
		case <-twice:
			plantStore()(w, r)
		case <-r.Context().Done():
		}
	}, nil})
	conformance(t, "run", "--targets", "targets.yaml", "--concurrency", "2").wants(t, exitConformant, "2 targets: 2 conformant")
}

// An interrupt ends all runs. Finished reports are complete, the others say that they are not.
func TestTargetsInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	layOutTargets(t,
		listed{"done", plantStore(), nil},
		listed{"interrupted", func(http.ResponseWriter, *http.Request) {
			interrupt()
			<-t.Context().Done()
		}, nil},
		listed{"never", untouched(t), nil})
	var out, stderr bytes.Buffer
	code := execute(ctx, []string{"conformance", "run", "--targets", "targets.yaml", "--concurrency", "1", "--report", "json=reports/{target}.json", "--report", "ndjson=reports/{target}.ndjson"},
		output.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr})
	outcome{code, out.String(), stderr.String()}.wants(t, exitInconclusive, "3 targets: 1 conformant, 2 inconclusive",
		"B  interrupted  inconclusive\n   the run was interrupted when 0 of 135 fixtures were judged\nC  never        inconclusive\n   the run was interrupted when 0 of")
	for name, want := range map[string]string{"done": "true conformant", "interrupted": "false inconclusive", "never": "false inconclusive"} {
		r := readReport(t, readFile(t, "reports/"+name+".json"))
		if got := fmt.Sprint(r.Run.Complete, " ", r.Verdict); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if files := filesIn(t, "reports"); len(files) != 6 {
		t.Errorf("the files are %v", files)
	}
}

// A shard has every nth target, with all fixtures.
func TestTargetsInShards(t *testing.T) {
	var list []listed
	for i := range 5 {
		list = append(list, listed{fmt.Sprint("t", i+1), plantStore(), nil})
	}
	layOutTargets(t, list...)
	for shard, want := range map[string][]string{"1/2": {"t1.json", "t3.json", "t5.json"}, "2/2": {"t2.json", "t4.json"}, "index:1/2": {"t2.json", "t4.json"}, "index:4/5": {"t5.json"}} {
		if !long && shard != "2/2" {
			continue
		}
		t.Run(shard, func(t *testing.T) {
			conformance(t, "run", "--targets", "targets.yaml", "--shard", shard, "--report", "json=reports/{target}.json", "--quiet").wants(t, exitConformant)
			if got := filesIn(t, "reports"); !slices.Equal(got, want) {
				t.Errorf("it made %v, want %v", got, want)
			}
			for _, name := range want {
				if r := readReport(t, readFile(t, "reports/"+name)); r.Counts.Fixtures != 135 || r.Run.Shard != nil {
					t.Errorf("%s is of %d fixtures, shard %v", name, r.Counts.Fixtures, r.Run.Shard)
				}
				_ = os.Remove("reports/" + name)
			}
		})
	}
}

// A report that cannot be written makes the result inconclusive, but does not stop the other
// targets.
func TestTargetsWhoseReportIsLost(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	layOutTargets(t, listed{"first", plantStore(), nil}, listed{"second", plantStore(), nil})
	if err := os.Symlink("/dev/full", "reports/first.json"); err != nil {
		t.Fatal(err)
	}
	result := conformance(t, "run", "--targets", "targets.yaml", "--report", "json=reports/{target}.json", "--only", "createPlant/valid")
	result.wants(t, exitInconclusive, "conformance: report path reports/first.json cannot be written", "2 targets: 2 conformant")
	readReport(t, readFile(t, "reports/second.json"))
}

// A report that cannot be opened during the run is not wrong usage, because requests were sent.
func TestTargetsWhoseReportCannotBeBegun(t *testing.T) {
	var once sync.Once
	layOutTargets(t, listed{"first", func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() {
			if err := os.Rename("reports", "elsewhere"); err != nil {
				t.Error(err)
			}
			write(t, "reports", "a file") // otherwise the folder would be created again
		})
		plantStore()(w, r)
	}, nil}, listed{"second", plantStore(), nil})
	result := conformance(t, "run", "--targets", "targets.yaml", "--report", "ndjson=reports/{target}.ndjson", "--only", "createPlant/valid", "--concurrency", "1")
	result.wants(t, exitInconclusive, "--report: reports/second.ndjson cannot be written", "2 targets: 2 conformant")
}
