package compare_test

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/result"
)

func TestConsole(t *testing.T) {
	for name, c := range all(t) {
		t.Run(name, func(t *testing.T) {
			reporttest.Golden(t, "console/"+name+".txt", reporttest.Written(t, compare.Console{Detail: console.Normal}.Write, c))
			reporttest.Golden(t, "console/"+name+"-verbose.txt", reporttest.Written(t, compare.Console{Detail: console.Verbose}.Write, c))
		})
	}
	t.Run("colour", func(t *testing.T) {
		plain := string(reporttest.Written(t, compare.Console{Detail: console.Verbose}.Write, all(t)["change"]))
		colored := string(reporttest.Written(t, compare.Console{Detail: console.Verbose, Color: true}.Write, all(t)["change"]))
		if got := regexp.MustCompile("\x1b\\[[0-9]+m").ReplaceAllString(colored, ""); colored == plain || got != plain {
			t.Errorf("colour adds more than colour:\n%s", colored)
		}
	})
	t.Run("quiet", func(t *testing.T) {
		if got := string(reporttest.Written(t, compare.Console{Detail: console.Quiet}.Write, all(t)["alike"])); got != "compared: 2 implementations side by side, 6 fixtures\n" {
			t.Errorf("it says %q", got)
		}
	})
}

// A place in the document is shown with its line, as in a run.
func TestConsoleNamesLines(t *testing.T) {
	runs := []run{runOf("a", "").breaks("valid/plain", "200/body").answers("boundary/id-zero", "400 text/plain"), runOf("b", "")}
	for _, r := range runs {
		for i := range r.Clauses {
			r.Clauses[i].Section, r.Clauses[i].Source = "#/paths/~1plants/post (line 7)", "specs/plants.yaml:7"
		}
	}
	text := string(reporttest.Written(t, compare.Console{Detail: console.Normal}.Write, compared(t, runs...)))
	for _, want := range []string{"createPlant/200/body (must, plants.yaml:7)", "createPlant/silent/field-bounds (plants.yaml:7)"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

// Six implementations fit a terminal.
func TestConsoleWidth(t *testing.T) {
	var runs []run
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		runs = append(runs, runOf(name, "1.0").breaks("valid/plain", "200/body").answers("boundary/id-zero", "4"+string(name[0]-'a'+'0')+"0 text/plain"))
	}
	checkWidth(t, compared(t, runs...))
}

// If there are too many columns for a terminal, it lists them, and HTML shows the matrix.
func TestConsoleOfManyColumns(t *testing.T) {
	var runs []run
	for i := range 200 {
		r := runOf(fmt.Sprintf("shop %d", i), "")
		if i%2 == 0 {
			r = r.breaks("valid/plain", "200/body").answers("boundary/id-zero", "400 text/plain").unjudged("boundary/id-negative")
		}
		r.Harness.Version = []string{"v1", "v2", "v3"}[i%3]
		runs = append(runs, r)
	}
	c := compared(t, runs...)
	checkWidth(t, c)
	if text := string(reporttest.Written(t, compare.Console{Detail: console.Normal}.Write, c)); !strings.Contains(text, "\n200 columns do not fit a terminal; HTML shows the matrix\n") {
		t.Error(text)
	}
}

func checkWidth(t *testing.T, c compare.Comparison) {
	t.Helper()
	for line := range strings.Lines(string(reporttest.Written(t, compare.Console{Detail: console.Verbose}.Write, c))) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// No text in a report can control the terminal.
func TestConsoleIsHarmless(t *testing.T) {
	for _, r := range string(reporttest.Written(t, compare.Console{Detail: console.Verbose}.Write, hostile(t))) {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Fatalf("there is %U in it", r)
		}
	}
}

func TestHTML(t *testing.T) {
	for name, c := range all(t) {
		t.Run(name, func(t *testing.T) {
			text := string(reporttest.Written(t, compare.WriteHTML, c))
			checkPage(t, text)
			// Golden files do not contain the style.
			reporttest.Golden(t, "html/"+name+".html", regexp.MustCompile(`(?s)<style>.*?</style>|sha256-[^ ]+`).ReplaceAll([]byte(text), nil))
		})
	}
}

// No text in a comparison can add invisible characters or markup to the page.
func TestHTMLOfHostileTexts(t *testing.T) {
	reporttest.EachHostile(t, func(t *testing.T, text string, _ result.Report) {
		text = text[:min(len(text), 1<<10)]
		var c compare.Comparison
		reporttest.Fill(&c, 2, text, 1)
		c.Change = &compare.Change{}
		reporttest.Fill(c.Change, 2, text, 1)
		c.Outcome, c.Columns[0].Key, c.Columns[1].Key = compare.Compared, "A", "B" // these are not text from other sources
		page := string(reporttest.Written(t, compare.WriteHTML, c))
		reporttest.Harmless(t, "the page", page)
		if strings.Contains(page, "<script") || strings.Contains(page, "<img") {
			t.Error("there is markup of others in it")
		}
	})
}

// checkPage checks that a page needs no other files, can run nothing, and shows text from other
// sources as text.
func checkPage(t *testing.T, text string) {
	t.Helper()
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(text)[1]
	sum := sha256.Sum256([]byte(style))
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)[1]
	policy = strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy)
	if want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"; policy != want {
		t.Errorf("the policy is %s, want %s", policy, want)
	}
	for _, wrong := range []string{"<script", "<img", "<link", " src=", " href=", " style=", "url(", "@import", "ZgotmplZ", "\x1b", "\u202e", "\x00"} {
		if strings.Contains(text, wrong) {
			t.Errorf("there is %q in it", wrong)
		}
	}
}

func TestWritersTellWhatFailed(t *testing.T) {
	c := all(t)["alike"]
	for name, err := range map[string]error{
		"json":    compare.WriteJSON(reporttest.Full{}, c),
		"html":    compare.WriteHTML(reporttest.Full{}, c),
		"console": compare.Console{}.Write(reporttest.Full{}, c),
	} {
		if !errors.Is(err, reporttest.ErrFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
