package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

// mustBe is the mistake of a text that is not what its flag takes.
func (g given) mustBe(what string) error {
	return usagef("%s is %q; it must be %s", g.name, g.text, what)
}

// unreadable is the mistake of naming a file or folder that cannot be read.
func (g given) unreadable(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err // the file is named already
	}
	return usagef("%s cannot be read: %w", strings.TrimSpace(g.name+" "+g.text), err)
}

// refused words what the engine says against a setting for the flag that set
// it. The engine's sentence begins with what it calls the setting.
func (g given) refused(err error, setting string) error {
	if rest, ok := strings.CutPrefix(err.Error(), setting+" "); ok {
		return usagef("%s %s", g.name, rest)
	}
	return usagef("%s: %w", g.name, err)
}

func takeText(into *string) func(given) error {
	return func(g given) error {
		*into = g.text
		return nil
	}
}

func takeTexts(into *[]string) func(given) error {
	return func(g given) error {
		*into = append(*into, g.text)
		return nil
	}
}

// takeGiven is for what is made sense of later, under the name it has.
func takeGiven(into *given) func(given) error {
	return func(g given) error {
		*into = g
		return nil
	}
}

// takeNamed is for a text that is right by itself, and may be wrong beside others.
func takeNamed(into *string, as *given) func(given) error {
	return func(g given) error {
		*into, *as = g.text, g
		return nil
	}
}

func takeSwitch(into *bool) func(given) error {
	return func(g given) error {
		on, err := strconv.ParseBool(g.text)
		if err != nil {
			return g.mustBe("true or false")
		}
		*into = on
		return nil
	}
}

func takeChoice(into *string, choices ...string) func(given) error {
	return func(g given) error {
		if !slices.Contains(choices, g.text) {
			return g.mustBe(enumerate(choices, "or"))
		}
		*into = g.text
		return nil
	}
}

func takeCount(into *int) func(given) error {
	return func(g given) error {
		n, err := strconv.Atoi(g.text)
		if err != nil || n < 1 {
			return g.mustBe("a whole number, at least 1")
		}
		*into = n
		return nil
	}
}

// takePercent is for a percentage, with or without its sign.
func takePercent(into *float64) func(given) error {
	return func(g given) error {
		n, err := strconv.ParseFloat(strings.TrimSuffix(g.text, "%"), 64)
		if err != nil || !(n >= 0 && n <= 100) { // NaN is neither
			return g.mustBe("a percentage from 0 to 100, such as 80")
		}
		*into = n
		return nil
	}
}

func takeDepth(into *int) func(given) error {
	return func(g given) error {
		n, err := strconv.Atoi(g.text)
		if err != nil || n < 1 || n > spec.MaxDepth {
			return g.mustBe(fmt.Sprintf("a whole number from 1 to %d", spec.MaxDepth))
		}
		*into = n
		return nil
	}
}

func takeSeed(into *uint64) func(given) error {
	return func(g given) error {
		n, err := strconv.ParseUint(g.text, 10, 64)
		if err != nil || n == 0 { // 0 would draw one
			return g.mustBe("a whole number from 1 to 18446744073709551615")
		}
		*into = n
		return nil
	}
}

// takeShard is for a part of a run: 2/4 is the second of four, and so is
// index:1/4, for those who number parts from 0, as Kubernetes does.
func takeShard(into *suites.Shard) func(given) error {
	return func(g given) error {
		text, fromZero := strings.CutPrefix(g.text, "index:")
		index, of, ok := strings.Cut(text, "/")
		i, err := strconv.Atoi(index)
		n, err2 := strconv.Atoi(of)
		if fromZero {
			i++
		}
		if !ok || err != nil || err2 != nil || i < 1 || i > n {
			return g.mustBe("a part and the number of parts, such as 2/4, or index:1/4 where parts are numbered from 0")
		}
		*into = suites.Shard{Index: i, Of: n}
		return nil
	}
}

func takeRate(into *float64) func(given) error {
	return func(g given) error {
		n, err := strconv.ParseFloat(g.text, 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) || n < 0 {
			return g.mustBe("a number of requests per second; 0 is no limit")
		}
		*into = n
		return nil
	}
}

// takeTime is for a time that may be none.
func takeTime(into *time.Duration) func(given) error {
	return func(g given) error {
		d, err := time.ParseDuration(g.text)
		if err != nil || d < 0 {
			return g.mustBe("a time such as 10s or 1m30s, or 0s for none")
		}
		*into = d
		return nil
	}
}

func takeTimeout(into *time.Duration) func(given) error {
	return func(g given) error {
		d, err := time.ParseDuration(g.text)
		if err != nil || d <= 0 {
			return g.mustBe("a time of more than 0s, such as 10s or 1m30s")
		}
		*into = d
		return nil
	}
}

// takeSize is for a number of bytes, with or without a unit: 512, 64KiB, 1MB.
func takeSize(into *int64) func(given) error {
	return func(g given) error {
		number, factor := g.text, int64(1)
		for _, unit := range []struct {
			suffix string
			factor int64
		}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}} {
			if rest, ok := strings.CutSuffix(g.text, unit.suffix); ok {
				number, factor = strings.TrimSpace(rest), unit.factor
				break
			}
		}
		const most = 1 << 40 // bytes; far more than any memory takes
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n < 1 || n > most/factor {
			return g.mustBe("a size such as 512, 64KiB or 1MiB")
		}
		*into = n * factor
		return nil
	}
}
