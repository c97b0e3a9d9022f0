package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// program is a package with all its mutants in it, and the tests that run it.
type program struct {
	path    string // of the package, from the root of the module
	files   []*sourceFile
	scratch string
	tests   []testBinary
}

// testBinary is the compiled test of one package.
type testBinary struct {
	path, dir string
	took      time.Duration // with no mutant active
}

// switchboard is the file that is added to the package.
const switchboard = `package %s

import (
	"os"
	"strconv"
)

var activeMutant, _ = strconv.Atoi(os.Getenv("MUTANT"))

func mutated(id int) bool { return id == activeMutant }

func mutatedInt[T int | int64 | uint | byte | rune](id int) T {
	if id == activeMutant {
		return 1
	}
	return 0
}
`

func (p *program) mutants() []*mutant {
	var all []*mutant
	for _, f := range p.files {
		all = append(all, f.mutants...)
	}
	return all
}

// overlay writes the mutated files and the list by which go finds them.
func (p *program) overlay() (string, error) {
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	write := func(name, text string) error {
		to := filepath.Join(p.scratch, filepath.Base(name))
		replace[filepath.Join(root, name)] = to
		return os.WriteFile(to, []byte(text), 0o600)
	}
	if err := write(filepath.Join(p.path, "zz_switchboard.go"), fmt.Sprintf(switchboard, p.files[0].syntax.Name.Name)); err != nil {
		return "", err
	}
	for _, f := range p.files {
		if err := write(f.name, f.mutated()); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(p.scratch, "overlay.json")
	return name, os.WriteFile(name, list, 0o600)
}

// compile builds the package, and leaves out what does not compile.
func (p *program) compile(ctx context.Context) error {
	for range len(p.mutants()) {
		overlay, err := p.overlay()
		if err != nil {
			return err
		}
		out, err := exec.CommandContext(ctx, "go", "build", "-gcflags=-e", "-overlay", overlay, "./"+p.path).CombinedOutput()
		if err == nil {
			return nil
		}
		if !p.leaveOut(out) {
			return fmt.Errorf("building the mutants of %s: %w\n%s", p.path, err, out)
		}
	}
	return fmt.Errorf("building the mutants of %s takes too many attempts", p.path)
}

var (
	compileError = regexp.MustCompile(`(?m)^(\S+\.go):(\d+)(?::(\d+))?: `) // far to the right there is no column
	guard        = regexp.MustCompile(`mutated(?:Int\[\w+\])?\((\d+)\)`)
)

// leaveOut takes the compiler's errors and marks the mutants that they come
// from: an integer of another type in that line, or the change before it.
func (p *program) leaveOut(errors []byte) bool {
	changed := map[int]bool{}
	for _, place := range compileError.FindAllStringSubmatch(string(errors), -1) {
		i := slices.IndexFunc(p.files, func(f *sourceFile) bool { return filepath.Base(f.name) == filepath.Base(place[1]) })
		if i < 0 {
			continue
		}
		line, _ := strconv.Atoi(place[2])
		column, err := strconv.Atoi(place[3])
		if err != nil {
			column = math.MaxInt
		}
		lines := strings.SplitAfter(p.files[i].mutated(), "\n")
		upTo := strings.Join(lines[:line-1], "") + lines[line-1][:min(column, len(lines[line-1]))]
		suspects := integers(p.files[i], lines[line-1])
		if before := guard.FindAllStringSubmatch(upTo, -1); len(suspects) == 0 && len(before) > 0 {
			suspects = append(suspects, p.files[i].byID(before[len(before)-1][1]))
		}
		for _, m := range suspects {
			if changed[m.id] {
				continue
			}
			changed[m.id] = true
			if m.kind++; !m.isInt || m.kind == len(intTypes) {
				m.kind, m.unviable = 0, true
			}
		}
	}
	return len(changed) > 0
}

func integers(f *sourceFile, line string) []*mutant {
	var found []*mutant
	for _, id := range guard.FindAllStringSubmatch(line, -1) {
		if m := f.byID(id[1]); m.isInt {
			found = append(found, m)
		}
	}
	return found
}

func (f *sourceFile) byID(text string) *mutant {
	id, _ := strconv.Atoi(text)
	return f.mutants[slices.IndexFunc(f.mutants, func(m *mutant) bool { return m.id == id })]
}

// build compiles the tests of packages, and runs each once without a mutant:
// the fastest will be asked first.
func (p *program) build(ctx context.Context, packages []string) error {
	p.tests = nil
	for _, path := range packages {
		name := filepath.Join(p.scratch, strings.ReplaceAll(path, "/", "-")+".test")
		out, err := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", filepath.Join(p.scratch, "overlay.json"), "-o", name, "./"+path).CombinedOutput()
		if err != nil {
			return fmt.Errorf("building the tests of %s: %w\n%s", path, err, out)
		}
		if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
			continue // it has none
		}
		t := testBinary{path: name, dir: path, took: time.Minute}
		started := time.Now()
		if out, ok := t.passes(ctx, -1, false); !ok {
			return fmt.Errorf("the tests of %s fail without a mutant:\n%s", path, out)
		}
		t.took = time.Since(started)
		p.tests = append(p.tests, t)
	}
	slices.SortFunc(p.tests, func(a, b testBinary) int { return int(a.took - b.took) })
	return nil
}

// limited runs a program with 4 GiB of address space: a mutant that eats memory
// is stopped, and so found.
const limited = `ulimit -v 4194304; exec "$0" "$@"`

// passes runs the tests with one mutant active. An endless loop does not pass.
func (t testBinary) passes(ctx context.Context, mutant int, short bool) (output []byte, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second+3*t.took)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", "-c", limited, t.path, "-test.failfast", "-test.short="+strconv.FormatBool(short))
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.dir, &out, &out
	cmd.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(mutant))
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	return out.Bytes(), err == nil
}

// kill says whether one of the tests notices a mutant. The package's own are
// asked for the short ones first, which notice most.
func (p *program) kill(ctx context.Context, m *mutant) bool {
	return slices.ContainsFunc(p.tests, func(t testBinary) bool {
		if t.dir == p.path {
			if _, passes := t.passes(ctx, m.id, true); !passes {
				return true
			}
		}
		_, passes := t.passes(ctx, m.id, false)
		return !passes
	})
}
