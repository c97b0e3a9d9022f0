package judge

import (
	"fmt"
	"mime"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec"
)

// Cause identifies a fault of a service: findings with equal causes are one
// fault, however many fixtures found it.
type Cause struct {
	Clause  string
	Place   string // in the response body; of a request that was let through, the kind of request
	Message string // without what it quotes
	Status  int    // of the response; 0 if there is none
	Answer  string // of a server error, see [ServerError]
}

// CauseOf gives the cause of a finding.
func CauseOf(o Outcome, f Finding) Cause {
	c := Cause{Clause: f.Clause, Place: placeOf(f), Message: quoted.ReplaceAllString(f.Message, ""), Status: o.Answer}
	switch {
	case spec.ClauseID(f.Clause).IsAnswers():
		c.Answer = o.ServerError
	case f.Clause == o.Clause:
		c.Place = kindOf(o.Fixture)
	}
	return c
}

// FaultOf identifies what a person would repair at once. Causes that differ only in the
// operation, or in statuses of one class, are one fault, and so is what follows from
// another finding of the exchange.
func FaultOf(o Outcome, f Finding) Cause {
	f = Origin(o, f)
	c := CauseOf(o, f)
	id := spec.ClauseID(c.Clause)
	c.Clause, c.Status = id.Part(), c.Status/100
	if status := id.Status(); status != "" {
		c.Clause = status[:1] + strings.TrimPrefix(c.Clause, status)
	}
	switch isEcho := strings.HasSuffix(f.Clause, "/echo"); {
	case isEcho && strings.HasPrefix(f.Message, "is shown"):
		c.Place = "" // what a service adds, it adds at once
	case isEcho && strings.HasPrefix(f.Message, "is missing"):
		c.Place = id.Operation() // which leaves out all of it at once
	}
	_, kind, isKind := strings.Cut(c.Place, "/")
	if isKind && f.Clause == o.Clause {
		c.Place = kind
		if wrong, lenient := wrongKind(o, kind); lenient {
			c.Clause, c.Place = strings.Join(strings.SplitN(c.Clause, "/", 3)[:2], "/"), wrong //nolint:mnd // request/body
		}
	}
	return c
}

// StatedBy is the fault if its finding is of that clause. A schema that several operations
// share is broken once, wherever it is in a response.
func (c Cause) StatedBy(clause Clause) Cause {
	id := spec.ClauseID(clause.ID)
	if id.Status() != "" && strings.Contains(id.Part(), "/body/") && strings.HasPrefix(clause.Section, "#/") && !strings.HasPrefix(clause.Section, "#/paths/") {
		c.Clause, c.Place = clause.Section, ""
	}
	return c
}

// wrongKind is the kind of value that a derived request has in place of another. A reader
// that takes numbers for texts, or null for what is absent, or texts of any length, does
// so everywhere.
func wrongKind(o Outcome, kind string) (wrong string, ok bool) {
	switch base := path.Base(o.Fixture); {
	case !o.Derived || !spec.ClauseID(o.Clause).OnRequest() || strings.Count(o.Clause, "/") < 3: //nolint:mnd // operation/request/body/property
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
func Origin(o Outcome, f Finding) Finding {
	id := spec.ClauseID(f.Clause)
	status := id.Status()
	if status == "" {
		return f
	}
	for _, other := range o.Findings {
		part := spec.ClauseID(other.Clause).Part()
		switch {
		case other.Kind() != f.Kind() || other.Clause == f.Clause:
		case part == "answers" && o.ServerError != "",
			part == status+"/media-type" && id.Part() == status+"/body" && f.Pointer == "":
			return Origin(o, other)
		}
	}
	return f
}

// quoted is what a message cites from the answer: the text in quotes, and the
// details after the colon.
var quoted = regexp.MustCompile(`"[^"]*"|: .*`)

// placeOf is the place of a finding, the same for all items of a list. The
// undeclared properties of an object share the place of the object.
func placeOf(f Finding) string {
	at := f.Pointer
	if spec.ClauseID(f.Clause).IsUndeclared() {
		at = at[:max(0, strings.LastIndexByte(at, '/'))]
	}
	if !strings.ContainsAny(at, "0123456789") {
		return at
	}
	steps := strings.Split(at, "/")
	for i, step := range steps {
		if _, err := strconv.Atoi(step); err == nil {
			steps[i] = "*"
		}
	}
	return strings.Join(steps, "/")
}

// kindOf is the kind of request that a fixture sends: <operationId>/<group>.
func kindOf(fixture string) string {
	const levels = 2
	steps := strings.Split(path.Dir(fixture), "/")
	return strings.Join(steps[:min(len(steps), levels)], "/")
}

// ServerError describes an answer with a status of 500 or more, so that two
// crashes of a service can be told apart. Everything that may differ between
// two answers of one crash, such as times and request ids, is left out. It is
// empty for other answers.
func ServerError(status int, contentType, body string) string {
	if status/100 != 5 {
		return ""
	}
	const read, enough = 4 << 10, 400 // bytes of the body: as it is, and of what does not vary
	text := variable.ReplaceAllString(body[:min(len(body), read)], "0")
	text = several.ReplaceAllString(text, "0")
	return MediaType(contentType) + " " + text[:min(len(text), enough)]
}

var (
	// variable is a text of a derived request, a word with a digit in it (a time, an address, a
	// request id), a path, a number or truth value, the type of a value that was sent, and what an
	// HTML page has in quotes.
	variable = regexp.MustCompile(`conformance[ +][^"'&]{0,80}?\d{6,}|conformance[ +]text|[\w.:+-]*\d[\w.:+-]*|/[\w./-]+|&quot;.*?&quot;|&apos;.*?&apos;` +
		`|'(?:NoneType|bool|dict|float|int|list|str)'|\bthe (?:NoneType|bool|dict|float|int|list|str) [^\s"]+|(?i:\b(?:true|false|null|none|nan|inf|infinity)\b)`)
	// several is a list of what varies, as in "values ($1, $2), ($3, $4)".
	several = regexp.MustCompile(`0(?:[^\w"'<>]{1,5}0)+`)
)

// MediaType is the type without parameters, in lower case, if it can be read.
func MediaType(contentType string) string {
	if name, _, err := mime.ParseMediaType(contentType); err == nil {
		return name
	}
	return contentType
}

// faults counts what a nonconformant run found: "breaks 10 of 15 clauses (11
// faults; 96 of 129 fixtures)". It is empty if there is no violation, or all
// are waived. The clauses counted are the must-clauses, and others that a
// violation was found of.
func (s Summary) faults() string {
	causes := map[Cause]bool{}
	broken := map[string]bool{}
	stated := map[string]Clause{}
	for _, c := range s.Clauses {
		stated[c.ID] = c
	}
	failed := 0
	for _, o := range s.Outcomes {
		if o.Status == Failed {
			failed++
		}
		for _, f := range o.Findings {
			if f.Severity == Violation && f.Waived == "" {
				causes[FaultOf(o, f).StatedBy(stated[Origin(o, f).Clause])], broken[f.Clause] = true, true
			}
		}
	}
	if len(causes) == 0 {
		return ""
	}
	clauses := len(broken)
	for _, c := range s.Clauses {
		if c.Level == spec.Must && !broken[c.ID] {
			clauses++
		}
	}
	return fmt.Sprintf("breaks %d of %s (%s; %d of %s)",
		len(broken), Number(clauses, "clause"), Number(len(causes), "fault"), failed, Number(len(s.Outcomes), "fixture"))
}
