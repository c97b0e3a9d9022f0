package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// What GitHub takes for a comment, in characters, and how much of that there is
// for what stands before the failures and after them. Bytes are counted, which
// are no fewer.
const (
	markdownRoom = 65536
	markdownTop  = 24 << 10
	markdownTail = 12 << 10
)

// longCommand is from how many bytes on a command is left to the other formats.
const longCommand = 4 << 10

// WriteMarkdown writes GitHub Flavored Markdown for the conversation of a pull
// request or the summary of a workflow's step: the verdict, the clauses that
// are broken, and each cause once. It is never longer than a comment may be:
// whole parts are left out, and it says how many.
func WriteMarkdown(w io.Writer, r result.Report) error {
	top, tail := &markdown{room: markdownTop}, &markdown{room: markdownTail}
	top.verdict(r)
	top.broken(r)
	tail.notes(r)
	tail.observations(r)
	failures := &markdown{room: markdownRoom - top.Len() - tail.Len()}
	failures.failures(r)
	if _, err := io.WriteString(w, top.String()+failures.String()+tail.String()); err != nil {
		return fmt.Errorf("writing the Markdown report: %w", err)
	}
	return nil
}

// markdown is a part of the report that has room for so many bytes.
type markdown struct {
	strings.Builder
	room int
}

// add writes parts for as long as there is room, and says how many there was
// none for.
func (m *markdown) add(what string, parts []string) {
	const note = 100 // bytes, to say so
	for i, part := range parts {
		if m.Len()+len(part)+note > m.room {
			fmt.Fprintf(m, "\n%s omitted: there is no room for more.\n", judge.Number(len(parts)-i, what))
			return
		}
		m.WriteString(part)
	}
}

func (m *markdown) verdict(r result.Report) {
	mark := map[judge.Verdict]string{judge.Conformant: "✓ ", judge.Nonconformant: "✗ ", judge.Inconclusive: "⚠️ "}[shade(r)]
	fmt.Fprintf(m, "### %s%s: %s\n\n", mark, prose(r.Headline), prose(r.Reason))
	what := prose(cmp.Or(strings.TrimSpace(r.Contract.Title+" "+r.Contract.Version), "the contract"))
	if who := strings.TrimSpace(r.Implementation.Name + " " + r.Implementation.Version); who != "" {
		what += " · " + prose(who)
	}
	clauses, _ := countClauses(r)
	fmt.Fprintf(m, "%s at %s\n\n- %s\n- %s\n", what, code(r.Target.BaseURL), r.Counts, clauses)
	if text := hint(r); text != "" {
		fmt.Fprintf(m, "- hint: %s\n", prose(text))
	}
}

// broken is a table of the clauses that are broken.
func (m *markdown) broken(r result.Report) {
	var rows []string
	for _, row := range brokenClauses(r) {
		rows = append(rows, fmt.Sprintf("| %s (%s) | %s | %s | %d |\n",
			code(row.ID), prose(strings.Trim(string(row.Level)+", "+where(row.Clause), ", ")), prose(row.Text), code(row.example), row.fixtures))
	}
	if len(rows) > 0 {
		m.WriteString("\n| broken clause | says | for example | fixtures |\n|---|---|---|--:|\n")
		m.add("broken clause", rows)
	}
}

// failures tells of every cause of a violation by the plainest fixture that
// found it, and what the clause says.
func (m *markdown) failures(r result.Report) {
	var parts []string
	says := texts(r)
	for _, c := range causes(r, judge.Violation) {
		text := ""
		if says[c.finding.Clause] != "" {
			text = prose(says[c.finding.Clause]) + "\n\n"
		}
		parts = append(parts, fmt.Sprintf("\n<details><summary>%s breaks %s</summary>\n\n%s%s\n</details>\n",
			htmlCode(c.result.Fixture), htmlCode(c.finding.Clause), text, evidenceBlock(c)))
	}
	m.add("failure", parts)
}

// texts are what the clauses say, by id.
func texts(r result.Report) map[string]string {
	says := map[string]string{}
	for _, c := range r.Clauses {
		says[c.ID] = c.Text
	}
	return says
}

// evidenceBlock shows what the console does.
func evidenceBlock(c *cause) string {
	var b strings.Builder
	rows := evidenceOf(c.result, c.finding)
	if len(c.pointers) > 1 {
		rows = append(rows, evidence{"at", cut(some(c.pointers), evidenceWidth)})
	}
	if n := len(c.fixtures) - 1; n > 0 {
		rows = append(rows, evidence{"likewise", cut(fmt.Sprintf("%d more: %s", n, strings.Join(byFolder(c.fixtures[1:], few), ", ")), evidenceWidth)})
	}
	for _, row := range rows {
		if row.text != "" {
			fmt.Fprintf(&b, "%-9s %s\n", row.name, row.text)
		}
	}
	command := strings.Join(terminal.VisibleLines(c.result.Curl), "\n")
	if len(command) > longCommand {
		command = "conformance explain " + cut(c.result.Fixture, evidenceWidth) + " # shows the request, which is long"
	}
	return fenced("", strings.TrimSuffix(b.String(), "\n")) + fenced("sh", command)
}

// notes tell what is no failure, in a line each.
func (m *markdown) notes(r result.Report) {
	var parts []string
	for _, c := range causes(r, judge.WaivedViolation) {
		parts = append(parts, fmt.Sprintf("- waived: %s: %s%s\n", code(c.finding.Clause), prose(cut(c.finding.Waived, evidenceWidth)), inSome(c.fixtures)))
	}
	for _, c := range causes(r, judge.Warning) {
		parts = append(parts, fmt.Sprintf("- warning: %s: %s%s, for example %s: sent %s, got %s. It is %s.\n", code(c.finding.Clause), prose(sentence(c.finding)), inSome(c.fixtures),
			code(c.result.Fixture), code(sent(c.result)), code(answerInWords(c.result.Exchange)), prose(whyWarning(r, c.result, c.finding))))
	}
	reasons, fixtures := unjudged(r)
	for _, reason := range reasons {
		parts = append(parts, fmt.Sprintf("- unjudged: %s%s\n", prose(reason), inSome(fixtures[reason])))
	}
	if text, _ := excused(r); text != "" {
		parts = append(parts, fmt.Sprintf("- %s: %s\n", result.Skipped, prose(text)))
	}
	_, clauses := countClauses(r)
	for _, status := range []judge.ClauseStatus{judge.ClauseVacuous, judge.ClauseUnexercised} {
		if ids := clauses[status]; len(ids) > 0 {
			parts = append(parts, fmt.Sprintf("- %s: %s\n", status, prose(some(ids))))
		}
	}
	if len(parts) > 0 {
		m.WriteString("\n")
		m.add("note", parts)
	}
}

func inSome(fixtures []string) string { return strings.TrimPrefix(howMany(fixtures), " ") }

// observations is a table of how the target answers where the contract is
// silent.
func (m *markdown) observations(r result.Report) {
	if len(r.Observations) == 0 {
		return
	}
	p := page{Report: r}
	var rows []string
	says := texts(r)
	for _, o := range r.Observations {
		question := code(o.Clause)
		if says[o.Clause] != "" {
			question = prose(says[o.Clause]) + " " + question
		}
		rows = append(rows, fmt.Sprintf("| %s | %s |\n", question, prose(strings.Join(p.answers(o), ", "))))
	}
	const end = "\n</details>\n"
	m.room -= len(end)
	m.WriteString("\n<details><summary>where the contract is silent</summary>\n\n| question | answers (fixtures) |\n|---|---|\n")
	m.add("question", rows)
	m.WriteString(end)
}
