package cli

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
	"github.com/plantstore/conformance/spec/lists"
)

// ConfigName is the configuration file that is read where none is named.
const ConfigName = "conformance.yaml"

// ConfigFlag names the file that holds what flags hold. It is read before any
// flag is taken.
func ConfigFlag() Flag {
	f := Value("config", "FILE", "read settings from FILE, whose keys are the flags of run; flags and variables override it", func(Given) error { return nil }).
		Path().Or(ConfigName + " in this folder, if there is one")
	f.Config = true
	return f
}

// Setting is a flag and what was given for it.
type Setting struct {
	Flag
	Given []Given
}

// Call is how a command was called.
type Call struct {
	Args     []string
	Settings []Setting // in the order of the help
	Config   Given     // the configuration file; without a name if it was found in this folder
}

// read finds what was given for each flag and hands it over. Precedence: flag,
// environment variable, configuration file. The Sources of urfave/cli have the
// same order, but no lists in a file, and their errors do not say where a text
// comes from.
func (p *Program) read(line []*typed, args []string) (*Call, error) {
	call := &Call{Args: args}
	if len(line) == 0 {
		return call, nil
	}
	if err := p.checkEnvironment(); err != nil {
		return nil, err
	}
	var file settings.Settings
	for _, t := range line {
		if t.flag.Config {
			var err error
			call.Config = configGiven(t)
			if file, err = p.readConfig(call.Config); err != nil {
				return nil, err
			}
		}
	}
	for _, t := range line {
		s := Setting{t.flag, t.given(file)}
		if t.flag.Config && call.Config != (Given{}) {
			s.Given = []Given{call.Config}
		}
		if err := t.flag.TakeAll(s.Given); err != nil {
			return nil, err
		}
		call.Settings = append(call.Settings, s)
	}
	return call, nil
}

// given is what the user says by the flag: on the command line, or else in the
// environment, or else in the configuration file.
func (t *typed) given(file settings.Settings) []Given {
	if len(t.texts) > 0 {
		return lists.Map(t.texts, func(text string) Given { return Given{Name: "--" + t.flag.Name, Text: text} })
	}
	if text, ok := os.LookupEnv(t.flag.Variable); ok {
		return []Given{{Name: t.flag.Variable, Text: text, From: ByVariable}}
	}
	if !t.flag.InFile {
		return nil
	}
	return t.flag.GivenIn(file, ByFile)
}

// GivenIn is what a file says by the name of the flag.
func (f Flag) GivenIn(file settings.Settings, from Origin) []Given {
	return lists.Map(file[f.Name], func(v settings.Value) Given {
		return Given{v.Place + ": " + f.Name, v.Text, from, v.Written, v.Fault}
	})
}

// configGiven is the configuration file that the user names, or without a name
// the one that is found in this folder. It is zero if there is none.
func configGiven(t *typed) Given {
	if named := t.given(nil); len(named) > 0 {
		return named[0]
	}
	if _, err := os.Lstat(ConfigName); errors.Is(err, fs.ErrNotExist) {
		return Given{}
	}
	return Given{Text: ConfigName} // even if it is a link that leads nowhere
}

// readConfig reads the configuration file. There is one for all commands, and so
// it may hold what is no flag of this one.
func (p *Program) readConfig(g Given) (settings.Settings, error) {
	switch {
	case g == Given{}:
		// Without a file that is almost called right, the run would not be the
		// one that its author thinks.
		const near = "conformance.yml"
		if _, err := os.Lstat(near); err == nil {
			return nil, Usagef("%s is not read; call it %s, or name the file with --config", near, ConfigName)
		}
		return nil, nil
	case g.Text == "":
		return nil, nil // the flag itself is refused when it is taken
	}
	var keys []settings.Key
	for _, f := range p.flags() {
		if f.InFile && !slices.ContainsFunc(keys, func(k settings.Key) bool { return k.Name == f.Name }) {
			keys = append(keys, f.Key())
		}
	}
	file, err := settings.LoadFile(g.Text, keys, UnknownKey("set CONFORMANCE_TOKEN to it, or name a file with token-file"))
	if err != nil {
		return nil, g.Failed(err, UsageError{err})
	}
	return file, nil
}

// UnknownKey words what follows the name of a key that a file cannot hold: what
// was probably meant, or else what there is. Users who write the credential itself
// into the file are told where it belongs.
func UnknownKey(credential string) settings.Unknown {
	return func(key string, known []string) string {
		name := strings.ReplaceAll(strings.ToLower(key), "_", "-") // as in the variables
		if slices.Contains([]string{"token", "password", "credential", "credentials", "secret"}, name[strings.LastIndexByte(name, '-')+1:]) {
			return "; no key takes the credential itself: " + credential
		}
		if meant := suggestion(name, known); meant != "" {
			return meant
		}
		return "; known are " + strings.Join(known, ", ")
	}
}

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
		isKnown := slices.ContainsFunc(known, func(k string) bool {
			prefix, isPrefix := strings.CutSuffix(k, "*")
			return k == name || isPrefix && len(name) > len(prefix) && strings.HasPrefix(name, prefix)
		})
		if isKnown || kubernetesVariable.MatchString(entry) {
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

// misspelled is the variable that was probably meant by a name, or "".
func misspelled(name string, known []string) string {
	if rest, ok := strings.CutPrefix(name, variablePrefix); ok {
		rests := lists.Map(known, func(k string) string { return strings.TrimPrefix(k, variablePrefix) })
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
