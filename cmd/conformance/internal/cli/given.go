package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/plantstore/conformance/suites/setting"
)

// Given is the text of a flag, and the name under which the user gave it: --timeout,
// CONFORMANCE_TIMEOUT or conformance.yaml:3: timeout. The zero value means that the flag is not
// given.
type Given struct {
	Name, Text string
	From       Origin
	Written    string // the text in a file, with ${NAME} not expanded
	Fault      error  // why a file gives no text
}

// Origin is where a flag was given. The first of these overrides the others.
type Origin int

// The origins, in order of precedence.
const (
	ByFlag Origin = iota // or in the flag's entry of --targets
	ByVariable
	ByFile
)

// UsageError is a mistake in a command line or in an input file. Nothing was sent.
type UsageError struct{ error }

// Usagef returns a [UsageError].
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Misuse makes an error a [UsageError]. The error is already worded for the user.
func Misuse(err error) error { return UsageError{err} }

// Unwrap returns the error inside.
func (e UsageError) Unwrap() error { return e.error }

// MustBe returns the error for a text that the flag does not accept.
func (g Given) MustBe(what string) error {
	return Usagef("%s is %q; it must be %s", g.Name, g.Text, what)
}

// Unreadable returns the error for a file or folder that cannot be read.
func (g Given) Unreadable(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err // the new error names the file
	}
	return Usagef("%s cannot be read: %w", strings.TrimSpace(g.Name+" "+g.Text), err)
}

// Failed returns the error for a file or folder: [Given.Unreadable] if it cannot be read, or else
// otherwise.
func (g Given) Failed(err, otherwise error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return g.Unreadable(err)
	}
	return otherwise
}

// GiveToken tells a user how to give the credential.
const GiveToken = "give the credential with --token-file or CONFORMANCE_TOKEN"

// Refused returns an error of the engine about the setting, with the name under which the user gave
// it.
func (g Given) Refused(err error) error {
	if fault, ok := errors.AsType[*setting.Error](err); ok && fault.Name != "" {
		return Usagef("%s", fault.About(g.Name, hint(fault, GiveToken)))
	}
	return Usagef("%s: %w", g.Name, err)
}

// Explained returns an error of the engine about a setting, with the name of its flag. token says
// how to give a credential. Other errors are not changed.
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

// Text takes any text.
func Text(into *string) func(Given) error {
	return func(g Given) error {
		*into = g.Text
		return nil
	}
}

// Texts takes any text, any number of times.
func Texts(into *[]string) func(Given) error {
	return func(g Given) error {
		*into = append(*into, g.Text)
		return nil
	}
}

// Keep takes a text to be parsed later, with the name under which it was given.
func Keep(into *Given) func(Given) error {
	return func(g Given) error {
		*into = g
		return nil
	}
}

// Named takes any text, and keeps the name under which it was given.
func Named(into *string, as *Given) func(Given) error {
	return func(g Given) error {
		*into, *as = g.Text, g
		return nil
	}
}

// Parsed takes a text that parse can read and valid accepts. For other texts the error says what
// the text must be.
func Parsed[T any](into *T, mustBe string, parse func(string) (T, error), valid func(T) bool) func(Given) error {
	return func(g Given) error {
		v, err := parse(g.Text)
		if err != nil || !valid(v) {
			return g.MustBe(mustBe)
		}
		*into = v
		return nil
	}
}

// OnOff takes true or false.
func OnOff(into *bool) func(Given) error {
	return Parsed(into, "true or false", strconv.ParseBool, func(bool) bool { return true })
}

// Choice takes one of the texts.
func Choice(into *string, choices ...string) func(Given) error {
	return Parsed(into, Enumerate(choices, "or"), func(text string) (string, error) { return text, nil }, func(text string) bool { return slices.Contains(choices, text) })
}

// Count takes a whole number from 1.
func Count(into *int) func(Given) error {
	return Parsed(into, "a whole number, at least 1", strconv.Atoi, func(n int) bool { return n >= 1 })
}

// CountUpTo takes a whole number from 1 to most.
func CountUpTo(most int, into *int) func(Given) error {
	return Parsed(into, "a whole number from 1 to "+strconv.Itoa(most), strconv.Atoi, func(n int) bool { return 1 <= n && n <= most })
}

// Percent takes a percentage, with or without its sign.
func Percent(into *float64) func(Given) error {
	return Parsed(into, "a percentage from 0 to 100, such as 80",
		func(text string) (float64, error) { return strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64) },
		func(n float64) bool { return n >= 0 && n <= 100 }) // false for NaN
}

// Seed takes a number other than 0, because 0 means a random seed.
func Seed(into *uint64) func(Given) error {
	return Parsed(into, "a whole number from 1 to 18446744073709551615",
		func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) },
		func(n uint64) bool { return n > 0 })
}

// Rate takes a number per second.
func Rate(into *float64) func(Given) error {
	return Parsed(into, "a number of requests per second; 0 is no limit",
		func(text string) (float64, error) { return strconv.ParseFloat(text, 64) },
		func(n float64) bool { return n >= 0 && !math.IsInf(n, 0) })
}

// Time takes a time, or 0s for none.
func Time(into *time.Duration) func(Given) error {
	return Parsed(into, "a time such as 10s or 1m30s, or 0s for none", time.ParseDuration, func(d time.Duration) bool { return d >= 0 })
}

// Timeout takes a time of more than 0s.
func Timeout(into *time.Duration) func(Given) error {
	return Parsed(into, "a time of more than 0s, such as 10s or 1m30s", time.ParseDuration, func(d time.Duration) bool { return d > 0 })
}

// Size takes a number of bytes, with or without a unit: 512, 64KiB, 1MB.
func Size(into *int64) func(Given) error {
	return Parsed(into, "a size such as 512, 64KiB or 1MiB", parseSize, func(n int64) bool { return n > 0 })
}

func parseSize(text string) (int64, error) {
	number, factor := text, int64(1)
	for _, unit := range []struct {
		suffix string
		factor int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}} {
		if rest, ok := strings.CutSuffix(text, unit.suffix); ok {
			number, factor = strings.TrimSpace(rest), unit.factor
			break
		}
	}
	const most = 1 << 40 // bytes; far more than any memory
	n, err := strconv.ParseInt(number, 10, 64)
	if n > most/factor {
		n = 0
	}
	return n * factor, err
}

// Arguments accepts from least to most arguments, none of them empty. missing and takes are error
// messages: what to name, and what the command takes.
func Arguments(least, most int, missing, takes string) func([]string) error {
	return func(args []string) error {
		switch {
		case len(args) < least, slices.Contains(args, ""):
			return Usagef("%s", missing)
		case len(args) > most:
			return Usagef("unexpected argument %q; %s", args[most], takes)
		}
		return nil
	}
}
