package waivers

import (
	"fmt"
	"io"
	"path"
	"regexp"

	"github.com/goccy/go-yaml"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// header explains the file to whoever opens it.
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

// entry is one waiver as the file has it.
type entry struct {
	Match    string `yaml:"match"`
	Fixtures string `yaml:"fixtures,omitempty"`
	Message  string `yaml:"message"`
	Place    string `yaml:"place,omitempty"`
	Reason   string `yaml:"reason"`
	Owner    string `yaml:"owner"`
}

// Write writes waivers of that owner for the violations of a report that are not
// waived yet: one for each clause and cause, so that another fault of the same
// clause is not covered. The owner replaces the reasons, which only say since
// when the violation is known.
func Write(w io.Writer, r result.Report, owner string) error {
	entries, found := []entry{}, map[entry]int{}
	for _, result := range r.Results {
		seen := map[entry]bool{} // a fixture may find a cause twice
		for _, f := range result.Findings {
			if f.Severity != judge.Violation || f.Waived != "" {
				continue
			}
			e := causeOf(result, f)
			if found[e] == 0 {
				entries = append(entries, e)
			}
			if !seen[e] {
				found[e]++
			}
			seen[e] = true
		}
	}
	for i, e := range entries {
		fixtures := "1 fixture finds it"
		if n := found[e]; n > 1 {
			fixtures = fmt.Sprintf("%d fixtures find it", n)
		}
		entries[i].Reason = fmt.Sprintf("known since %s, %s", r.Run.Started.UTC().Format("2006-01-02"), fixtures)
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
	// detail is what differs in a message from case to case: what it quotes, and
	// what follows its colon.
	detail = regexp.MustCompile(`"[^"]*"|: .*`)

	// index is a place in a list.
	index = regexp.MustCompile(`/[0-9]+(/|$)`)
)

// causeOf is the waiver of a finding, but for its reason and owner. Where the
// clause is not about what a response looks like, the kind of request tells the
// faults apart: what is accepted without a name, and what with a wrong one.
func causeOf(r result.Result, f judge.Finding) entry {
	e := entry{Match: string(f.Clause), Message: detail.ReplaceAllString(f.Message, "*"), Place: index.ReplaceAllString(f.Pointer, "/*$1")}
	if f.Clause.Status() == "" {
		e.Fixtures = path.Dir(r.Fixture)
	}
	return e
}
