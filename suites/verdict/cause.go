package verdict

import (
	"fmt"
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
)

// Cause identifies a fault of a service: findings with equal causes are one
// fault, however many fixtures found it.
type Cause struct {
	Clause  string
	Place   string // in the response body; of a request that was let through, the kind of request
	Message string // without what it quotes
	Status  int    // of the response; 0 if there is none
	Answer  string // of a server error, see [judge.ServerError]
}

// CauseOf gives the cause of a finding.
func CauseOf(o judge.Outcome, f judge.Finding) Cause {
	c := Cause{Clause: string(f.Clause), Place: placeOf(f), Message: quoted.ReplaceAllString(f.Message, ""), Status: o.Answer}
	if f.Clause.IsAnswers() {
		c.Answer = o.ServerError
	} else if fixture := blamed(o, f); fixture != "" {
		steps := strings.Split(path.Dir(fixture), "/")
		c.Place = strings.Join(steps[:min(len(steps), 2)], "/") //nolint:mnd // operation/group
	}
	return c
}

// blamed is the fixture with the request that a finding is about; "" if it is about the response.
func blamed(o judge.Outcome, f judge.Finding) string {
	switch id := f.Clause; {
	case o.Beside != "" && (id.OnRequest() || id.IsAccepts()):
		return o.Beside
	case id.IsAccepts() && o.Answer < http.StatusBadRequest: // an undeclared success, whatever the request is
	case f.Clause == o.Clause:
		return o.Fixture
	}
	return ""
}

// FaultOf identifies what a person would repair at once. Causes that differ only in the
// operation, or in statuses of one class, are one fault, and so is what follows from
// another finding of the exchange.
func FaultOf(o judge.Outcome, f judge.Finding) Cause {
	f = Origin(o, f)
	c := CauseOf(o, f)
	id := f.Clause
	c.Clause, c.Status = id.Part(), c.Status/100
	if status := id.Status(); status != "" {
		c.Clause = status[:1] + strings.TrimPrefix(c.Clause, status)
	}
	if f.Message == judge.SaysNo {
		return Cause{Clause: "request", Message: judge.SaysNo, Status: c.Status}
	}
	switch isEcho := id.IsEcho(); {
	case isEcho && strings.HasPrefix(f.Message, "is shown"):
		c.Place = "" // what a service adds, it adds at once
	case isEcho && strings.HasPrefix(f.Message, "is missing"):
		c.Place = id.Operation() // which leaves out all of it at once
	}
	_, kind, isKind := strings.Cut(c.Place, "/")
	if isKind && blamed(o, f) != "" {
		c.Place = kind
		if wrong, lenient := wrongKind(o, kind); lenient {
			c.Clause, c.Place = strings.Join(strings.SplitN(c.Clause, "/", 3)[:2], "/"), wrong //nolint:mnd // request/body
		}
	}
	return c
}

// Faults joins what [FaultOf] tells apart: first all causes are added, then each has its fault.
type Faults struct {
	shared  map[spec.ClauseID]string // by clause, the place of the schema that states it
	accepts map[string]bool          // by operation, whether it declares how it accepts, apart from by default
	joined  map[Cause]Cause
	crashes map[Cause]*crashes // by what they have in common
}

// crashes are the server errors of one operation with one status.
type crashes struct {
	answers int
	texts   map[Cause]bool
}

// NewFaults has no causes yet, but the clauses of the contract.
func NewFaults(clauses []Clause) *Faults {
	g := &Faults{map[spec.ClauseID]string{}, map[string]bool{}, map[Cause]Cause{}, map[Cause]*crashes{}}
	for _, c := range clauses {
		if strings.HasPrefix(c.ID.Status(), "2") {
			g.accepts[c.ID.Operation()] = true
		}
		isShared := strings.HasPrefix(c.Section, "#/") && !strings.HasPrefix(c.Section, "#/paths/")
		if isShared && c.ID.OnResponseValue() {
			g.shared[c.ID] = c.Section
		}
	}
	return g
}

// Add takes in a cause of findings of that clause, by what FaultOf gives for it, and how often
// it was found. One that follows from another need not be added.
//
// A schema that several operations share is broken once, wherever it is in their responses. A
// success that only the default response declares may lack all of its properties: the fault is its status.
// And where nearly each server error has its own text, the texts do not tell crashes apart.
func (g *Faults) Add(fault Cause, clause spec.ClauseID, times int) {
	if section := g.shared[clause]; section != "" {
		g.join(fault, Cause{Clause: section, Message: fault.Message, Status: fault.Status})
	}
	if op := clause.Operation(); fault.Status == 2 && clause.Status() == "default" && clause.OnResponseValue() && g.accepts[op] {
		g.join(fault, Cause{Clause: op + "/default", Status: fault.Status})
	}
	if fault.Answer == "" {
		return
	}
	one := Cause{Clause: string(clause), Message: fault.Message, Status: fault.Status}
	if g.crashes[one] == nil {
		g.crashes[one] = &crashes{texts: map[Cause]bool{}}
	}
	all := g.crashes[one]
	all.answers, all.texts[fault] = all.answers+times, true
}

// Of is the fault of a cause, the same for all that are one.
func (g *Faults) Of(fault Cause) Cause {
	const few = 3 // texts, which may be of as many crashes
	for one, all := range g.crashes {
		if len(all.texts) > few && 2*len(all.texts) > all.answers {
			for text := range all.texts {
				g.join(text, one)
			}
		}
		delete(g.crashes, one)
	}
	return g.root(fault)
}

func (g *Faults) root(fault Cause) Cause {
	for other, isJoined := g.joined[fault]; isJoined; other, isJoined = g.joined[fault] {
		fault = other
	}
	return fault
}

func (g *Faults) join(a, b Cause) {
	if a, b = g.root(a), g.root(b); a != b {
		g.joined[a] = b
	}
}

// wrongKind is the kind of value that a derived request has in place of another. A reader
// that takes numbers for texts, or null for what is absent, or texts of any length, does
// so everywhere.
func wrongKind(o judge.Outcome, kind string) (wrong string, ok bool) {
	base, _, _ := strings.Cut(strings.TrimSuffix(path.Base(o.Fixture), ".known"), ".times.") // sent again, or with a known id
	switch {
	case !o.Derived || !o.Clause.OnRequest() || strings.Count(o.Clause.Part(), "/") < 2: //nolint:mnd // request/body/property
		return "", false
	case kind == "null", kind == "maxLength":
		return kind + " in it", true
	case kind == "wrong-type" && strings.HasSuffix(base, "-null"):
		return "null in it", true
	case kind == "wrong-type":
		return "type/number", true // zero stands for them all in a table of wrong values
	case kind == "type":
		base, _, _ = strings.Cut(base[strings.LastIndexByte(base, '.')+1:], "-")
		return kind + "/" + base, true
	}
	return "", false
}

// Origin is the finding that another one of the same exchange follows from: an error
// page that is not JSON is told as a page of another media type, and both as the failure
// of the service if its status says so. It is the finding itself if there is no other.
func Origin(o judge.Outcome, f judge.Finding) judge.Finding {
	id := f.Clause
	status := id.Status()
	if status == "" {
		return f
	}
	for _, other := range o.Findings {
		part := other.Clause.Part()
		switch {
		case other.Kind() != f.Kind() || other.Clause == f.Clause:
		case part == "answers" && o.ServerError != "" && (status[0] == '5' || status == "default"), // and not of a request sent with it
			part == status+"/media-type" && id.Part() == status+"/body" && f.Pointer == "":
			return Origin(o, other)
		}
	}
	return f
}

// quoted is what a message cites from the answer: the text in quotes, and the
// details after the colon.
var quoted = regexp.MustCompile(`"[^"]*"|: .*`)

// placeOf is the place of a finding, the same for all items of a list and all values of a map. The
// undeclared properties of an object share the place of the object.
func placeOf(f judge.Finding) string {
	at, id := f.Pointer, f.Clause
	if id.IsUndeclared() {
		at = at[:max(0, strings.LastIndexByte(at, '/'))]
	}
	steps := strings.Split(at, "/")
	_, within, onBody := strings.Cut(id.Part(), "/body")
	stated := strings.Split(within, "/")
	for i, step := range steps {
		_, err := strconv.Atoi(step)
		// What a schema lists has a clause, and a value of a map may have none.
		isValue := onBody && i > 0 && (i < len(stated) && stated[i] == "*" || i == len(stated) && i == len(steps)-1 && f.Message != "is missing")
		if err == nil || isValue {
			steps[i] = "*"
		}
	}
	return strings.Join(steps, "/")
}

// faults counts what a nonconformant run found: "breaks 10 of 15 clauses (11
// faults; 96 of 129 fixtures)". It is empty if there is no violation, or all
// are waived. The clauses counted are the must-clauses, and others that a
// violation was found of.
func (s Summary) faults() string {
	causes := map[Cause]bool{}
	broken := map[spec.ClauseID]bool{}
	faults := NewFaults(s.Clauses)
	failed := 0
	for _, o := range s.Outcomes {
		if o.Status == judge.Failed {
			failed++
		}
		for _, f := range o.Findings {
			if f.Severity == judge.Violation && f.Waived == "" {
				causes[FaultOf(o, f)], broken[f.Clause] = true, true
				if Origin(o, f).Clause == f.Clause {
					faults.Add(FaultOf(o, f), f.Clause, 1)
				}
			}
		}
	}
	if len(causes) == 0 {
		return ""
	}
	isWhole := func(c Clause) bool { return c.Level == spec.Must && !broken[c.ID] }
	clauses := len(broken) + lists.Count(s.Clauses, isWhole)
	distinct := lists.Set(slices.Collect(maps.Keys(causes)), faults.Of)
	return fmt.Sprintf("breaks %d of %s (%s; %d of %s)",
		len(broken), judge.Number(clauses, "clause"), judge.Number(len(distinct), "fault"), failed, judge.Number(len(s.Outcomes), "fixture"))
}
