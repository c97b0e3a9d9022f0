package curl

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/replay"
)

// Again is like [Script], for a message with a known exchange. It accepts gzip if the response had
// a content coding. If a step got a 5xx, the script ends with that step.
func Again(target replay.Target, m fixtures.Message, x replay.Exchange) string {
	if x.Response != nil && x.Response.Coded {
		if _, own := fixtures.FindField(m.Header, "Accept-Encoding"); !own {
			m.Header = append(slices.Clone(m.Header), fixtures.Field{Name: "Accept-Encoding", Value: "gzip"})
		}
	}
	for i, step := range x.Steps[:min(len(x.Steps), len(m.Steps))] {
		if r := step.Exchange.Response; x.Response == nil && !step.Cleanup && r != nil && r.Status >= http.StatusInternalServerError {
			steps := m.Steps[:i]
			m = m.Steps[i].Message
			m.Steps = steps
			break
		}
	}
	return Script(target, m)
}

// Script is like [Command], for a message with steps. It takes the values that the next request
// needs from each response, and may need jq. For a message without steps it returns the command of
// the message, together with the command of its companion.
func Script(target replay.Target, m fixtures.Message) string {
	if len(m.Steps)+len(m.Cleanup) == 0 {
		return inCompany(target, m)
	}
	s := script{target: target, values: fixtures.Values{}, variables: map[string]string{}, addresses: map[string]bool{}}
	requests := lists.Map(m.Steps, s.request)
	judged := m
	judged.Steps, judged.Cleanup = nil, nil
	requests = append(requests, s.request(fixtures.Step{ID: m.Step, Message: judged, Outputs: m.Outputs}))
	last := len(requests) - 1
	for _, step := range m.Cleanup {
		requests = append(requests, s.request(step))
	}
	text, isList := "", false
	for i, r := range slices.Backward(requests) { // later requests decide which values to take
		one := s.take(r, text)
		switch {
		case text == "":
			text = one
		case i >= last && one == r.command:
			text, isList = one+"; "+text, true // run the clean-up even if this request fails
		case isList: // without the values, the clean-up would remove something else
			text, isList = one+" && { "+text+"; }", false
		default:
			text = one + " && " + text
		}
	}
	return text
}

func inCompany(target replay.Target, m fixtures.Message) string {
	command := Command(target, m)
	switch {
	case m.After != nil:
		before := Command(target, *m.After)
		if options, isCurl := strings.CutPrefix(command, "curl "); isCurl && strings.HasPrefix(before, "curl ") {
			return before + " --next " + options
		}
		return before + "; " + command
	case m.Beside != nil:
		return Command(target, *m.Beside) + " & " + command + "; wait"
	}
	return command
}

type script struct {
	target    replay.Target
	values    fixtures.Values
	variables map[string]string // shell variables, by the placeholder word in a command
	addresses map[string]bool   // the placeholder words for a Location
}

// A request is one request of a script, with variables instead of values.
type request struct {
	step    fixtures.Step
	command string
}

// request writes the command of a step. Later requests may use its outputs.
func (s *script) request(step fixtures.Step) request {
	m, _ := step.Message.Completed(s.values) // on error, m keeps its expressions
	command := inCompany(s.target, m)
	if m.After != nil { // no later request needs the response to m.After
		command = strings.Replace(command, " --next ", " -o /dev/null --next ", 1)
	}
	r := request{step, s.filled(command)}
	for i, o := range step.Outputs {
		if at := slices.IndexFunc(o.From, fixtures.Place.IsSent); at >= 0 { // the value is known now
			if value, ok := (fixtures.Output{From: o.From[at:]}).Read(fixtures.Sent{Method: m.Method, Body: m.Body}, 0, nil, nil); ok {
				s.values[step.ID+"."+o.Name] = value
				continue
			}
		}
		word := fmt.Sprintf("conformance-output-%d-%d-", len(s.values), i)
		s.values[step.ID+"."+o.Name] = `"` + word + `"`
		s.variables[word] = variable(step, o)
		s.addresses[word] = strings.EqualFold(string(place(o)), "$response.header.Location")
	}
	return r
}

func variable(step fixtures.Step, o fixtures.Output) string {
	return strings.ReplaceAll("step_"+step.ID+"_"+o.Name, "-", "_")
}

// filled puts the variables into a command. If a JSON string contains only the variable, the
// JSON value of any type replaces the string.
func (s *script) filled(command string) string {
	for word, name := range s.variables {
		for _, form := range []struct{ text, variable string }{{`"` + word + `"`, name + "_json"}, {word, name}} {
			for {
				before, after, found := strings.Cut(command, form.text)
				if !found {
					break
				}
				value := "${" + form.variable + "}"
				if s.addresses[word] && strings.HasSuffix(before, "/") {
					value = "${" + form.variable + "##*/}" // a path uses the last segment of an address
				}
				if !inDoubleQuotes(before) {
					value = `'"` + value + `"'`
				}
				command = before + value + after
			}
		}
	}
	return strings.ReplaceAll(command, `}"'' `, `}" `)
}

// inDoubleQuotes reports whether this beginning of a command ends within double quotes.
func inDoubleQuotes(command string) bool {
	single, double := false, false
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\\' && !single:
			i++
		case c == '\'' && !double:
			single = !single
		case c == '"' && !single:
			double = !double
		}
	}
	return double
}

// take returns the command of a request. It prints the response and stores the values that rest
// uses in variables. It fails if a value is missing.
func (s *script) take(r request, rest string) string {
	var parts []string
	for _, o := range r.step.Outputs {
		for _, form := range []struct{ suffix, flag string }{{"", "-er"}, {"_json", "-ec"}} {
			name := variable(r.step, o) + form.suffix
			if strings.Contains(rest, "${"+name+"}") || strings.Contains(rest, "${"+name+"##*/}") {
				parts = append(parts, name+`=$(printf '%s\n' "$response" | `+filter(o, form.flag)+")")
			}
		}
	}
	if parts == nil {
		return r.command
	}
	return "response=$(" + r.command + `) && printf '%s\n' "$response" && ` + strings.Join(parts, " && ")
}

// place returns the first place of an output that is in the body, or else the first place.
func place(o fixtures.Output) fixtures.Place {
	return o.From[max(0, slices.IndexFunc(o.From, inBody))]
}

func inBody(p fixtures.Place) bool {
	_, inHeader := p.Header()
	return !inHeader && !p.IsStatus() && !p.IsSent()
}

// filter returns the command that extracts an output from a response with its header.
func filter(o fixtures.Output, flag string) string {
	first := place(o)
	if name, ok := first.Header(); ok && strings.EqualFold(name, "Set-Cookie") {
		return `tr -d '\r' | sed -n 's/^set-cookie: *\([^;]*\).*/\1/Ip' | paste -sd ';' -`
	} else if ok {
		return "tr -d '\\r' | sed -n 's/^" + strings.ToLower(name) + ": *//Ip' | grep ."
	}
	if first.IsStatus() {
		return `sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p'`
	}
	paths := lists.Map(lists.Filter(o.From, inBody), jqPath)
	return `sed '1,/^\r*$/d' | jq ` + flag + " " + quote(strings.Join(paths, " // "))
}

func jqPath(p fixtures.Place) string {
	var path strings.Builder
	path.WriteByte('.')
	for _, key := range p.Path() {
		if strings.Trim(key, "0123456789") != "" {
			key = strconv.Quote(key)
		}
		path.WriteString("[" + key + "]")
	}
	return path.String()
}
