package settings

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

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
		return fmt.Sprintf("; a value that begins with %s must stand in quotes", value[:1])
	case strings.Contains(value, ": "):
		return `; a value with ": " in it must stand in quotes`
	}
	return ""
}
