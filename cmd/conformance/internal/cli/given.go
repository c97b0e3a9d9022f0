package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/plantstore/conformance/suites/setting"
)

// Given is the text of a flag and the name under which the user gave it:
// --timeout, CONFORMANCE_TIMEOUT or conformance.yaml:3: timeout. The zero value
// is a flag that is not given.
type Given struct {
	Name, Text string
	From       Origin
	Written    string // in a file, the text with ${NAME} unexpanded
	Fault      error  // in a file, why there is no text
}

// Origin is where a flag was given. The first of these overrides the others.
type Origin int

// The origins, in the order of precedence.
const (
	ByFlag Origin = iota // or in the entry of --targets that it belongs to
	ByVariable
	ByFile
)

// UsageError is a mistake in how the command was called or in a file that it was
// given. Nothing was sent.
type UsageError struct{ error }

// Usagef makes a [UsageError].
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Misuse makes a [UsageError] of an error that is worded for the user.
func Misuse(err error) error { return UsageError{err} }

// Unwrap gives what the error was made of.
func (e UsageError) Unwrap() error { return e.error }

// MustBe is the error for a text that is not what its flag takes.
func (g Given) MustBe(what string) error {
	return Usagef("%s is %q; it must be %s", g.Name, g.Text, what)
}

// Unreadable is the error for a file or folder that cannot be read.
func (g Given) Unreadable(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err // the file is named already
	}
	return Usagef("%s cannot be read: %w", strings.TrimSpace(g.Name+" "+g.Text), err)
}

// GiveToken is how a user gives the credential.
const GiveToken = "give the credential with --token-file or CONFORMANCE_TOKEN"

// Refused words what the engine says against the setting, by the name under which
// it was given.
func (g Given) Refused(err error) error {
	if fault, ok := errors.AsType[*setting.Error](err); ok && fault.Name != "" {
		return Usagef("%s", fault.About(g.Name, hint(fault, GiveToken)))
	}
	return Usagef("%s: %w", g.Name, err)
}

// Explained words what the engine says against a setting by the name of its flag.
// The token is how a credential is given; other errors stay as they are.
func Explained(err error, token string) error {
	fault, ok := errors.AsType[*setting.Error](err)
	if !ok {
		return err
	}
	flag := "--" + strings.ReplaceAll(strings.ToLower(fault.Name), " ", "-")
	return Usagef("%s", fault.About(flag, hint(fault, token)))
}

func hint(fault *setting.Error, token string) string {
	if fault.Hint == setting.GiveToken {
		return token
	}
	return fault.Hint
}
