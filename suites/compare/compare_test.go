package compare_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/report/console"
)

// The outcome of a comparison of two runs of one implementation.
func TestChange(t *testing.T) {
	good := func() run { return runOf("greenhouse", "1.0") }
	later := func() run { return runOf("greenhouse", "1.1") }
	for _, row := range []struct {
		what          string
		before, after run
		outcome       compare.Outcome
		tells         []string // see told
	}{
		{"the same", good(), later(), compare.NoRegression, nil},
		{"newly broken", good(), later().breaks("valid/plain", "200/body"), compare.Regression, []string{"worse violation 200/body valid/plain"}},
		{"broken in one fixture more", good().breaks("valid/plain", "200/body"), later().breaks("valid/plain", "200/body").breaks("valid/tag", "200/body"),
			compare.Regression, []string{"worse violation 200/body valid/tag"}},
		{"still broken", good().breaks("valid/plain", "200/body"), later().breaks("valid/plain", "200/body"), compare.NoRegression, nil},
		{"broken in another way", good().breaks("valid/plain", "200/body"), later().breaks("valid/plain", "answers"),
			compare.Regression, []string{"worse violation answers valid/plain", "better violation 200/body valid/plain"}},
		{"mended", good().breaks("valid/plain", "200/body"), later(), compare.NoRegression, []string{"better violation 200/body valid/plain"}},
		{"newly warned", good(), later().finds("valid/plain", "warning", "200/echo", "differs"), compare.NoRegression, []string{"worse warning 200/echo valid/plain"}},
		{"an answer moved", good(), later().answers("boundary/id-zero", "422 application/json"), compare.NoRegression,
			[]string{"moved boundary/id-zero 200 application/json > 422 application/json"}},
		{"an answer moved to a status that is not declared", good(), later().answers("wrong-type/name", "422"), compare.NoRegression,
			[]string{"moved wrong-type/name 400 application/json > 422"}},
		{"an answer in other words", good(), later().answers("boundary/id-zero", "200 Application/JSON; charset=utf-8"), compare.NoRegression, nil},
		{"a fixture less", good(), later().without("missing-required/name"), compare.NoRegression, []string{"gap not in B: missing-required/name"}},
		{"a fixture that could not be derived", good(), later().without("missing-required/name").withGap("the path has an id"), compare.NoRegression,
			[]string{"gap not derived (the path has an id) in B: missing-required/name"}},
		{"a fixture more, which fails", good().without("valid/tag"), later().breaks("valid/tag", "200/body"), compare.NoRegression,
			[]string{"found violation 200/body valid/tag", "gap not in A: valid/tag"}},
		{"a clause without its fixtures", good(), later().without("missing-required/name", "wrong-type/name"), compare.NoRegression,
			[]string{"lost 400/body/error passed > vacuous", "lost request/body/name passed > unexercised", "gap not in B: missing-required/name wrong-type/name"}},
		{"unjudged now", good(), later().unjudged("valid/tag"), compare.Inconclusive, []string{"gap unjudged in B: valid/tag"}},
		{"unjudged now, and broken elsewhere", good(), later().unjudged("valid/tag").breaks("valid/plain", "200/body"), compare.Regression,
			[]string{"worse violation 200/body valid/plain", "gap unjudged in B: valid/tag"}},
		{"excused now", good(), later().excused("wrong-type/name", "boundary/id-zero"), compare.NoRegression,
			[]string{"moved boundary/id-zero 200 application/json > 422 application/json", "gap skipped in B: wrong-type/name"}},
		{"excused before, broken now", good().excused("wrong-type/name", "boundary/id-zero"), later().breaks("wrong-type/name", "request/body/name"), compare.NoRegression,
			[]string{"found violation request/body/name wrong-type/name", "moved boundary/id-zero 422 application/json > 200 application/json", "gap skipped in A: wrong-type/name"}},
		{"unjudged before", good().unjudged("valid/tag"), later(), compare.NoRegression, []string{"gap unjudged in A: valid/tag"}},
		{"unjudged before, broken now", good().unjudged("valid/tag"), later().breaks("valid/tag", "200/body"), compare.NoRegression,
			[]string{"found violation 200/body valid/tag", "gap unjudged in A: valid/tag"}},
		{"cut off", good(), cutOff(later()), compare.Inconclusive, nil},
		{"newly broken and waived", good(), later().breaks("valid/plain", "200/body").waived("createPlant/valid/plain"), compare.NoRegression,
			[]string{"moved clause 200/body passed > waived"}},
		{"waived no longer", good().breaks("valid/plain", "200/body").waived("createPlant/valid/plain"), later().breaks("valid/plain", "200/body"), compare.NoRegression,
			[]string{"moved clause 200/body waived > failed"}},
		{"nothing in common", good().without("valid/plain", "valid/tag", "wrong-type/name", "boundary/id-zero", "boundary/id-negative"), later().without("missing-required/name"),
			compare.Inconclusive, nil},
	} {
		t.Run(row.what, func(t *testing.T) {
			c := compared(t, row.before, row.after)
			if c.Kind != compare.Since || c.Outcome != row.outcome || c.Reason == "" {
				t.Errorf("it is a %s and comes to %s (%s), want %s", c.Kind, c.Outcome, c.Reason, row.outcome)
			}
			if got := told(c); row.tells != nil && !slices.Equal(got, row.tells) {
				t.Errorf("it tells\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(row.tells, "\n"))
			} else if row.tells == nil && row.outcome == compare.NoRegression && len(got) > 0 {
				t.Errorf("it tells %q of nothing", got)
			}
		})
	}
}

func cutOff(r run) run {
	r.Run.Complete = false
	return r
}

// told returns a comparison in a few words.
func told(c compare.Comparison) []string {
	var list []string
	say := func(format string, args ...any) {
		list = append(list, strings.ReplaceAll(fmt.Sprintf(format, args...), "createPlant/", ""))
	}
	for _, s := range c.Change.Worse {
		say("worse %s %s %s", s.Severity, s.Clause, strings.Join(s.Fixtures, " "))
	}
	for _, s := range c.Change.Better {
		say("better %s %s %s", s.Severity, s.Clause, strings.Join(s.Fixtures, " "))
	}
	for _, s := range c.Change.Uncompared {
		say("found %s %s %s", s.Severity, s.Clause, strings.Join(s.Fixtures, " "))
	}
	var lost []string
	for _, m := range c.Change.Untested {
		lost = append(lost, fmt.Sprintf("lost %s %s > %s", m.Clause, m.Before, m.After))
	}
	slices.Sort(lost)
	for _, text := range lost {
		say("%s", text)
	}
	for _, m := range c.Change.StatusChanged {
		say("moved clause %s %s > %s", m.Clause, m.Before, m.After)
	}
	for _, s := range c.Silences {
		for _, d := range s.Differences {
			say("moved %s %s", d.Fixture, strings.Join(d.Answers, " > "))
		}
	}
	for _, g := range c.NotCompared {
		say("gap %s: %s", g.Reason, strings.Join(g.Fixtures, " "))
	}
	return list
}

// Which two runs belong to the same implementation.
func TestKind(t *testing.T) {
	at := func(url string, r run) run {
		r.Target.BaseURL = url
		return r
	}
	named := func(name, id string) run {
		r := runOf(name, "")
		r.Run.ID = id
		return r
	}
	for _, row := range []struct {
		what string
		runs []run
		want compare.Kind
	}{
		{"one name, two versions", []run{runOf("a", "1"), runOf("a", "2")}, compare.Since},
		{"one name, two addresses", []run{runOf("a", "1"), at("http://other.example", named("a", "x"))}, compare.Since},
		{"no names, one address", []run{named("", "x"), named("", "y")}, compare.Since},
		{"no names, two addresses", []run{named("", "x"), at("http://other.example", named("", "y"))}, compare.Implementations},
		{"two names, one address", []run{runOf("a", "1"), runOf("b", "1")}, compare.Implementations},
		{"one of them has no name", []run{runOf("a", "1"), named("", "x")}, compare.Implementations},
		{"three of one name", []run{runOf("a", "1"), runOf("a", "2"), runOf("a", "3")}, compare.Implementations},
	} {
		t.Run(row.what, func(t *testing.T) {
			if got := compared(t, row.runs...).Kind; got != row.want {
				t.Errorf("it is %s, want %s", got, row.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	again := runOf("a", "1")
	again.Run.ID = "again"
	nameless := runOf("", "")
	unknown := runOf("", "x")
	unknown.Target.BaseURL = ""
	var got []string
	for _, c := range compared(t, runOf("a", "1"), again, runOf("a", "2"), nameless, unknown).Columns {
		got = append(got, c.Key+" "+c.Name)
	}
	want := []string{"A a 1, a.json", "B a 1, b.json", "C a 2", "D http://127.0.0.1:8080", "E e.json"}
	if !slices.Equal(got, want) {
		t.Errorf("the columns are %q, want %q", got, want)
	}
}

// Keys continue after Z, and each key is unique.
func TestKeys(t *testing.T) {
	var runs []run
	for i := range 60 {
		runs = append(runs, runOf(fmt.Sprintf("n%d", i), ""))
	}
	columns := compared(t, runs...).Columns
	for i, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA"} {
		if columns[i].Key != want {
			t.Errorf("column %d is %s, want %s", i, columns[i].Key, want)
		}
	}
}

// Implementations are compared side by side, and a difference is not a fault.
func TestImplementations(t *testing.T) {
	c := all(t)["implementations"]
	if c.Outcome != compare.Compared || c.Change != nil || c.Compared != 6 {
		t.Errorf("it comes to %s over %d fixtures", c.Outcome, c.Compared)
	}
	var differ []string
	for _, row := range c.Clauses {
		if !row.Same {
			text := string(row.ID)
			for _, cell := range row.Cells {
				text += fmt.Sprintf(" %s/%d", cell.Status, cell.Findings)
			}
			differ = append(differ, text)
		}
	}
	if want := []string{"createPlant/400/body/error passed/0 failed/1 passed/0"}; !slices.Equal(differ, want) {
		t.Errorf("different are %q, want %q", differ, want)
	}
	bounds := c.Silences[0]
	if bounds.Fixtures != 2 || len(bounds.Differences) != 1 ||
		!slices.Equal(bounds.Differences[0].Answers, []string{"200 application/json", "400 text/plain", "400 application/json"}) {
		t.Errorf("the answers are %+v", bounds)
	}
}

// A report that judged nothing does not affect the others. If a report lacks a fixture, only its
// own column shows this.
func TestBlank(t *testing.T) {
	down := runOf("down", "")
	for _, result := range down.Results {
		down = down.unjudged(strings.TrimPrefix(result.Fixture, "createPlant/"))
	}
	c := compared(t, runOf("a", "").breaks("valid/plain", "200/body"), runOf("b", "").answers("boundary/id-zero", "422"), down, runOf("d", "").unjudged("boundary/id-zero"))
	if c.Compared != 6 {
		t.Errorf("%d fixtures are compared", c.Compared)
	}
	for i, column := range c.Columns {
		if column.Blank != (i == 2) {
			t.Errorf("column %s is blank: %v", column.Key, column.Blank)
		}
	}
	differ := 0
	for _, row := range c.Clauses {
		if !row.Same {
			differ++
		}
	}
	if differ != 1 {
		t.Errorf("%d clauses differ", differ)
	}
	if got := c.NotCompared; len(got) != 1 || got[0].Reason != "unjudged in D" {
		t.Errorf("not judged by all: %+v", got)
	}
	if got, want := c.Silences[0].Differences[0].Answers, []string{"200 application/json", "422", "", ""}; !slices.Equal(got, want) {
		t.Errorf("the answers are %q, want %q", got, want)
	}
	text := string(reporttest.Written(t, compare.Console{Detail: console.Normal}.Write, c))
	for _, want := range []string{" ✗1   ✓   -   ✓\n", " 200  422    -    -\n", "\n? nothing was judged in C\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

func TestNothingInCommon(t *testing.T) {
	a, b := runOf("a", ""), runOf("b", "")
	for _, result := range a.Results {
		b = b.unjudged(strings.TrimPrefix(result.Fixture, "createPlant/"))
	}
	c := compared(t, a, b)
	if c.Outcome != compare.Inconclusive || c.Compared != 0 || len(c.Silences) != 0 {
		t.Errorf("it comes to %s over %d fixtures", c.Outcome, c.Compared)
	}
}

func TestRefused(t *testing.T) {
	other := runOf("b", "")
	other.Contract.SHA256 = strings.Repeat("f", 64)
	strict := runOf("b", "")
	strict.Run.Strict = true
	for _, row := range []struct {
		what string
		runs []run
		says string
	}{
		{"none", nil, "the reports cannot be compared: give at least two reports"},
		{"one", []run{runOf("a", "")}, "the reports cannot be compared: give at least two reports"},
		{"different contracts", []run{runOf("a", ""), other}, "the reports cannot be compared: a.json was judged by Plant Store 1.0.0 (sha256 0123456789ab) and b.json by Plant Store 1.0.0 (sha256 ffffffffffff); compare reports by the same contract"},
		{"one run twice", []run{runOf("a", ""), runOf("b", ""), runOf("a", "")}, "the reports cannot be compared: a.json and c.json are the same run"},
		{"strict and not", []run{runOf("a", ""), strict}, "the reports cannot be compared: one of a.json and b.json was judged with --strict and the other was not; judge both in the same way"},
	} {
		t.Run(row.what, func(t *testing.T) {
			_, err := compare.New(sources(row.runs...))
			if !errors.Is(err, compare.ErrInput) || err.Error() != row.says {
				t.Errorf("it says %v, want %s", err, row.says)
			}
		})
	}
}
