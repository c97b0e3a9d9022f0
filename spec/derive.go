package spec

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/schema"
)

// deriver derives the clauses of one operation.
type deriver struct {
	*reader
	op      *Operation
	request []document.Place // the schemas that a JSON request body meets, for the echo
}

// derive derives the clauses of the operation when it is first called.
func (op *Operation) derive() {
	op.once.Do(func() {
		op.reader.deriving.Lock()
		defer op.reader.deriving.Unlock()
		op.ids, op.worded = map[ClauseID]int{}, map[ClauseID]bool{}
		d := deriver{reader: op.reader, op: op}
		d.general(op.at)
		d.security()
		d.parameters()
		d.requestBody()
		for _, r := range op.responses {
			d.response(r)
			op.streams = append(op.streams, r.streams()...)
		}
		d.state()
		d.silences(op.at)
	})
}

// clause adds a clause to the operation and returns its id.
func (d *deriver) clause(id ClauseID, level Level, at document.Place, format string, args ...any) ClauseID {
	pointer := at.Origin() // the section of the clause, unless the overlay names another
	if !strings.Contains(pointer, "#") || pointer[0] == '/' {
		pointer = "#" + pointer
	}
	c := Clause{ID: id, Level: level, Section: fmt.Sprintf("%s (line %d)", pointer, at.Line), Text: fmt.Sprintf(format, args...), Line: at.Line, Column: at.Column}
	if file := at.File(); file != d.top.File() {
		c.File = file
	}
	d.op.add(c)
	return id
}

func (d *deriver) general(at document.Place) {
	statuses := lists.Map(at.Get("responses").All(), func(m *document.Member) string { return m.Key })
	accepted := lists.Filter(statuses, func(status string) bool { return strings.HasPrefix(status, "2") })
	with := ""
	if len(accepted) > 0 {
		with = " with " + strings.Join(accepted, " or ")
	}
	d.clause(d.op.ClauseIDs().Answers(), Must, at, "every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)")
	d.clause(d.op.ClauseIDs().Accepts(), Must, at, "a valid request is accepted%s", with)
}

func (d *deriver) silences(at document.Place) {
	ids := d.op.ClauseIDs()
	if d.op.Security.Needed() {
		d.clause(ids.Silence(CredentialMissing), Silent, at, "which status does a request without a credential get?")
		if !d.op.RefusesUnknown() {
			d.clause(ids.Silence(CredentialInvalid), Silent, at, "which response does an unknown credential get?")
		}
	}
	if !slices.ContainsFunc(d.op.responses, func(r *Declared) bool { return r.Status == "default" }) {
		d.clause(ids.Silence(OtherStatuses), Silent, at, "which undeclared statuses are possible?")
	}
	if slices.ContainsFunc(d.op.responses, func(r *Declared) bool { return len(r.Content) == 0 && r.NoBody == "" }) {
		d.clause(ids.Silence(UndeclaredContent), Silent, at, "which body does a response have if the contract declares no content for it?")
	}
}

func (d *deriver) parameters() {
	for _, p := range d.op.Parameters {
		level := Must
		if p.MayBeIgnored() {
			level = Should
		}
		d.limit(level, d.op.ClauseIDs().Parameter(p.In, p.Name), p.at, p.In+" parameter "+p.Name, p.Required, p.Schema.Shape().DescribeText())
	}
}

// limit derives the clause about a part of a request, if a request can break it.
func (d *deriver) limit(level Level, id ClauseID, at document.Place, name string, required bool, kind string) {
	var what string
	switch {
	case required && kind == schema.Anything:
		what = "missing"
	case required:
		what = "missing or not " + kind
	case kind != schema.Anything:
		what = "present but not " + kind
	default:
		return
	}
	d.clause(id, level, at, "a request whose %s is %s %s be rejected", name, what, level)
}

// asked describes a value of a request and whether it may have undeclared properties, which have no
// separate clause in requests.
func asked(s *schema.Shape) string {
	if kind := s.Describe(); !s.Closed || !s.Allows("object") || kind == schema.Anything {
		return kind
	}
	return s.Describe() + " without undeclared properties"
}

func (d *deriver) requestBody() {
	body := d.op.RequestBody
	if body == nil || body.at.Node == nil || d.op.ignoresBody() {
		return
	}
	kind := schema.Anything
	judged := body.JSON()
	if judged != nil {
		if kind = asked(judged.Shape()); kind == schema.Anything {
			kind = "a JSON value"
		}
		d.request = judged.Shape().Includes
	}
	ids := d.op.ClauseIDs()
	d.limit(Must, ids.RequestBody(), body.at, "body", body.Required, kind)
	if judged != nil {
		d.requestProperties(ids.RequestBody(), "", judged.Shape())
	}
	for _, c := range body.Content {
		if c.IsJSON() && !c.IsRange() || c.IsForm() {
			d.requestProperties(ids.RequestBody(), "", c.Schema.Shape())
		}
	}
	if len(body.Content) > 0 && !slices.ContainsFunc(body.Content, func(c mediatype.Content) bool { return c.Kind == "*" }) {
		d.clause(ids.RequestMediaType(), Should, body.at.To("content"), "a request whose body is not declared as %s should be rejected", strings.Join(mediaTypes(body.Content), " or "))
	}
}

func (d *deriver) requestProperties(id ClauseID, path string, s *schema.Shape) {
	for _, p := range s.Properties {
		if p.ReadOnly {
			continue
		}
		name := strings.TrimPrefix(path+"."+p.Name, ".")
		at := id.Property(p.Name)
		d.limit(Must, at, p.At, name, p.Required, asked(p.Shape))
		d.requestProperties(at, name, p.Shape)
	}
	if s.Each != nil {
		d.requestProperties(id.Items(), path+"[]", s.Each)
	}
}

// The clauses about stored data. They follow from the semantics of the methods (RFC 9110
// §9.3) if paths belong together, such as /things and /things/{id}.
const (
	StateCreated    = "created"    // what was created can be read
	StateReplaced   = "replaced"   // what was replaced shows the new values
	StateChanged    = "changed"    // what was changed shows the changes, and the rest as it was
	StateDeleted    = "deleted"    // what was deleted is gone
	StateListed     = "listed"     // the list has what was created
	StateUnlisted   = "unlisted"   // the list no longer has what was deleted
	StateIdempotent = "idempotent" // the same PUT is accepted again; the same POST with the same key creates nothing more
	StateUnique     = "unique"     // a second resource cannot have the value of the first
	StateReference  = "reference"  // a request that names what does not exist is rejected
	StateOccupied   = "occupied"   // a resource is not deleted while it has entries
	StateConflict   = "conflict"   // an action, a deletion or a change is rejected in a state in which the document says so
	StateInitial    = "initial"    // a new resource has the state that the document names
	StateReached    = "reached"    // after an action the resource shows the state that the document names

	// StatePrecondition: a change is rejected if its If-Match does not match the current version
	// (RFC 9110 §13.1.1).
	StatePrecondition = "precondition"
	// StateCurrent: a change is not rejected for its If-Match if this is the ETag that was just
	// shown (RFC 9110 §13.1.1).
	StateCurrent = "current"
	// StateAtomic: a JSON Patch is rejected if one of its operations cannot be applied (RFC 6902
	// §5), and then changes nothing (RFC 5789 §2).
	StateAtomic = "atomic"
	// StateVersioned: changed content has another strong ETag (RFC 9110 §8.8.1), and a read gets no
	// 304 if its If-None-Match is not the current ETag (§13.1.2).
	StateVersioned = "versioned"
	// StatePaged: a page of the list has at most the requested number of entries, and the next page
	// has other entries. A page does not contradict itself about whether there is another one.
	StatePaged = "paged"
	// StateFiltered: the list has exactly the entries whose property has the value of the query parameter with the same
	// name and meaning. A total counts the same entries, if the document says that it counts the matches.
	StateFiltered = "filtered"
	// StateSorted: the entries have the order that a query parameter or the description states.
	StateSorted = "sorted"
	// StateApart: an operation on one entry of the list does not change another entry.
	StateApart = "apart"
	// StateWithin: what was created below one resource is not shown below another one.
	StateWithin = "within"
	// StateListedWithin: what was created below one resource is not listed below another one.
	StateListedWithin = "listed-within"
)

// state derives the clauses about stored data that other operations create, change or delete.
func (d *deriver) state() {
	ids := d.op.ClauseIDs()
	path := barePath(d.op.Path)
	list, isItem := strings.CutSuffix(path, "/{}")
	own := d.paths[path]
	add := func(name string, by *Operation, text string) {
		if by != nil {
			d.clause(ids.State(name), d.levelOf(name, by), d.op.at, text, by.ID)
		}
	}
	changes := func() {
		add(StateReplaced, d.op.Replacer(), "after %s the new values are read")
		add(StateChanged, d.op.Changer(), "after %s the changed values are read, and the others as they were")
		add(StateChanged, d.op.actor(), "after %s the values are read that its response shows")
	}
	if _, declared := d.op.IfMatch(); isItem && declared {
		d.conditional(add, own[http.MethodGet])
	}
	if body := d.op.RequestBody; isItem && d.op.Method == http.MethodPatch && body != nil && own[http.MethodGet] != nil && slices.ContainsFunc(body.Content, mediatype.Content.IsJSONPatch) {
		d.clause(ids.State(StateAtomic), Must, d.op.at, "%s rejects a JSON Patch if one of its operations cannot be applied, and then changes nothing", d.op.ID)
	}
	d.conflict(add)
	d.references()
	d.reached()
	switch {
	case isItem && d.op.Method == http.MethodGet:
		add(StateCreated, cmp.Or(d.paths[list][http.MethodPost], own[http.MethodPut], d.elsewhere(list)), "what %s created can be read, with the values that were sent")
		changes()
		add(StateDeleted, cmp.Or(own[http.MethodDelete], d.above(list)), "what %s deleted can no longer be read")
		if d.paths[list][http.MethodPost] != nil {
			add(StateApart, cmp.Or(own[http.MethodDelete], own[http.MethodPut], own[http.MethodPatch]), "%s changes nothing but what its path names")
		}
		add(StateWithin, d.nested(list), "what %s created below one resource is not shown below another one")
		if d.op.HasETag() {
			text := "after %s the ETag is another one, if the content is and the ETag is strong"
			if _, ok := d.op.IfNoneMatch(); ok {
				text += ", and 304 does not answer a read with another ETag than the current one"
			}
			add(StateVersioned, cmp.Or(own[http.MethodPut], own[http.MethodPatch]), text)
		}
	case d.op.Method == http.MethodPost:
		if key, ok := d.op.IdempotencyKey(); ok {
			add(StateIdempotent, d.op, "%s with the same "+key.Name+" and body creates nothing more")
		}
	case isItem && d.op.Method == http.MethodDelete:
		add(StateOccupied, d.op.Occupier(), "a resource is not deleted while it has what %s created")
	case isItem && d.op.Method == http.MethodPut:
		add(StateIdempotent, d.op, "%s accepts the same request again")
	case !isItem && d.op.Method == http.MethodGet && d.op.IsList():
		d.queried(add)
		create := d.creator(path)
		add(StateListed, create, "the list has what %s created")
		add(StateListedWithin, d.nested(path), "what %s created below one resource is not listed below another one")
		if create != nil {
			add(StateUnlisted, cmp.Or(d.paths[path+"/{}"][http.MethodDelete], d.above(path)), "the list no longer has what %s deleted")
		}
	}
	if d.isPart(path) {
		changes()
		add(StateCreated, d.op.Uploader(), "the bytes of the file that %s uploaded can be read")
	}
}

// levelOf returns the level of a clause about stored data that an operation changes. It is should, unless the description
// states the clause: of what is deleted itself, not of what lies below that.
func (d *deriver) levelOf(state string, by *Operation) Level {
	isOfDeleted := state == StateDeleted || state == StateUnlisted
	if isOfDeleted && strings.HasPrefix(barePath(by.Path), barePath(d.op.Path)) && d.op.HidesDeleted() {
		return Must
	}
	return Should
}

// conditional derives the clauses about If-Match. read shows the current version, or is nil.
func (d *deriver) conditional(add func(name string, by *Operation, text string), read *Operation) {
	add(StatePrecondition, d.op, "%s is rejected if If-Match does not match the current version")
	if read != nil && read.HasETag() {
		add(StateCurrent, read, "a request is not rejected for its If-Match if that is the ETag that %s shows")
	}
}

// conflict derives the clauses about a value that must be unique, and about an action in a state in which the
// document says that it is rejected.
func (d *deriver) conflict(add func(name string, by *Operation, text string)) {
	if _, names := d.op.Unique(); len(names) > 0 {
		add(StateUnique, d.op, "%s leaves no two resources with the same "+strings.Join(names, " and "))
	}
	if refusals := d.op.refusals(); len(d.op.refused()) > 0 {
		level := map[bool]Level{true: Must, false: Should}[refusals.areRules()]
		d.clause(d.op.ClauseIDs().State(StateConflict), level, d.op.at, "%s is rejected in a state for which the document says so", d.op.ID)
	}
}

// queried derives the clauses about paging, filtering and sorting of a list.
func (d *deriver) queried(add func(name string, by *Operation, text string)) {
	if size, ok := d.op.PageSize(); ok {
		add(StatePaged, d.op, "%s lists at most as many entries as "+size.Name+" asks for, and other ones on the next page")
	}
	if filters := d.op.Filters(); len(filters) > 0 {
		add(StateFiltered, d.op, filters[0].promise())
	}
	if orders := d.op.Orders(); len(orders) > 0 {
		text := "%s sorts the entries by " + strings.Join(orders[0].Path, ".")
		if orders[0].Query != nil {
			text += " if that is asked for"
		}
		add(StateSorted, d.op, text)
	}
}

// above returns the operation that deletes the parent of a list. It returns nil unless the parent
// can be read, the list has a POST, and the operation declares 404.
func (d *deriver) above(list string) *Operation {
	resource := d.paths[list[:max(0, strings.LastIndex(list, "/"))]]
	if resource[http.MethodGet] == nil || d.paths[list][http.MethodPost] == nil || !d.op.Declares(http.StatusNotFound) {
		return nil
	}
	return resource[http.MethodDelete]
}

// isPart reports whether the operation reads a single part of a resource, such as its settings. The
// part is not a list, but a property of it may be one.
func (d *deriver) isPart(path string) bool {
	isList := d.op.IsList() && (d.paths[path][http.MethodPost] != nil || d.paths[path+"/{}"] != nil || slices.ContainsFunc(d.op.SuccessShapes(), (*schema.Shape).IsArray))
	return d.op.Method == http.MethodGet && strings.Contains(path, "{}") && !strings.HasSuffix(path, "/{}") && !isList
}

// IsChange reports whether the operation changes only the values in the request: a PATCH, or a POST
// that the document describes as a change.
func (op *Operation) IsChange() bool {
	read := op.reader.paths[barePath(op.Path)][http.MethodGet]
	return op.Method == http.MethodPatch || op.Method == http.MethodPost && read != nil && read.Changer() == op
}

// nested returns the operation that creates entries of a list below another resource. It returns nil
// unless this resource can be read or created.
func (d *deriver) nested(list string) *Operation {
	resource := list[:max(0, strings.LastIndex(list, "/"))]
	parent, isBelow := strings.CutSuffix(resource, "/{}")
	for path, methods := range d.paths { // the path of a nested resource may omit its parents
		if isBelow && parent != "" && (path == resource && methods[http.MethodGet] != nil || strings.HasSuffix(path, parent) && methods[http.MethodPost] != nil) {
			return d.creator(list)
		}
	}
	return nil
}

// elsewhere returns the only operation that creates entries of a list below another resource, such as POST on
// /queues/{name}/jobs for /jobs/{id}.
func (d *deriver) elsewhere(list string) (create *Operation) {
	for path, methods := range d.paths {
		if post := methods[http.MethodPost]; post != nil && list != "" && strings.HasSuffix(path, "/{}"+list) && post.Names("201") {
			if create != nil {
				return nil
			}
			create = post
		}
	}
	return create
}

// creator returns the operation that creates entries of a list: POST on the list, or else PUT on an
// entry. PUT may relate an entry of another list.
func (d *deriver) creator(list string) *Operation {
	if put := d.paths[list+"/{}"][http.MethodPut]; d.paths[list][http.MethodPost] == nil && put != nil && (put.Names("201") || put.Relates()) {
		return put
	}
	return d.paths[list][http.MethodPost]
}

func (op *Operation) parameter(isSuch func(Parameter) bool) (Parameter, bool) {
	return lists.First(op.Parameters, isSuch)
}
