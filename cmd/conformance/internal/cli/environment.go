package cli

import (
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// checkEnvironment refuses a variable of this program that no command knows. It
// is probably misspelled, and the command would not do what its user thinks.
func (p *Program) checkEnvironment() error {
	all, known := p.flags(), slices.Clone(p.Variables)
	for _, f := range all {
		if f.Variable != "" {
			known = append(known, f.Variable)
		}
	}
	entries := os.Environ()
	slices.Sort(entries)
	for _, entry := range entries {
		name, _, _ := strings.Cut(entry, "=")
		if runtime.GOOS == "windows" { // where case does not matter
			name = strings.ToUpper(name)
		}
		if slices.ContainsFunc(known, func(k string) bool { return isVariable(k, name) }) || kubernetesVariable.MatchString(entry) {
			continue
		}
		if meant := misspelled(name, known); meant != "" {
			return Usagef("unknown environment variable %s; did you mean %s?", name, meant)
		}
		if strings.HasPrefix(name, variablePrefix) {
			return unknownVariable(name, all)
		}
	}
	return nil
}

// isVariable reports whether a known variable, or prefix, has this name.
func isVariable(known, name string) bool {
	prefix, isPrefix := strings.CutSuffix(known, "*")
	return known == name || isPrefix && len(name) > len(prefix) && strings.HasPrefix(name, prefix)
}

// misspelled is the variable that was probably meant by a name, or "".
func misspelled(name string, known []string) string {
	if rest, ok := strings.CutPrefix(name, variablePrefix); ok {
		var rests []string
		for _, k := range known {
			rests = append(rests, strings.TrimPrefix(k, variablePrefix))
		}
		if meant := closest(rest, rests); meant != "" {
			return variablePrefix + meant
		}
		return ""
	}
	const slips = 2 // a name with another prefix and no more mistakes is taken for one of these
	upper := strings.ToUpper(name)
	if !slices.ContainsFunc([]string{"CONF", "ORMA", "NCE_"}, func(part string) bool { return strings.Contains(upper, part) }) {
		return "" // two slips change at most two of the three parts of the prefix
	}
	if i := slices.IndexFunc(known, func(k string) bool { return editDistance(upper, k, slips) <= slips }); i >= 0 {
		return known[i]
	}
	return ""
}

// unknownVariable says what to do about a variable that resembles none.
func unknownVariable(name string, all Flags) error {
	for _, f := range all {
		if f.Repeatable && Variable(f.Name) == name {
			return Usagef("unknown environment variable %s; --%s is repeatable and has no variable: use the flag, or the key %s of %s", name, f.Name, f.Name, ConfigName)
		}
	}
	return Usagef("unknown environment variable %s; unset it or rename it (conformance run --help lists the variables)", name)
}

// kubernetesVariable matches what a pod gets for each service, also for one whose
// name begins with "conformance".
var kubernetesVariable = regexp.MustCompile(`^[A-Z0-9_]+_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?|PORT=(tcp|udp|sctp):.*)(=.*)?$`)
