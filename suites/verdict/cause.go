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

// Cause identifies a fault of a service. Findings with equal causes are one fault, no matter how
// many fixtures found it.
type Cause struct {
	Clause  string
	Place   string // in the response body; if the finding is about the request, the kind of request
	Message string // without what it quotes
	Status  int    // of the response; 0 if there is none
	Answer  string // of a server error, see [judge.ServerError]
}

// CauseOf returns the cause of a finding.
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

// blamed returns the fixture whose request a finding is about; "" if it is about the response.
func blamed(o judge.Outcome, f judge.Finding) string {
	switch id := f.Clause; {
	case o.Beside != "" && (id.OnRequest() || id.IsAccepts()):
		return o.Beside
	case id.IsAccepts() && o.Answer < http.StatusBadRequest: // an undeclared success, for any request
	case f.Clause == o.Clause:
		return o.Fixture
	}
	return ""
}

// FaultOf identifies what a developer would fix at once. Causes that differ only in the operation,
// or in statuses of one class, are one fault. A finding that follows from another finding of the
// exchange has the same fault as that one.
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
		c.Place = "" // a service adds all these values for one reason
	case isEcho && strings.HasPrefix(f.Message, "is missing"):
		c.Place = id.Operation() // a service omits all these values of an operation for one reason
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

// Faults merges the results of [FaultOf] that are one fault: first add all causes, then ask for the fault of each.
type Faults struct {
	shared  map[spec.ClauseID]string // by clause, the place of the schema that states it
	accepts map[string]bool          // by operation, whether it declares a success, other than by default
	joined  map[Cause]Cause
	crashes map[Cause]*crashes // by clause, message and status
}

// crashes are the server errors of one operation with one status.
type crashes struct {
	answers int
	texts   map[Cause]bool
}

// NewFaults returns Faults for the clauses of a contract, without any causes.
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

// Add adds a cause, as FaultOf returns it, of findings of that clause, and how often it was found.
// A cause that follows from another one need not be added.
//
// If several operations share a schema, a breach of it is one fault, in all their responses. If a
// success is declared only by the default response, it may lack all properties: the fault is its
// status. If almost every server error has a different text, the texts do not tell crashes apart.
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

// Of returns the fault of a cause. It is the same for all causes that are one fault.
func (g *Faults) Of(fault Cause) Cause {
	const few = 3 // so few texts may be as many crashes
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

// wrongKind returns the kind of wrong value in a derived request. A service that accepts numbers as
// texts, or null for a missing value, or texts of any length, does so everywhere.
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
		return "type/number", true // a table of wrong values counts as its entry zero
	case kind == "type":
		base, _, _ = strings.Cut(base[strings.LastIndexByte(base, '.')+1:], "-")
		return kind + "/" + base, true
	}
	return "", false
}

// Origin returns the finding of the same exchange that f follows from, or f if there is none. An
// error page that is not JSON follows from its wrong media type. Both follow from the failure of
// the service if the status says so.
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
		case part == "answers" && o.ServerError != "" && (status[0] == '5' || status == "default"), // the server error is this response, not that of a request sent with it
			part == status+"/media-type" && id.Part() == status+"/body" && f.Pointer == "":
			return Origin(o, other)
		}
	}
	return f
}

// quoted matches what a message quotes from the response: text in quotes, and the details after the colon.
var quoted = regexp.MustCompile(`"[^"]*"|: .*`)

// placeOf returns the place of a finding. It is the same for all items of a list and for all values
// of a map. The undeclared properties of an object have the place of the object.
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
		// A property that the schema lists has a clause. A value of a map may have none.
		isValue := onBody && i > 0 && (i < len(stated) && stated[i] == "*" || i == len(stated) && i == len(steps)-1 && f.Message != "is missing")
		if err == nil || isValue {
			steps[i] = "*"
		}
	}
	return strings.Join(steps, "/")
}

// faults returns what a nonconformant run found, in the form "breaks 10 of 15 clauses (11 faults;
// 96 of 129 fixtures)". It is empty if there is no violation, or if all are waived. It counts the
// must-clauses, and other clauses with a violation.
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
