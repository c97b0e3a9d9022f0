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

// ConfigName is the configuration file that is read by default.
const ConfigName = "conformance.yaml"

// ConfigFlag returns the flag that names the configuration file. The file is read before any flag
// is taken.
func ConfigFlag() Flag {
	f := Value("config", "FILE", "read settings from FILE, whose keys are the flags of run; flags and variables override it", func(Given) error { return nil }).
		Path().Or(ConfigName + " in this folder, if there is one")
	f.Config = true
	return f
}

// Setting is a flag and the texts that were given for it.
type Setting struct {
	Flag
	Given []Given
}

// Call holds the arguments and settings of a command.
type Call struct {
	Args     []string
	Settings []Setting // in the order of the help
	Config   Given     // the configuration file; its Name is "" if it was found in this folder
}

// read finds the texts given for each flag, and the flag takes them. Precedence: flag, environment
// variable, configuration file. The Sources of urfave/cli have the same order, but no lists in a
// file, and their errors do not say where a text comes from.
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

// given returns the texts from the command line, otherwise from the environment, otherwise from the
// configuration file.
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

// GivenIn returns the texts that a file has under the name of the flag.
func (f Flag) GivenIn(file settings.Settings, from Origin) []Given {
	return lists.Map(file[f.Name], func(v settings.Value) Given {
		return Given{v.Place + ": " + f.Name, v.Text, from, v.Written, v.Fault}
	})
}

// configGiven returns the configuration file that the user names, or the one in this folder,
// without a name. It returns the zero value if there is neither.
func configGiven(t *typed) Given {
	if named := t.given(nil); len(named) > 0 {
		return named[0]
	}
	if _, err := os.Lstat(ConfigName); errors.Is(err, fs.ErrNotExist) {
		return Given{}
	}
	return Given{Text: ConfigName} // also for a broken link
}

// readConfig reads the configuration file. The file is the same for all commands, so it may contain
// keys that are not flags of this one.
func (p *Program) readConfig(g Given) (settings.Settings, error) {
	switch {
	case g == Given{}:
		// A file with almost the right name would be ignored, and the user would not notice.
		const near = "conformance.yml"
		if _, err := os.Lstat(near); err == nil {
			return nil, Usagef("%s is not read; call it %s, or name the file with --config", near, ConfigName)
		}
		return nil, nil
	case g.Text == "":
		return nil, nil // taking the flag returns the error
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

// UnknownKey returns the rest of the error for an unknown key: a suggestion, or the known keys. If
// the key looks like a credential, the error contains the given advice instead.
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

// checkEnvironment returns an error for an unknown variable of this program. It is probably
// misspelled, and ignoring it would surprise the user.
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
		if runtime.GOOS == "windows" { // case does not matter there
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

// misspelled returns the known variable that a name probably means, or "".
func misspelled(name string, known []string) string {
	if rest, ok := strings.CutPrefix(name, variablePrefix); ok {
		rests := lists.Map(known, func(k string) string { return strings.TrimPrefix(k, variablePrefix) })
		if meant := closest(rest, rests); meant != "" {
			return variablePrefix + meant
		}
		return ""
	}
	const slips = 2 // up to this many mistakes, a name with another prefix is seen as misspelled
	upper := strings.ToUpper(name)
	if !slices.ContainsFunc([]string{"CONF", "ORMA", "NCE_"}, func(part string) bool { return strings.Contains(upper, part) }) {
		return "" // two slips change at most two of the three parts of the prefix
	}
	if i := slices.IndexFunc(known, func(k string) bool { return editDistance(upper, k, slips) <= slips }); i >= 0 {
		return known[i]
	}
	return ""
}

// unknownVariable returns the error for an unknown variable that resembles no known one.
func unknownVariable(name string, all Flags) error {
	for _, f := range all {
		if f.Repeatable && Variable(f.Name) == name {
			return Usagef("unknown environment variable %s; --%s is repeatable and has no variable: use the flag, or the key %s of %s", name, f.Name, f.Name, ConfigName)
		}
	}
	return Usagef("unknown environment variable %s; unset it or rename it (conformance run --help lists the variables)", name)
}

// kubernetesVariable matches a variable that a pod gets for a service, whose name may begin with
// "conformance".
var kubernetesVariable = regexp.MustCompile(`^[A-Z0-9_]+_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?|PORT=(tcp|udp|sctp):.*)(=.*)?$`)
