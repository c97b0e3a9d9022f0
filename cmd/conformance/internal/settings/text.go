package settings

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/plantstore/conformance/spec/document"
)

var (
	plainWord   = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9/._+=-]*(:[A-Za-z0-9/._+=-]+)*$`)
	plainNumber = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?$`)
	plainAmount = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?(ms|s|m|h|/|[kKMG]i?B)[0-9hms]*$`) // a time, a part or a size
	otherKind   = regexp.MustCompile(`^(?i:null|true|false|yes|no|on|off|[yn])$`)          // in some YAML or other
)

// Quote writes a text as YAML that [LoadFile] reads as that text: as it is where
// no reader of YAML could mistake it, and otherwise in quotes.
func Quote(text string) string {
	switch {
	case text == "true" || text == "false", plainNumber.MatchString(text), plainAmount.MatchString(text):
		return text
	case plainWord.MatchString(text) && !otherKind.MatchString(text):
		return text
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return strconv.QuoteToASCII(text) // whose escapes are YAML's as well
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// variable is ${NAME}, or ${ and the rest of a text that does not end it.
var variable = regexp.MustCompile(`\$\{[^}]*\}?`)

// expand puts the environment's values in the place of ${NAME}.
func expand(text string) (string, error) {
	var err error
	expanded := variable.ReplaceAllStringFunc(text, func(found string) string {
		name, ended := strings.CutSuffix(strings.TrimPrefix(found, "${"), "}")
		value := os.Getenv(name)
		switch {
		case !ended:
			err = cmp.Or(err, errors.New("${ has no } after it"))
		case value == "":
			err = cmp.Or(err, fmt.Errorf("the environment variable %s is not set, or is empty", name))
		}
		return value
	})
	if err != nil {
		return "", err
	}
	return expanded, nil
}

// WithoutVariables is what a text holds itself, each ${NAME} in it left out.
func WithoutVariables(text string) string {
	if last := strings.LastIndex(text, "${"); last >= 0 && !strings.Contains(text[last:], "}") {
		return text
	}
	return variable.ReplaceAllString(text, "")
}

// HasVariables reports whether a file would take a part of the text for a
// variable.
func HasVariables(text string) bool { return strings.Contains(text, "${") }

// withoutExcerpt keeps the line that an error is about out of it.
func withoutExcerpt(err error) error {
	if fault, ok := errors.AsType[*document.Error](err); ok {
		bare := *fault
		bare.Excerpt = ""
		return &bare
	}
	return err
}

// parse words what the parser says against a file for those who write texts and
// no YAML.
func parse(path string, data []byte) (*document.Node, error) {
	root, err := document.Parse(path, data)
	if fault, ok := errors.AsType[*document.Error](err); ok {
		worded := *fault
		worded.Message = withoutValue(fault.Message) + quoting(fault.Excerpt)
		return nil, &worded
	}
	return root, err
}

// withoutValue leaves out what a message repeats of the file: a number that is
// none, and an alias, come first in it.
func withoutValue(message string) string {
	if strings.IndexAny(message, "*+-.0123456789") != 0 {
		return message
	}
	_, rest, _ := strings.Cut(message, " ")
	return "the value " + rest
}

// lineValue finds what a line says, behind its key or in a list.
var lineValue = regexp.MustCompile(`^[ -]*(?:[A-Za-z_-]+: +)?\[? *(.*)`)

// quoting is the way out where a line that is no YAML holds a text that would be
// some in quotes.
func quoting(line string) string {
	value, _, _ := strings.Cut(lineValue.FindStringSubmatch(line)[1], " #")
	switch {
	case value == "" || strings.ContainsAny(value[:1], `"'{`):
	case strings.ContainsAny(value[:1], "*&!%@`"):
		return fmt.Sprintf("; a value that begins with %s must be in quotes", value[:1])
	case strings.Contains(value, ": "):
		return `; a value with ": " in it must be in quotes`
	}
	return ""
}
