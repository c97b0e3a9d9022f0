package proof

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// A Figure counts items, and how many of them passed.
type Figure struct {
	Held int `json:"held"`
	All  int `json:"all"`
}

// Whole reports whether there are items and all of them passed.
func (f *Figure) Whole() bool { return f.Held == f.All && f.All > 0 }

// Count adds one item.
func (f *Figure) Count(held bool) {
	f.All++
	if held {
		f.Held++
	}
}

// A Proof is the result of all trials of a contract.
type Proof struct {
	Deviations  Figure    `json:"deviations"`  // shown by a request; passed if found and nothing else is blamed
	Variations  Figure    `json:"variations"`  // with the faithful service; passed if there is no alarm
	Operations  Figure    `json:"operations"`  // passed if the service accepted a request
	Requests    int       `json:"requests"`    // number of derived requests
	Faults      []string  `json:"faults"`      // deviations not found, wrong blame, alarms
	Differences []string  `json:"differences"` // where the suite and kin-openapi read the document differently
	Unshown     []Unshown `json:"unshown"`     // deviations that no derived request can show
}

// An Unshown is a deviation that no request showed.
type Unshown struct {
	Operation string        `json:"operation"`
	Deviation string        `json:"deviation"`
	Clause    spec.ClauseID `json:"clause"`
	Reason    string        `json:"reason"`
}

// Whole reports whether there were deviations and no faults.
func (p *Proof) Whole() bool { return len(p.Faults) == 0 && p.Deviations.All > 0 }

// String returns the proof in one line.
func (p *Proof) String() string {
	return fmt.Sprintf("deviations found %d of %d · alarms %d on %d variations · not reachable %d · readings that differ %d",
		p.Deviations.Held, p.Deviations.All, p.Variations.All-p.Variations.Held, p.Variations.All, len(p.Unshown), len(p.Differences))
}

// Text returns the faults, the differences of the readers, the unshown deviations, and then
// the figures. If verbose is true, it lists each unshown deviation.
func (p *Proof) Text(verbose bool) string {
	var b strings.Builder
	for _, text := range p.Faults {
		fmt.Fprintln(&b, "✗", text)
	}
	for _, text := range p.Differences {
		fmt.Fprintln(&b, "≠", text)
	}
	count := map[string]int{}
	for _, u := range p.Unshown {
		if count[u.Reason]++; verbose {
			fmt.Fprintf(&b, "? %s %s: %s\n", u.Operation, u.Deviation, u.Reason)
		}
	}
	for _, reason := range sortedKeys(count) {
		fmt.Fprintf(&b, "? not reachable %d: %s\n", count[reason], reason)
	}
	fmt.Fprintf(&b, "%d requests derived · operations reached %d of %d\n%s\n", p.Requests, p.Operations.Held, p.Operations.All, p)
	return b.String()
}

// Run proves the suite on a contract. If there are globs, it proves only the operations whose
// ids match one of them. It returns an error if the second reader cannot load the document, no
// operation matches, or the context ended.
func Run(ctx context.Context, contract *spec.Contract, only ...string) (*Proof, error) {
	t, err := newTrials(ctx, contract, only)
	if err != nil {
		return nil, err
	}
	p := &Proof{Requests: len(t.config.Loaded), Faults: []string{}, Differences: []string{}, Unshown: []Unshown{}}
	reached, err := t.faithful(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := t.vary(ctx, p); err != nil {
		return nil, err
	}
	return p, t.deviate(ctx, p, reached)
}

// faithful tries the service that conforms to the document, as kin-openapi reads it. It
// returns for each operation that was not reached the reason.
func (t *trials) faithful(ctx context.Context, p *Proof) (unreached map[string]string, err error) {
	all, r, err := t.run(ctx, t.service(variation{tells: true}, nil), t.config.Loaded)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		t.differing[f.clause] = append(t.differing[f.clause], f.fixture)
	}
	for clause, one := range byClause(all) {
		p.Differences = append(p.Differences, string(clause)+": "+one)
	}
	slices.Sort(p.Differences)
	t.sort(r)
	for _, id := range t.missing {
		p.Differences = append(p.Differences, id+": kin-openapi has no such operation")
	}
	unreached = map[string]string{}
	for _, m := range r.Reached.Missing {
		for _, id := range m.Operations {
			unreached[id] = m.Reason
		}
	}
	for id := range t.fixtures {
		p.Operations.Count(unreached[id] == "")
	}
	return unreached, nil
}

// sort finds for each kind of response a fixture that shows it.
func (t *trials) sort(r result.Report) {
	seen := map[string]bool{}
	for _, one := range r.Results {
		t.sent[one.Fixture] = true
		f := t.byID[one.Fixture]
		if one.Exchange.Response == nil {
			continue
		}
		if one.Status == judge.Unjudged {
			t.unjudged[one.Fixture] = one.Reason
		}
		if told := one.Exchange.Response.Headers[flawHeader]; len(told) == 1 {
			t.flaws[one.Fixture] = told[0]
		}
		kind := fmt.Sprint(one.Operation, one.Exchange.Response.Status, f.Group(), f.Clause.ID == f.Operation.ClauseIDs().Credential(), f.Clause.ID.State(), one.Exchange.Request.Body.Body != "")
		if !seen[kind] && !f.OnlyAnswers { // the judge checks little for OnlyAnswers
			seen[kind] = true
			t.kinds[one.Operation] = append(t.kinds[one.Operation], answeredFixture{f, one.Exchange.Response.Status})
		}
	}
}

// byClause returns for each clause the text of its first finding, and the number of the others.
func byClause(list []reportedFinding) map[spec.ClauseID]string {
	told := map[spec.ClauseID]string{}
	for _, found := range lists.Groups(list, func(f reportedFinding) spec.ClauseID { return f.clause }) {
		told[found.Key] = found.Items[0].says
		if others := len(found.Items) - 1; others > 0 {
			told[found.Key] += fmt.Sprintf(" (and %d more)", others)
		}
	}
	return told
}

// vary tries all variations and records their alarms.
func (t *trials) vary(ctx context.Context, p *Proof) error {
	isBodiless := func(op *operation, clause spec.ClauseID) bool { // Swagger 2.0: a response without declared content
		return op != nil && slices.ContainsFunc(op.responses(), func(d *declared) bool {
			return len(d.Content) == 0 && op.ClauseIDs().Response(d.Status).Body() == clause
		})
	}
	all := variations()
	faults := make([][]string, len(all))
	err := inParallel(all, func(i int, v variation) error {
		list, _, err := t.run(ctx, t.service(v, nil), t.representative)
		list = slices.DeleteFunc(list, func(one reportedFinding) bool {
			return (v.undeclared || v.inTurn) && !one.violation && one.clause.IsUndeclared() || // also in examples
				v.texts && isBodiless(t.operations[one.operation], one.clause)
		})
		for clause, one := range byClause(list) {
			faults[i] = append(faults[i], fmt.Sprintf("alarm: %s, if the service %s: %s", clause, v.says, one))
		}
		return err
	})
	p.Variations.Count(true) // the faithful service; its findings are in Differences
	for _, list := range faults {
		p.Variations.Count(len(list) == 0)
		p.Faults = append(p.Faults, list...)
	}
	return err
}

func (t *trials) deviate(ctx context.Context, p *Proof, unreached map[string]string) error {
	ids := sortedKeys(t.fixtures)
	own, differ := make([][]deviation, len(ids)), make([][]string, len(ids))
	if err := inParallel(ids, func(i int, id string) error {
		if op := t.operations[id]; op != nil {
			own[i], differ[i] = t.deviations(op)
		}
		return ctx.Err()
	}); err != nil {
		return err
	}
	all := map[string][]deviation{}
	for i, id := range ids {
		p.Differences = lists.Unique(append(p.Differences, differ[i]...))
		if unreached[id] != "" { // trying them would only take time
			p.leaveOut(own[i], unreached[id])
		} else if len(own[i]) > 0 {
			for n := range own[i] { // a clause that the readers read differently proves nothing
				if d := &own[i][n]; d.state != "" && t.differs(d.clause) {
					d.unshowable = cmp.Or(d.unshowable, readingsDiffer)
				} else if d.state != "" {
					d.unshowable = cmp.Or(d.unshowable, t.undecided(*d))
				}
			}
			all[id] = own[i]
		}
	}
	batches := t.batches(all)
	tried := make([]*service, len(batches))
	if err := inParallel(batches, func(i int, batch []deviation) (err error) {
		tried[i], err = t.try(ctx, batch)
		return err
	}); err != nil {
		return err
	}
	for i, batch := range batches {
		for _, d := range batch {
			p.count(d, tried[i], t.differs)
		}
	}
	slices.Sort(p.Faults)
	return nil
}

// undecided returns why none of the fixtures that show a deviation from a state clause decides, or "".
func (t *trials) undecided(d deviation) (reason string) {
	for _, f := range t.showing(d) {
		one := t.unjudged[f.ID]
		if control := t.byID[f.Control]; f.Control != "" && f.Expect == fixtures.Accepted {
			_, isConditional := fixtures.FindField(control.Message(1, 0).Header, "If-Match")
			if d.state == spec.StateCreated || d.state == spec.StateCurrent && isConditional {
				one = "its control is rejected, too"
			}
		}
		if d.state == spec.StateCreated && isLater(f, http.MethodPost, http.MethodPut) {
			one = "what it reads may be created later (202)"
		}
		if d.state == spec.StateDeleted && isLater(f, http.MethodDelete) {
			one = "what it reads may be deleted later (202)"
		}
		if one == "" {
			return ""
		}
		reason = one
	}
	return reason
}

// isLater reports whether the service may do later what a step of the fixture with one of the methods
// asks for.
func isLater(f fixtures.Fixture, methods ...string) bool {
	return slices.ContainsFunc(f.Message(1, 0).Steps, func(s fixtures.Step) bool {
		by := f.StepOperation(s.ID)
		return slices.Contains(methods, by.Method) && by.ActsLater()
	})
}

const readingsDiffer = "the readings of its clause differ"

// differs reports whether the two readers read a clause differently.
func (t *trials) differs(clause spec.ClauseID) bool { return len(t.differing[clause]) > 0 }

// try runs a service with one deviation for each operation in the batch.
func (t *trials) try(ctx context.Context, batch []deviation) (s *service, err error) {
	those := map[string]deviation{}
	var showing []fixtures.Fixture
	for _, d := range batch {
		if own := t.showing(d); len(own) > 0 { // only its own requests can show a deviation
			those[d.operation] = d
			showing = append(showing, own...)
		}
	}
	s = t.service(variation{}, those)
	s.found, _, err = t.run(ctx, s, showing)
	return s, err
}

// count records whether the suite found a deviation of a service.
func (p *Proof) count(d deviation, s *service, differs func(clause spec.ClauseID) bool) {
	if !s.shown[d.operation] || d.unshowable != "" {
		reason := cmp.Or(d.unshowable, "no derived request shows it")
		if s.masked[d.operation] {
			reason = "such a request names what does not exist, and is refused for that"
		}
		p.leaveOut([]deviation{d}, reason)
		return
	}
	fault := d.missed(s.found, differs)
	if fault != "" && d.ignores == (flaw{}) && differs(d.clause) {
		p.leaveOut([]deviation{d}, readingsDiffer)
		return
	}
	p.Deviations.Count(fault == "")
	if fault != "" {
		p.Faults = append(p.Faults, fault)
	}
}

// leaveOut adds deviations to Unshown, with the reason.
func (p *Proof) leaveOut(list []deviation, reason string) {
	p.Unshown = append(p.Unshown, lists.Map(list, func(d deviation) Unshown { return Unshown{d.operation, d.name, d.clause, reason} })...)
}

// missed returns what is wrong with the findings, or "". It ignores findings on clauses that
// the readers read differently, because the faithful service breaks these too.
func (d *deviation) missed(list []reportedFinding, differs func(clause spec.ClauseID) bool) string {
	var hit bool
	var blamed []string
	for _, f := range list {
		switch {
		case f.operation != d.operation:
		case within(f.clause, d.clause), slices.Contains(d.unions, f.clause), d.elsewhere && slices.ContainsFunc(d.unions, func(union spec.ClauseID) bool { return within(f.clause, union) }):
			hit = true
		case f.violation && !slices.Contains(d.also, f.clause) && !differs(f.clause) && !slices.ContainsFunc(blamed, func(text string) bool { return strings.HasPrefix(text, string(f.clause)+" ") }):
			blamed = append(blamed, string(f.clause)+" ("+f.says+")")
		}
	}
	switch {
	case !hit && len(blamed) == 0:
		return fmt.Sprintf("missed: %s %s, which breaks %s", d.operation, d.name, d.clause)
	case !hit:
		return fmt.Sprintf("missed: %s %s, which breaks %s; blamed is %s", d.operation, d.name, d.clause, strings.Join(blamed, ", "))
	case len(blamed) > 0:
		return fmt.Sprintf("wrong blame: %s %s, which breaks %s; blamed is also %s", d.operation, d.name, d.clause, strings.Join(blamed, ", "))
	}
	return ""
}
