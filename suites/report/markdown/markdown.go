// Package markdown writes a report for comments and summaries on GitHub.
package markdown

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// room is the maximum length of a GitHub comment, in characters. The code counts bytes, which
// are never fewer. topRoom and tailRoom are for what comes before and after the failures.
const (
	room     = 65536
	topRoom  = 24 << 10
	tailRoom = 12 << 10
)

// longCommand is the maximum length of a command, in bytes. Instead of a longer one, the report
// shows how to print it.
const longCommand = 4 << 10

// Write writes GitHub Flavored Markdown for a pull request comment or the summary of a workflow
// step: the verdict, the broken clauses, and each cause once. The output always fits into a
// comment: Write omits whole entries and says how many.
func Write(w io.Writer, r result.Report) error {
	top, tail := &part{room: topRoom}, &part{room: tailRoom}
	top.verdict(r)
	top.broken(r)
	tail.notes(r)
	tail.observations(r)
	failures := &part{room: room - top.Len() - tail.Len()}
	failures.failures(r)
	return terminal.WriteText(w, "the Markdown report", top.String()+failures.String()+tail.String())
}

// part is a part of the report that has room for a limited number of bytes.
type part struct {
	strings.Builder
	room int
}

// add writes parts until there is no more room, and then says how many are omitted.
func (m *part) add(what string, parts []string) {
	const note = 100 // bytes for the line about omitted parts
	for i, part := range parts {
		if m.Len()+len(part)+note > m.room {
			fmt.Fprintf(m, "\n%s omitted: there is no room for more.\n", judge.Number(len(parts)-i, what))
			return
		}
		m.WriteString(part)
	}
}

func (m *part) verdict(r result.Report) {
	mark := map[verdict.Verdict]string{verdict.Conformant: "✓ ", verdict.Nonconformant: "✗ ", verdict.Inconclusive: "⚠️ "}[words.Shade(r)]
	fmt.Fprintf(m, "### %s%s: %s\n\n", mark, prose(r.Headline), prose(r.Reason))
	what := prose(cmp.Or(r.Contract.String(), "the contract"))
	if who := r.Implementation.String(); who != "" {
		what += " · " + prose(who)
	}
	clauses, _ := words.CountClauses(r)
	fmt.Fprintf(m, "%s at %s\n\n- %s\n- %s\n", what, code(r.Target.BaseURL), r.Counts, clauses)
	if text := words.Hint(r); text != "" {
		fmt.Fprintf(m, "- hint: %s\n", prose(text))
	}
}

func (m *part) broken(r result.Report) {
	rows := lists.Map(words.BrokenClauses(r), func(row words.Broken) string {
		return fmt.Sprintf("| %s (%s) | %s | %s | %d |\n",
			code(row.ID), prose(words.Weight(row.Clause)), prose(row.Text), code(row.Example), row.Fixtures)
	})
	if len(rows) > 0 {
		m.WriteString("\n| broken clause | says | for example | fixtures |\n|---|---|---|--:|\n")
		m.add("broken clause", rows)
	}
}

// failures writes each fault that is a violation, with its plainest fixture and the text of the
// clause.
func (m *part) failures(r result.Report) {
	var parts []string
	for _, c := range words.Faults(r, judge.Violation) {
		text := verdict.ClauseNamed(r.Clauses, c.Finding.Clause).Text
		if text != "" {
			text = prose(text) + "\n\n"
		}
		parts = append(parts, fmt.Sprintf("\n<details><summary>%s breaks %s</summary>\n\n%s%s\n</details>\n",
			htmlCode(c.Result.Fixture), htmlCode(c.Finding.Clause), text, evidenceBlock(c)))
	}
	m.add("failure", parts)
}

// evidenceBlock returns the evidence that the console also shows.
func evidenceBlock(c *words.Cause) string {
	var b strings.Builder
	rows := words.EvidenceOf(c.Result, c.Finding)
	rows = append(rows,
		words.Evidence{Name: "at", Text: words.Line(strings.TrimPrefix(c.Places(), "  at "))},
		words.Evidence{Name: "likewise", Text: words.Line(c.Likewise())},
		words.Evidence{Name: "also", Text: words.Line(c.Also())})
	for _, row := range rows {
		if row.Text != "" {
			fmt.Fprintf(&b, "%-9s %s\n", row.Name, row.Text)
		}
	}
	command := terminal.VisibleText(c.Result.Curl)
	if len(command) > longCommand {
		command = "conformance explain " + words.Line(c.Result.Fixture) + " # shows the request, which is long"
	}
	return fenced("", strings.TrimSuffix(b.String(), "\n")) + fenced("sh", command)
}

// notes writes one line for each waived violation, warning, unreached operation, and reason why
// something was not tested or judged.
func (m *part) notes(r result.Report) {
	var parts []string
	for _, c := range words.Faults(r, judge.WaivedViolation) {
		parts = append(parts, fmt.Sprintf("- waived: %s: %s%s\n", code(c.Finding.Clause), prose(words.Line(c.Finding.Waived)), words.Several(c.Fixtures)))
	}
	for _, c := range words.Faults(r, judge.Warning) {
		parts = append(parts, fmt.Sprintf("- warning: %s: %s%s, for example %s: sent %s, got %s. It is %s.\n", code(c.Finding.Clause), prose(words.Sentence(c.Finding)), words.Several(c.Fixtures),
			code(c.Result.Fixture), code(words.Sent(c.Result)), code(words.AnswerInWords(c.Result.Exchange)), prose(c.Why)))
	}
	for _, text := range append(words.Unreached(r, false), words.Explored(r)) {
		if text == "" {
			continue
		}
		parts = append(parts, fmt.Sprintf("- %s\n", prose(text)))
	}
	for _, why := range words.Unjudged(r) {
		parts = append(parts, fmt.Sprintf("- unjudged: %s%s\n", prose(why.Text), words.Several(why.Fixtures)))
	}
	if why := words.Excused(r); why.Text != "" {
		parts = append(parts, fmt.Sprintf("- %s: %s\n", result.Skipped, prose(why.Text)))
	}
	_, clauses := words.CountClauses(r)
	for _, status := range []verdict.ClauseStatus{verdict.ClauseVacuous, verdict.ClauseUnexercised} {
		if ids := clauses[status]; len(ids) > 0 {
			parts = append(parts, fmt.Sprintf("- %s: %s\n", status, prose(words.Some(ids))))
		}
	}
	if len(parts) > 0 {
		m.WriteString("\n")
		m.add("note", parts)
	}
}

// observations writes a table of how the target answers where the contract is silent.
func (m *part) observations(r result.Report) {
	if len(r.Observations) == 0 {
		return
	}
	var rows []string
	for _, o := range r.Observations {
		question := code(o.Clause)
		if text := verdict.ClauseNamed(r.Clauses, o.Clause).Text; text != "" {
			question = prose(text) + " " + question
		}
		rows = append(rows, fmt.Sprintf("| %s | %s |\n", question, prose(strings.Join(words.Answers(o, false), ", "))))
	}
	const end = "\n</details>\n"
	m.room -= len(end)
	m.WriteString("\n<details><summary>where the contract is silent</summary>\n\n| question | answers (fixtures) |\n|---|---|\n")
	m.add("question", rows)
	m.WriteString(end)
}

// inlineWidth is the maximum length of a text within a line of Markdown, in characters.
const inlineWidth = 160

// Markdown can misread text in many ways, and GitHub adds mentions, references to issues and
// links. Neither happens in code. So a text is prose only if it certainly contains no markup.
// All other text becomes code.
var (
	harmlessProse = regexp.MustCompile(`^[\pL\pN ,.;:'"()/%=?§·…-]*$`)
	markedProse   = regexp.MustCompile(`(?i)^[-=:]|^\d+[.)]|://|www\.|:[\w-]+:|\bgh-\d`)
)

// prose returns a text for a line of Markdown, as code if it may contain markup.
func prose(text string) string {
	text = words.Cut(text, inlineWidth)
	if harmlessProse.MatchString(text) && !markedProse.MatchString(text) {
		return text
	}
	return code(text)
}

// code returns a text as code within a line or a table cell of Markdown. No character in it is
// markup.
func code[T ~string](id T) string {
	text := words.Cut(id, inlineWidth)
	if text == "" || strings.ContainsAny(text, "`|\\") || strings.TrimSpace(text) != text {
		return htmlCode(text) // backticks cannot quote it everywhere
	}
	return "`" + text + "`"
}

// htmlCode returns the same as an HTML element.
func htmlCode[T ~string](text T) string {
	var b strings.Builder
	for _, c := range words.Cut(text, inlineWidth) {
		if c < 0x80 && strings.ContainsRune("!\"#$%&'()*+.:;<=>?@[\\]^_`{|}~", c) {
			fmt.Fprintf(&b, "&#%d;", c)
		} else {
			b.WriteRune(c)
		}
	}
	return "<code>" + b.String() + "</code>"
}

var backticks = regexp.MustCompile("`+")

// fenced returns a block of code. Its fence is longer than any backticks in the text.
func fenced(language, text string) string {
	fence := "```"
	for _, run := range backticks.FindAllString(text, -1) {
		if len(run) >= len(fence) {
			fence = run + "`"
		}
	}
	return fence + language + "\n" + text + "\n" + fence + "\n"
}
