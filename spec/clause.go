package spec

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/schema"
)

// Level says how binding a clause is.
type Level string

// The levels. The contract states a must. A should follows from the contract, but is not
// stated by it. A silence is a question that the contract leaves open.
const (
	Must   Level = "must"
	Should Level = "should"
	Silent Level = "silent"
)

// Clause is a statement of a contract that can be kept or broken, or a question that it
// leaves open.
//
// [ClauseIDs] makes the ids, and [ClauseID] reads them.
type Clause struct {
	ID        ClauseID
	Operation string // operationId
	Level     Level
	Section   string // of the interface document, or JSON pointer and line in the OpenAPI document
	Text      string
	Line      int    // in the OpenAPI document; 0 for a silence of the overlay
	Column    int    // in that line
	File      string // the file that states the clause, if it is not the document itself
}

// ClauseIDs makes the ids of the clauses of one operation. Its value is the id of the operation.
// Only the types of this file know the grammar of ids:
//
//	<operationId>/answers | accepts
//	<operationId>/request/credential | media-type | body[/<path>]
//	<operationId>/request/path|query|header|cookie/<name>
//	<operationId>/<status>/media-type | body[/<path>] | header/<name> | echo
//	<operationId>/<status>/body[/<path>]/undeclared
//	<operationId>/state/<what is kept>, such as [StateCreated]
//	<operationId>/silent/<question>
//
// <path> names properties, with * for the items of a list or the values of a map. <status> is
// written as in the document: 200, 4XX, default. No id depends on the order of the document.
type ClauseIDs string

// Answers returns the id of the clause that every request gets a response.
func (op ClauseIDs) Answers() ClauseID { return ClauseID(op + "/" + partAnswers) }

// Accepts returns the id of the clause that valid requests are accepted.
func (op ClauseIDs) Accepts() ClauseID { return ClauseID(op + "/" + partAccepts) }

// Credential returns the id of the clause that a request needs a credential.
func (op ClauseIDs) Credential() ClauseID { return ClauseID(op + "/" + partCredential) }

// RequestMediaType returns the id of the clause about the media type of requests.
func (op ClauseIDs) RequestMediaType() ClauseID { return ClauseID(op + "/request/media-type") }

// RequestBody returns the id of the clause about the request body. [ClauseID.Property] and
// [ClauseID.Items] lead to the clauses inside.
func (op ClauseIDs) RequestBody() ClauseID { return ClauseID(op + "/" + partRequestBody) }

// Parameter returns the id of the clause about the parameter with that place and name.
func (op ClauseIDs) Parameter(in, name string) ClauseID {
	return ClauseID(string(op) + "/request/" + in + "/" + segment(name))
}

// State returns the id of a clause about stored data, such as [StateCreated].
func (op ClauseIDs) State(name string) ClauseID { return ClauseID(string(op) + "/" + partState + name) }

// Response returns the maker of the ids of the clauses about responses with that status, as
// the document writes it.
func (op ClauseIDs) Response(status string) ResponseIDs {
	return ResponseIDs(string(op) + "/" + status)
}

// Silence returns the id of a question that the contract leaves open.
func (op ClauseIDs) Silence(question string) ClauseID {
	return ClauseID(string(op) + "/" + partSilent + question)
}

// ResponseIDs makes the ids of the clauses about the responses with one status.
type ResponseIDs string

// MediaType returns the id of the clause about the media type.
func (r ResponseIDs) MediaType() ClauseID { return ClauseID(r + "/media-type") }

// Body returns the id of the clause about the body. [ClauseID.Property], [ClauseID.Items]
// and [ClauseID.Undeclared] lead to the clauses inside.
func (r ResponseIDs) Body() ClauseID { return ClauseID(r + "/body") }

// Header returns the id of the clause about the header field with that name.
func (r ResponseIDs) Header(name string) ClauseID {
	return ClauseID(r) + ClauseID("/header/"+segment(name))
}

// Echo returns the id of the clause that the response shows what was sent.
func (r ResponseIDs) Echo() ClauseID { return ClauseID(r + "/echo") }

// The parts of ids that are both written and read.
const (
	partAnswers     = "answers"
	partAccepts     = "accepts"
	partRequest     = "request/"
	partCredential  = partRequest + "credential"
	partRequestBody = partRequest + "body"
	partSilent      = "silent/"
	partState       = "state/"
	partUndeclared  = "/undeclared"
)

// The questions with a fixed name. Any exchange may answer them, no matter what its fixture
// tests.
const (
	CredentialMissing   = "credential-missing"   // which status does a missing credential get?
	CredentialInvalid   = "credential-invalid"   // what does an unknown credential get?
	OtherStatuses       = "other-statuses"       // which undeclared statuses are there?
	RejectionConditions = "rejection-conditions" // what leads to a rejection?
	UndeclaredContent   = "undeclared-content"   // which body does a response without declared content have?

	// valueQuestion is the suffix of a question about the values of a property.
	valueQuestion = "-value"
)

// ValueQuestion returns the name of this question: which values does the property have in error
// responses?
func ValueQuestion(property string) string { return property + valueQuestion }

// IsValueQuestion reports whether a question has a name as [ValueQuestion] returns it.
func IsValueQuestion(question string) bool { return strings.HasSuffix(question, valueQuestion) }

// ClauseID is the id of one clause. Its methods need no contract, so the id may come from a report.
type ClauseID string

// Operation returns the id of the operation.
func (id ClauseID) Operation() string {
	operation, _, _ := strings.Cut(string(id), "/")
	return operation
}

// Part returns the id without its operation: "request/body/name", "200/echo".
func (id ClauseID) Part() string {
	_, part, _ := strings.Cut(string(id), "/")
	return part
}

// IsAnswers reports whether the clause is [ClauseIDs.Answers].
func (id ClauseID) IsAnswers() bool { return id.Part() == partAnswers }

// IsAccepts reports whether the clause is [ClauseIDs.Accepts].
func (id ClauseID) IsAccepts() bool { return id.Part() == partAccepts }

// IsCredential reports whether the clause is [ClauseIDs.Credential].
func (id ClauseID) IsCredential() bool { return id.Part() == partCredential }

// IsEcho reports whether the clause is [ResponseIDs.Echo].
func (id ClauseID) IsEcho() bool { return strings.HasSuffix(string(id), "/echo") }

// IsRequestMediaType reports whether the clause is [ClauseIDs.RequestMediaType].
func (id ClauseID) IsRequestMediaType() bool { return id.Part() == "request/media-type" }

// OnRequest reports whether the clause restricts requests. A fixture can break such a clause
// and expect a rejection.
func (id ClauseID) OnRequest() bool { return strings.HasPrefix(id.Part(), partRequest) }

// OnRequestBody reports whether the clause is about the request body or a value in it.
func (id ClauseID) OnRequestBody() bool {
	part := id.Part()
	return part == partRequestBody || strings.HasPrefix(part, partRequestBody+"/")
}

// OnValue reports whether the clause is about one value of a request: a query parameter or a
// value in the body.
func (id ClauseID) OnValue() bool {
	in, _ := id.Parameter()
	return in == "query" || strings.HasPrefix(id.Part(), partRequestBody+"/")
}

// OnResponseValue reports whether the clause is about a value in the body of a response.
func (id ClauseID) OnResponseValue() bool {
	return id.Status() != "" && strings.Contains(id.Part(), "/body/")
}

// Parameter returns the place (path, query, header or cookie) and the name of the parameter
// that the clause is about. It returns "" for other clauses.
func (id ClauseID) Parameter() (in, name string) {
	part, ok := strings.CutPrefix(id.Part(), partRequest)
	in, name, hasName := strings.Cut(part, "/")
	if !ok || !hasName || in == "body" {
		return "", ""
	}
	return in, name
}

// Question returns the name of the question that the contract leaves open. It returns "" for
// a clause that is not a silence.
func (id ClauseID) Question() string { return id.after(partSilent) }

// Status returns the declared status that a response clause belongs to, as the document
// writes it. It returns "" for other clauses.
func (id ClauseID) Status() string {
	status, _, _ := strings.Cut(id.Part(), "/")
	switch status {
	case partAnswers, partAccepts, "request", "silent", "state":
		return ""
	}
	return status
}

// State returns the name of a clause about stored data, such as [StateCreated]. It returns
// "" for other clauses.
func (id ClauseID) State() string { return id.after(partState) }

// after returns the rest of the part after begin, or "" if it does not begin so.
func (id ClauseID) after(begin string) string {
	if rest, ok := strings.CutPrefix(id.Part(), begin); ok {
		return rest
	}
	return ""
}

// Property returns the id of the clause about a property of the value that id is about.
func (id ClauseID) Property(name string) ClauseID { return id + ClauseID("/"+segment(name)) }

// Items returns the id of the clause about the items of the list, or the values of the map,
// that id is about.
func (id ClauseID) Items() ClauseID { return id + "/*" }

// Undeclared returns the id of the clause about undeclared properties of the object that id
// is about.
func (id ClauseID) Undeclared() ClauseID { return id + partUndeclared }

// IsUndeclared reports whether the clause is about undeclared properties.
func (id ClauseID) IsUndeclared() bool { return strings.HasSuffix(string(id), partUndeclared) }

// segment escapes a name for use in a clause id. It marks the names that the grammar uses itself,
// so that the id of a property called "undeclared" is unique.
func segment(name string) string {
	escaped := document.EscapePointer(name)
	if slices.Contains([]string{"undeclared", "*", ""}, escaped) {
		return "~" + escaped
	}
	return escaped
}

// BodyClauses has the ids of the clauses about the values in the bodies of one schema, by the index
// of their shape. The ids lack the id of the body's clause, which is their first part. "" means
// that there is no clause.
type BodyClauses []struct {
	Value      ClauseID // about the value of a property
	Undeclared ClauseID // about undeclared properties
}

// At returns the value at that path, its declared property or nil, and the id of the clause about
// it. If there is no such clause, the id is that of the nearest value above, or "" for the whole
// body.
func (ids BodyClauses) At(s *schema.Shape, path []string, value any) (clause ClauseID, p *schema.Property, inner any) {
	for _, step := range path {
		if p, s, value = s.Down(step, value); p != nil && ids[p.Shape.Index].Value != "" {
			clause = ids[p.Shape.Index].Value
		}
	}
	return clause, p, value
}

// Nearest returns up to three of the ids that are similar to a text, as the hint for an
// error. It returns "" if none is similar.
func Nearest(text string, ids []string) string {
	const most = 3
	shares := map[string]int{}
	for _, id := range ids {
		shares[id] = likeness(text, id)
	}
	list := slices.SortedFunc(maps.Keys(shares), func(a, b string) int {
		return cmp.Or(cmp.Compare(shares[b], shares[a]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	list = list[:min(most, len(list))]
	if len(list) == 0 || shares[list[0]] == 0 {
		return ""
	}
	return "the nearest ids are " + strings.Join(list, ", ")
}

// likeness returns how many pairs of characters of an id also occur in a text, in percent.
func likeness(text, id string) int {
	n := 0
	for i := range len(id) - 1 {
		if strings.Contains(strings.ToLower(text), strings.ToLower(id[i:i+2])) {
			n++
		}
	}
	return 100 * n / max(1, len(id)-1, len(text)-1) // a share, because long ids would always have a high count
}

// apply replaces texts, sections and levels of derived clauses by those of the overlay, and adds
// its silences.
func (c *Contract) apply(overlay Source) error {
	root, err := document.Parse(overlay.Name, overlay.Data)
	if err != nil {
		return err
	}
	top := root.Fields("clauses")
	if err := top.Err(); err != nil {
		return err
	}
	list := top.Get("clauses")
	if list == nil {
		return root.Errorf("clauses is missing: a mapping from clause ids")
	}
	if list.Kind != document.Object {
		return list.Errorf("clauses must be a mapping from clause ids, found %s", list.Kind)
	}
	for _, member := range list.Members {
		if err := c.lay(member); err != nil {
			return err
		}
	}
	return nil
}

func (c *Contract) lay(at *document.Member) error {
	fields := at.Value.Fields("level", "section", "text")
	entry := Clause{ID: ClauseID(at.Key), Level: Level(fields.OneOf("level", string(Must), string(Should), string(Silent))), Section: fields.String("section"), Text: fields.String("text")}
	if err := fields.Err(); err != nil {
		return err
	}
	isSilence := strings.HasPrefix(entry.ID.Part(), partSilent)
	if isSilence != (entry.Level == Silent) && entry.Level != "" {
		return at.Errorf("%s: clauses under silent/ are silent, and no others", entry.ID)
	}
	op, known := c.Operation(entry.ID.Operation())
	i := -1
	if known {
		i = op.clause(entry.ID)
	}
	switch {
	case i >= 0:
		clause := &op.clauses[i]
		clause.Level = cmp.Or(entry.Level, clause.Level)
		clause.Section = cmp.Or(marked(entry.Section), clause.Section)
		clause.Text = cmp.Or(entry.Text, clause.Text)
		op.worded[entry.ID] = op.worded[entry.ID] || entry.Text != ""
		return nil
	case !isSilence:
		ids := lists.Map(c.Clauses(), func(known Clause) string { return string(known.ID) })
		return at.Errorf("%s is not a clause of the contract; %s", entry.ID, cmp.Or(Nearest(at.Key, ids), "`conformance list clauses` names them, without this file"))
	case !known:
		return at.Errorf("%s: the contract has no operation %s", entry.ID, entry.ID.Operation())
	case entry.ID.Question() == "":
		return at.Errorf("%s needs a name after silent/", entry.ID)
	case entry.Text == "":
		return at.Errorf("%s needs a text: the question that is left open", entry.ID)
	}
	entry.Level, entry.Section = Silent, marked(entry.Section)
	op.add(entry)
	return nil
}

func marked(text string) string {
	if text == "" {
		return ""
	}
	return "§" + text
}
