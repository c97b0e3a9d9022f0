// Package setting describes what is wrong with one setting of a run. The engine does not know
// whether a setting was given in Go, by a flag, by a variable or in a file. A caller that knows can
// name that place with [Error.About].
package setting

import "fmt"

// Error says what is wrong with a setting, so that a run cannot begin.
type Error struct {
	Name    string // of the setting, such as "base-url"; empty if it is about several
	Problem string // the sentence that follows the name, such as "is empty"
	Hint    string // what to do about it, if the problem does not say it; see [GiveToken]
}

// GiveToken is the hint that the target needs a credential.
const GiveToken = "give the credential as the token of the target"

// Errorf returns an [Error] about one setting. The text is the sentence that follows its name.
func Errorf(name, format string, args ...any) error {
	return &Error{Name: name, Problem: fmt.Sprintf(format, args...)}
}

// Error returns the sentence with the setting's own name.
func (e *Error) Error() string { return e.About(e.Name, e.Hint) }

// About returns the same sentence with another name for the setting, and another hint.
func (e *Error) About(name, hint string) string {
	text := e.Problem
	if e.Name != "" {
		text = name + " " + text
	}
	if hint != "" {
		text += "; " + hint
	}
	return text
}
