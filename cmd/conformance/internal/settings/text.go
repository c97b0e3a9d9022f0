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
	otherKind   = regexp.MustCompile(`^(?i:null|true|false|yes|no|on|off|[yn])$`)          // not strings in some versions of YAML
)

// Quote writes a text as YAML that [LoadFile] reads as the same text. It adds quotes only if a YAML
// parser could misread the text.
func Quote(text string) string {
	switch {
	case text == "true" || text == "false", plainNumber.MatchString(text), plainAmount.MatchString(text):
		return text
	case plainWord.MatchString(text) && !otherKind.MatchString(text):
		return text
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return strconv.QuoteToASCII(text) // YAML has the same escapes
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// variable matches ${NAME}, or an unclosed ${ and the rest of the text.
var variable = regexp.MustCompile(`\$\{[^}]*\}?`)

// expand replaces each ${NAME} by the value of the environment variable.
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

// WithoutVariables removes each ${NAME} from a text. It does not change a text with an unclosed ${.
func WithoutVariables(text string) string {
	if last := strings.LastIndex(text, "${"); last >= 0 && !strings.Contains(text[last:], "}") {
		return text
	}
	return variable.ReplaceAllString(text, "")
}

// HasVariables reports whether a file would expand a part of the text.
func HasVariables(text string) bool { return strings.Contains(text, "${") }

// withoutExcerpt removes the quoted line from an error.
func withoutExcerpt(err error) error {
	if fault, ok := errors.AsType[*document.Error](err); ok {
		bare := *fault
		bare.Excerpt = ""
		return &bare
	}
	return err
}

// parse reads YAML, and adds advice to errors for users who do not know YAML.
func parse(path string, data []byte) (*document.Node, error) {
	root, err := document.Parse(path, data)
	if fault, ok := errors.AsType[*document.Error](err); ok {
		worded := *fault
		worded.Hint = cmp.Or(fault.Hint, quoting(fault.Excerpt))
		return nil, &worded
	}
	return root, err
}

// lineValue finds the value in a line, after its key or in a list.
var lineValue = regexp.MustCompile(`^[ -]*(?:[A-Za-z_-]+: +)?\[? *(.*)`)

// quoting returns advice for a line that is valid YAML only with its value in quotes.
func quoting(line string) string {
	value, _, _ := strings.Cut(lineValue.FindStringSubmatch(line)[1], " #")
	switch {
	case value == "" || strings.ContainsAny(value[:1], `"'{`):
	case strings.ContainsAny(value[:1], "*&!%@`"):
		return fmt.Sprintf("a value that begins with %s must be in quotes", value[:1])
	case strings.Contains(value, ": "):
		return `a value with ": " in it must be in quotes`
	}
	return ""
}
