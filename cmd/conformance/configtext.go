package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plantstore/conformance/cmd/conformance/settings"
)

// line is one line of a configuration file.
type line struct {
	text    string
	comment string // behind it
	inert   bool   // the text is a comment itself
}

// file writes the settings as a configuration file that says the same again,
// as far as it may be shown.
func (e effective) file() string {
	lines := []line{
		{text: "Effective settings of `conformance run` in this folder, and their sources.", inert: true},
		{text: "config: " + e.configFrom(), inert: true},
		{text: "credential: " + e.credential(), inert: true},
	}
	if len(e.SecretHeaders) > 0 {
		lines = append(lines, line{text: secretHeadersVariable + ": " + strings.Join(e.SecretHeaders, ", ") + " (hidden)", inert: true})
	}
	category := ""
	for _, s := range e.Settings {
		if s.flag.category != category {
			category = s.flag.category
			lines = append(lines, line{}, line{text: category, inert: true})
		}
		lines = append(lines, s.lines()...)
	}
	return layOut(lines)
}

func (e effective) configFrom() string {
	if e.Config == nil {
		return "none"
	}
	return e.Config.Text + " (" + e.Config.From + ")"
}

func (e effective) credential() string {
	if e.Credential == "" {
		return "none"
	}
	return e.Credential + " (hidden)"
}

func (s effectiveSetting) lines() []line {
	switch {
	case len(s.Values) == 0 && s.flag.otherwise != "":
		return []line{{s.Key + ":", "not set: " + s.flag.otherwise, true}}
	case len(s.Values) == 0:
		return []line{{s.Key + ":", "not set", true}}
	case !s.flag.repeatable:
		v := s.Values[0]
		return []line{{s.Key + ": " + v.scalar(), v.From, v.inert()}}
	}
	list := []line{{text: s.Key + ":", inert: true}}
	for _, v := range s.Values {
		list = append(list, line{"  - " + v.scalar(), v.From, v.inert()})
		list[0].inert = list[0].inert && v.inert() // or the key would have no value
	}
	return list
}

func (v shown) scalar() string {
	if v.Hidden {
		return v.Text
	}
	return settings.Quote(v.Text)
}

func (v shown) inert() bool { return v.Hidden || v.flagOnly }

// layOut puts comments below each other, and above lines that leave them no
// room. A comment ends with its line, whatever a file is called.
func layOut(lines []line) string {
	const gap, widest = 3, 40 // of the texts that comments are aligned behind
	column := 0
	for i := range lines {
		l := &lines[i]
		l.text, l.comment = oneLine(l.text), oneLine(l.comment)
		if l.inert {
			l.text = "# " + l.text
		}
		if n := utf8.RuneCountInString(l.text); l.comment != "" && n <= widest {
			column = max(column, n+gap)
		}
	}
	var b strings.Builder
	for _, l := range lines {
		n := utf8.RuneCountInString(l.text)
		space := max(column-n, gap)
		switch {
		case l.comment == "":
			b.WriteString(l.text)
		case n+space+2+utf8.RuneCountInString(l.comment) > columns:
			b.WriteString("# " + l.comment + "\n" + l.text)
		default:
			b.WriteString(l.text + strings.Repeat(" ", space) + "# " + l.comment)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// oneLine keeps a text from ending its line.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}
