package main

import (
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// variablePrefix begins the name of every environment variable of this program.
const variablePrefix = "CONFORMANCE_"

// checkEnvironment refuses a variable of this program that no command knows: it
// is probably misspelled, and the run would be another one than meant.
func checkEnvironment() error {
	all := append(newOptions().flags(), newReportOptions().flags()...)
	known := []string{tokenVariable, secretHeadersVariable}
	for _, f := range all {
		if f.variable != "" {
			known = append(known, f.variable)
		}
	}
	entries := os.Environ()
	slices.Sort(entries)
	for _, entry := range entries {
		name, _, _ := strings.Cut(entry, "=")
		if runtime.GOOS == "windows" { // where case does not matter
			name = strings.ToUpper(name)
		}
		if slices.Contains(known, name) || isOfKubernetes(entry) {
			continue
		}
		if meant := misspelled(name, known); meant != "" {
			return usagef("unknown environment variable %s (did you mean %s?)", name, meant)
		}
		if strings.HasPrefix(name, variablePrefix) {
			return unknownVariable(name, all)
		}
	}
	return nil
}

// misspelled is the variable that was probably meant by a name; "" is none.
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
	const slips = 2 // as many as a name with another prefix may have and still be one of these
	if i := slices.IndexFunc(known, func(k string) bool { return editDistance(strings.ToUpper(name), k) <= slips }); i >= 0 {
		return known[i]
	}
	return ""
}

// unknownVariable says what to do about a variable that resembles none.
func unknownVariable(name string, all flags) error {
	for _, f := range all {
		if f.repeatable && variable(f.name) == name {
			return usagef("unknown environment variable %s; --%s is repeatable and has no variable: use the flag, or the key %s of %s", name, f.name, f.name, configName)
		}
	}
	return usagef("unknown environment variable %s; unset it or rename it (conformance run --help lists the variables)", name)
}

// kubernetesVariable matches what a pod gets for each service, also for one whose
// name begins with "conformance".
var kubernetesVariable = regexp.MustCompile(`^[A-Z0-9_]+_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?|PORT=(tcp|udp|sctp):.*)(=.*)?$`)

func isOfKubernetes(entry string) bool { return kubernetesVariable.MatchString(entry) }
