package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
)

// argued are the survivors that are no gap, each with its reason: a line that
// names the mutant, and below it, indented, the reason.
type argued map[string]string

func readArgued(name string) (argued, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list := argued{}
	key := ""
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, " ") && key != "":
			list[key] += strings.TrimSpace(line)
		case list[line] != "":
			return nil, fmt.Errorf("%s: argued twice: %s", name, line)
		default:
			key = line
			list[key] = ""
		}
	}
	for key, reason := range list {
		if reason == "" {
			return nil, fmt.Errorf("%s: no reason for %s", name, key)
		}
	}
	return list, lines.Err()
}

func (a argued) has(key string) bool { return a[key] != "" }

// stale are the keys of the program's files that name no survivor.
func (a argued) stale(p *program, survivors []*mutant) []string {
	var list []string
	for key := range a {
		file, _, _ := strings.Cut(key, " ")
		mine := slices.ContainsFunc(p.files, func(f *sourceFile) bool { return f.name == file })
		if mine && !slices.ContainsFunc(survivors, func(m *mutant) bool { return m.key() == key }) {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}
