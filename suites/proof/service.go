package proof

import (
	"cmp"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/routers"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/schema"
)

type operation struct {
	*spec.Operation
	route     *routers.Route
	responses func() []*declared // all declared responses
	makes     *operation         // an operation on the resources that this one creates; nil if none
}

// stem returns the stem of the path. Resources are stored by stem.
func (op *operation) stem() string { return spec.Stem(op.Path) }

var parameter = regexp.MustCompile(`\{[^{}]*\}`)

// where returns the stem of a request's path, with the values of its parameters.
func (op *operation) where(r *http.Request) string {
	values, _ := match(op.Path, r.URL.EscapedPath())
	return parameter.ReplaceAllStringFunc(op.stem(), func(name string) string { return values[strings.Trim(name, "{}")] })
}

// model is the contract as both readers read it. All services of a proof share it.
type model struct {
	contract   *spec.Contract
	reader     *reader
	operations map[string]*operation
	at         map[string]*operation // by method and path
	kept       map[string]bool       // stems of the resources that requests create or replace
	made       map[string]bool       // stems of the resources that exist only after a request creates them
	creating   map[string]bool       // stems of the lists in which requests create resources
	missing    []string              // operations that the second reader does not have

	controls map[string]map[string]bool // the shapes of control requests, by operation

	wrong memo[*schema.Schema, []wrongValue] // invalid response bodies
}

func newModel(contract *spec.Contract, credentials map[string]string) (*model, error) {
	reader, err := newReader(contract, credentials)
	if err != nil {
		return nil, err
	}
	m := &model{
		contract: contract, reader: reader, operations: map[string]*operation{}, at: map[string]*operation{}, kept: map[string]bool{}, made: map[string]bool{}, creating: map[string]bool{},
		controls: map[string]map[string]bool{},
	}
	for _, op := range contract.Operations {
		i := slices.IndexFunc(reader.routes, func(r *routers.Route) bool { return r.Path == op.Path && r.Method == op.Method })
		if i < 0 {
			m.missing = append(m.missing, op.ID)
			continue
		}
		one := &operation{Operation: op, route: reader.routes[i]}
		one.responses = sync.OnceValue(func() []*declared {
			return lists.Map(op.Responses(), func(d *spec.Declared) *declared { return reader.declare(d, one) })
		})
		m.operations[op.ID], m.at[op.Method+" "+op.Path] = one, one
	}
	for _, one := range m.operations {
		for _, id := range sortedKeys(m.operations) {
			m.relate(one, m.operations[id])
		}
		if one.makes != nil {
			m.kept[one.makes.stem()], m.made[one.makes.stem()] = true, true
		}
	}
	return m, nil
}

// relate notes what an operation creates or replaces for another one.
func (m *model) relate(one, other *operation) {
	switch {
	case one.Method == http.MethodPost && strings.HasPrefix(other.stem(), one.stem()+"/{") && strings.HasSuffix(other.stem(), "}") && isEntry(other.stem(), one.stem()):
		if one.makes == nil || other.Method == http.MethodGet {
			one.makes = other
		}
		m.creating[one.stem()] = true
	case m.method(one) == http.MethodPost && other.Method == http.MethodGet && one.stem() == other.stem():
		m.creating[one.stem()] = true // it creates entries, even if no operation uses one
	case (one.Method == http.MethodPut && one.Names("201") || one.Relates()) && other.Method == http.MethodGet && isEntry(one.stem(), other.stem()):
		m.creating[other.stem()] = true
	case one.Method == http.MethodPut && other.Method == http.MethodGet && one.stem() == other.stem() && strings.Contains(one.stem(), "}/"):
		m.kept[one.stem()] = true // for example the settings of a resource
	case one == other && (one.Method == http.MethodPut || one.createsByPatch()) && strings.HasSuffix(one.stem(), "}"):
		m.kept[one.stem()] = true
		m.made[one.stem()] = m.made[one.stem()] || one.Names("201")
	}
}

// method returns the method of an operation, or PATCH for a POST that changes what GET on its path reads.
func (m *model) method(op *operation) string {
	if read := m.at[http.MethodGet+" "+op.Path]; read != nil && read.Changer() == op.Operation {
		return http.MethodPatch
	}
	return op.Method
}

// createsByPatch reports whether a PATCH creates a resource that does not exist.
func (op *operation) createsByPatch() bool {
	return op.Method == http.MethodPatch && op.Names("201")
}

// service is a service made from a document. It rejects the requests that the second reader
// rejects, and stores resources.
type service struct {
	*model
	variation
	deviations map[string]deviation // by operation
	decision   fault.Decision

	mu        sync.Mutex
	resources map[string]map[string]any // by the stem of the path
	deleted   map[string]map[string]any
	serial    uint64
	turn      map[*declared]int
	puts      map[string]int          // number of PUT requests, by path
	answers   map[string]fault.Answer // successful responses, by idempotency key and by unique values
	acted     map[string][]acted      // by the path of the resource
	touched   map[string]bool         // paths of changed or deleted resources
	read      map[string]string       // the body that was sent last, by path
	tags      map[string]string       // the ETag that was sent last, by path
	masked    map[string]bool         // operations whose requests are rejected for another reason
	shown     map[string]bool         // operations whose deviation a request showed
	found     []reportedFinding       // the findings of the suite
}

func (m *model) service(v variation, deviations map[string]deviation) *service {
	s := &service{
		model: m, variation: v, deviations: deviations, resources: map[string]map[string]any{}, deleted: map[string]map[string]any{},
		turn: map[*declared]int{}, puts: map[string]int{}, answers: map[string]fault.Answer{}, acted: map[string][]acted{}, touched: map[string]bool{}, read: map[string]string{}, tags: map[string]string{}, masked: map[string]bool{}, shown: map[string]bool{},
	}
	s.decision = s.decide
	if v.change != nil {
		s.decision = v.change(s.decide, nil)
	}
	return s
}

const maxBody = 4 << 20

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.decision(fault.NewRequest(r, maxBody)).Send(w, r)
}

// decide returns the response to a request.
func (s *service) decide(request *fault.Request) fault.Answer {
	body, err := request.ReadBody()
	if err != nil {
		return fault.Answer{Status: http.StatusBadRequest, Header: http.Header{}}
	}
	r := request.Request
	s.mu.Lock()
	defer s.mu.Unlock()
	path := r.URL.EscapedPath()
	route, values, others := s.reader.route(r.Method, path)
	if route == nil {
		status := http.StatusNotFound
		if len(others) > 0 {
			status = http.StatusMethodNotAllowed
		}
		return fault.Answer{Status: status, Header: http.Header{"Allow": {strings.Join(others, ", ")}}}
	}
	op := s.at[route.Method+" "+route.Path]
	d, deviates := s.deviations[op.ID]
	flaws := s.reader.flaws(r, route, values, body)
	var only flaw // the flaw of a request that has exactly one
	if len(flaws) == 1 {
		only = flaws[0]
	}
	ignored := only != (flaw{}) && only == d.ignores
	flaws = slices.DeleteFunc(slices.Clone(flaws), func(f flaw) bool { return f == d.ignores })
	status := s.refusal(op, flaws)
	var made fault.Answer
	if status != 0 {
		made = s.reply(op, status)
	} else {
		made = s.once(op, op.where(r), request)
	}
	if ignored {
		accepted := isSuccess(made.Status)
		s.masked[op.ID] = !accepted
		s.shown[op.ID] = s.shown[op.ID] || accepted
	}
	if deviates && d.changes != nil {
		if changed, ok := d.changes(s, request, made, status != 0); ok {
			s.shown[op.ID] = true
			made = changed
		}
	}
	if s.tells && only != (flaw{}) {
		made.Header.Set(flawHeader, only.header())
	}
	if declared := op.response(made.Status); declared != nil {
		made = declared.withStatus(made)
		if s.undeclared {
			made = declared.withMore(made)
		}
	}
	if r.Method == http.MethodHead {
		made.Body = nil
	}
	return made
}

// refusal returns the status for a request with these flaws, or 0 if there are none.
func (s *service) refusal(op *operation, flaws []flaw) int {
	if len(flaws) == 0 {
		return 0
	}
	wanted := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
	if s.preferred != 0 {
		wanted = slices.Insert(wanted, 0, s.preferred)
	}
	has := func(place string) bool {
		return slices.ContainsFunc(flaws, func(f flaw) bool { return f.place == place })
	}
	switch {
	case has(atCredential):
		wanted = []int{http.StatusUnauthorized, http.StatusForbidden}
	case has(atMediaType):
		wanted = slices.Insert(wanted, 0, http.StatusUnsupportedMediaType)
	case !slices.ContainsFunc(flaws, func(f flaw) bool { return !strings.HasPrefix(f.place, "path/") }):
		wanted = append(wanted, http.StatusNotFound)
	}
	return wanted[max(0, slices.IndexFunc(wanted, func(status int) bool { return op.response(status) != nil }))]
}

// response returns the declared response for a status, or nil.
func (op *operation) response(status int) *declared {
	var ranged, otherwise *declared
	for _, d := range op.responses() {
		switch {
		case d.status == status && d.Status != "default":
			return d
		case len(d.Status) == 3 && int(d.Status[0]-'0') == status/100 && strings.EqualFold(d.Status[1:], "XX"):
			ranged = d
		case d.Status == "default":
			otherwise = d
		}
	}
	return cmp.Or(ranged, otherwise)
}

// success returns the declared response to a valid request: a 2xx if there is one, else a 3xx.
func (s *service) success(op *operation) *declared {
	for _, class := range []int{2, 3} {
		list := lists.Filter(op.responses(), func(d *declared) bool { return d.status/100 == class })
		if len(list) > 0 {
			return list[min(s.which, len(list)-1)]
		}
	}
	return &declared{Declared: &spec.Declared{}, status: http.StatusOK, header: http.Header{}}
}

// reply returns a response with this status that does not show a resource.
func (s *service) reply(op *operation, status int) fault.Answer {
	d := op.response(status)
	if d == nil {
		return fault.Answer{Status: status, Header: http.Header{}}
	}
	a := d.answer(s.value(d))
	a.Status = status
	return a
}

// value returns the next value to send, or nil if the body is not JSON.
func (s *service) value(d *declared) *sample {
	if len(d.cases) == 0 {
		return nil
	}
	if !s.inTurn {
		return d.full
	}
	s.turn[d]++
	return d.cases[s.turn[d]%len(d.cases)]
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// A variation is a way in which the service uses a freedom that documents leave. The suite
// must not report it.
type variation struct {
	says       string
	inTurn     bool // sends all values of a response in turn
	emptyLists bool
	undeclared bool         // adds a property to all objects that allow it; the suite may warn about it
	tells      bool         // sends the flaw of a request in flawHeader
	which      int          // index of the declared success to send; the last one if there are fewer
	preferred  int          // the status of rejections, even if it is undeclared; 0 means a declared one
	texts      bool         // sends a text in rejections without declared content
	change     fault.Change // changes responses; nil means no change
}

func variations() []variation {
	withJSON := func(_ *fault.Request, a fault.Answer) bool {
		base, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
		return isJSON(base)
	}
	mediaType := func(edit fault.TextEdit) fault.Change {
		return fault.When(fault.HasBody, fault.HeaderEdited("Content-Type", edit))
	}
	more := func(name string, values ...string) fault.Change { // never a field that the document declares
		return fault.When(func(_ *fault.Request, a fault.Answer) bool { return len(a.Header[name]) == 0 }, fault.Header(name, values...))
	}
	return []variation{
		{says: "answers all values that its responses may have, in turn", inTurn: true},
		{says: "lists only what the run created", emptyLists: true},
		{says: "answers the second declared success", which: 1},
		{says: "answers the last declared success", which: 9},
		{says: "refuses with 422", preferred: http.StatusUnprocessableEntity},
		{says: "refuses with 404", preferred: http.StatusNotFound},
		{says: "refuses with an undeclared status", preferred: http.StatusTeapot},
		{says: "writes media types with a charset", change: mediaType(fault.Replacing(`(;.*)?$`, `;charset="UTF-8"`))},
		{says: "writes media types in upper case", change: mediaType(strings.ToUpper)},
		{says: "sends more header fields", change: fault.Together(more("X-Served-By", "node-3"), more("Cache-Control", "no-store"), more("Vary", "Accept", "Origin"))},
		{says: "indents JSON", change: fault.When(withJSON, fault.Body(fault.Indented))},
		{says: "escapes every character of its texts", change: fault.When(withJSON, fault.Body(fault.Escaped()))},
		{says: "adds undeclared properties", undeclared: true},
		{says: "explains refusals in a text if no content is declared", texts: true, change: fault.When(
			func(r *fault.Request, a fault.Answer) bool {
				return a.Status >= http.StatusBadRequest && len(a.Body) == 0 && r.Method != http.MethodHead
			},
			fault.MediaType("text/plain"), fault.Body(fault.Constant("no")))},
	}
}

// isTaken reports whether a change sends the unique values of another resource.
func (s *service) isTaken(op *operation, path string, r *fault.Request) bool {
	_, names := op.Unique()
	if len(names) == 0 || !op.ChangesEntry() {
		return false
	}
	sent, _ := op.sent(r.Text())
	list := path[:strings.LastIndex(path, "/")]
	return slices.ContainsFunc(sortedKeys(s.resources), func(where string) bool {
		return where != path && isEntry(where, list) && !slices.ContainsFunc(names, func(name string) bool {
			value, isSent := sent[name]
			return !isSent || !instance.Equal(value, s.resources[where][name])
		})
	})
}
