package waivers

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"

	"go.yaml.in/yaml/v4"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// LoadFile reads the waivers of a file. The error has the file, line and column of each fault.
func LoadFile(file string) ([]verdict.Waiver, error) {
	data, err := document.ReadFile(os.Open(file))
	if err != nil {
		return nil, fmt.Errorf("reading the waivers: %w", err)
	}
	return Parse(file, data)
}

// Parse reads waivers. name is the name of the file in errors and reports. The error has all
// faults, not only the first.
func Parse(name string, data []byte) ([]verdict.Waiver, error) {
	root, err := document.Parse(name, data)
	if err != nil {
		return nil, err
	}
	if root.Kind != document.Array {
		return nil, root.Errorf("expected a list of waivers (- match: …), found %s", root.Kind)
	}
	var list []verdict.Waiver
	var faults []error
	for _, item := range root.Items {
		w, err := decode(item)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		list = append(list, w)
	}
	return list, errors.Join(faults...)
}

func decode(item *document.Node) (verdict.Waiver, error) {
	w := verdict.Waiver{Source: fmt.Sprintf("%s:%d", item.File(), item.Line)}
	fields := item.Fields("match", "fixtures", "message", "place", "reason", "owner", "until")
	w.Pattern = fixtures.NewPattern(fields.Required("match"))
	w.Narrowing = verdict.Narrowing{Fixtures: optional(fields, "fixtures"), Message: optional(fields, "message"), Place: optional(fields, "place")}
	w.Reason = fields.Required("reason")
	w.Owner = fields.Required("owner")
	until := fields.String("until")
	if fields.Get("until") != nil && (w.Until.UnmarshalText([]byte(until)) != nil || w.Until.IsZero()) {
		fields.Errorf("until", "until is %q; write the last day as 2027-03-31", until)
	}
	return w, fields.Err()
}

// optional reads one of the patterns that narrow the waiver. It is zero if there is none.
func optional(fields *document.Fields, key string) (p fixtures.Pattern) {
	if fields.Get(key) != nil {
		p = fixtures.NewPattern(fields.Required(key))
	}
	return p
}

// header is the comment at the beginning of a new file.
const header = `# Violations that ` + "`conformance run --waivers FILE`" + ` reports as waived. They do not
# fail the run. A waiver that has expired, or no longer matches a violation, does.
#
# match     fixtures or clauses, by id
# fixtures  optional: only violations that these fixtures find
# message   optional: only violations that say this
# place     optional: only violations at this JSON pointer in the response body
# reason    why the violation is accepted
# owner     who accepts it
# until     optional: the last day on which it is accepted, such as 2027-03-31
#
# In the first four, * stands for any characters.
`

// entry is one waiver in the file.
type entry struct {
	Match    string `yaml:"match"`
	Fixtures string `yaml:"fixtures,omitempty"`
	Message  string `yaml:"message"`
	Place    string `yaml:"place,omitempty"`
	Reason   string `yaml:"reason"`
	Owner    string `yaml:"owner"`
}

// Write writes waivers with that owner for the violations of a report that are not waived yet. There is one for
// each clause and cause, so that another fault of the same clause is not covered. The owner should replace the
// reasons, which only say since when the violation is known and how many fixtures find it.
func Write(w io.Writer, r result.Report, owner string) error {
	entries, found := []entry{}, map[entry]int{}
	for _, result := range r.Results {
		violations := lists.Filter(result.Findings, func(f judge.Finding) bool { return f.Kind() == judge.Violation })
		causes := lists.Map(violations, func(f judge.Finding) entry { return causeOf(result, f) })
		for _, e := range lists.Unique(causes) { // a fixture may find a cause twice
			if found[e]++; found[e] == 1 {
				entries = append(entries, e)
			}
		}
	}
	for i, e := range entries {
		finds := "1 fixture finds it"
		if n := found[e]; n > 1 {
			finds = fmt.Sprintf("%d fixtures find it", n)
		}
		entries[i].Reason = fmt.Sprintf("known since %s, %s", r.Run.Started.UTC().Format("2006-01-02"), finds)
		entries[i].Owner = owner
	}
	data, err := yaml.Marshal(entries)
	if err == nil {
		_, err = w.Write(append([]byte(header), data...))
	}
	if err != nil {
		return fmt.Errorf("writing waivers: %w", err)
	}
	return nil
}

var (
	// detail matches what differs in a message from case to case: quoted text, and what follows the colon.
	detail = regexp.MustCompile(`"[^"]*"|: .*`)

	// index matches a place in a list.
	index = regexp.MustCompile(`/[0-9]+(/|$)`)
)

// causeOf returns the waiver of a finding, without its reason and owner. If the clause is not about a response,
// the kind of request tells faults apart, such as an accepted request without a name and one with a wrong name.
func causeOf(r result.Result, f judge.Finding) entry {
	e := entry{Match: string(f.Clause), Message: detail.ReplaceAllString(f.Message, "*"), Place: index.ReplaceAllString(f.Pointer, "/*$1")}
	if f.Clause.Status() == "" {
		e.Fixtures = path.Dir(r.Fixture)
	}
	return e
}
