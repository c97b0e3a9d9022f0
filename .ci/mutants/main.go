// Command mutants changes the judge and the checks of the contract in one
// place at a time and shows that some test notices: each condition negated or
// left out, each case never taken, each comparison turned round or moved by
// one, each statement removed. A mutant that no test notices is a survivor;
// it needs a test, or a reason in argued.txt.
//
// All mutants of a package are compiled into one program, each behind a
// condition, and an environment variable says which one is active.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

func main() {
	own := flag.Bool("own", false, "ask only the package's own tests")
	files := flag.String("files", "", "only files of these names, separated by commas")
	workers := flag.Int("workers", 2, "how many mutants run at the same time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := run(ctx, options{*own, strings.FieldsFunc(*files, func(r rune) bool { return r == ',' }), *workers}, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || !ok {
		stop()
		os.Exit(1)
	}
}

type options struct {
	own     bool
	files   []string
	workers int
}

// rest are the packages whose tests are asked about survivors.
func rest() []string {
	return []string{"./spec/...", "./suites/...", "./fixtures", "./cmd/conformance/selftest"}
}

// tally counts what became of the mutants.
type tally struct{ all, own, rest, unviable, survived, argued int }

func run(ctx context.Context, o options, packages []string) (ok bool, err error) {
	reasons, err := readArgued(".ci/mutants/argued.txt")
	if err != nil {
		return false, err
	}
	var t tally
	ok = true
	for _, path := range packages {
		p, err := load(ctx, path, o.files)
		if err != nil {
			return false, err
		}
		survivors, err := p.try(ctx, o, &t)
		_ = os.RemoveAll(p.scratch)
		if err != nil {
			return false, err
		}
		for _, m := range survivors {
			if reasons.has(m.key()) {
				t.argued++
				continue
			}
			ok = false
			fmt.Printf("%s:%d survived, %s: %s\n", m.file, m.line, m.function, m.change)
		}
		if o.own {
			continue // what they miss, others may notice
		}
		for _, key := range reasons.stale(p, survivors) {
			ok = false
			fmt.Printf("argued.txt: no survivor any more: %s\n", key)
		}
	}
	fmt.Printf("mutants %d: killed by the package's own tests %d, by the rest %d, not viable %d, survived %d, of which argued %d\n",
		t.all, t.own, t.rest, t.unviable, t.survived, t.argued)
	return ok, nil
}

// load reads a package and makes its mutants.
func load(ctx context.Context, path string, only []string) (*program, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-f", `{{join .GoFiles "\n"}}`, "./"+path).Output()
	if err != nil {
		return nil, fmt.Errorf("listing the files of %s: %w", path, err)
	}
	p := &program{path: filepath.ToSlash(filepath.Clean(path))}
	id := 0
	for _, name := range strings.Fields(string(out)) {
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		name = p.path + "/" + name
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := newSourceFile(name, text, &id)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
	}
	if id == 0 {
		return nil, fmt.Errorf("%s: nothing to change", path)
	}
	if p.scratch, err = os.MkdirTemp("", "mutants"); err != nil {
		return nil, err
	}
	return p, p.compile(ctx)
}

// try runs the package's own tests against each mutant, and the rest against
// those that live.
func (p *program) try(ctx context.Context, o options, t *tally) ([]*mutant, error) {
	viable := slices.DeleteFunc(p.mutants(), func(m *mutant) bool { return m.unviable })
	t.all += len(p.mutants())
	t.unviable += len(p.mutants()) - len(viable)
	if err := p.build(ctx, []string{p.path}); err != nil {
		return nil, err
	}
	living := p.living(ctx, viable, o.workers)
	t.own += len(viable) - len(living)
	if !o.own && len(living) > 0 && ctx.Err() == nil {
		others, err := p.dependents(ctx)
		if err != nil {
			return nil, err
		}
		if err := p.build(ctx, others); err != nil {
			return nil, err
		}
		before := len(living)
		living = p.living(ctx, living, o.workers)
		t.rest += before - len(living)
	}
	t.survived += len(living)
	return living, ctx.Err()
}

func (p *program) living(ctx context.Context, mutants []*mutant, workers int) []*mutant {
	killed := make([]bool, len(mutants))
	var group sync.WaitGroup
	turns := make(chan struct{}, workers)
	for i, m := range mutants {
		turns <- struct{}{}
		group.Go(func() {
			if killed[i] = p.kill(ctx, m); !killed[i] {
				fmt.Fprintf(os.Stderr, "%d of %d lives: %s:%d %s\n", i+1, len(mutants), m.file, m.line, m.change)
			}
			<-turns
		})
	}
	group.Wait()
	var living []*mutant
	for i, m := range mutants {
		if !killed[i] {
			living = append(living, m)
		}
	}
	return living
}

// dependents are those of the rest whose tests run the package.
func (p *program) dependents(ctx context.Context) ([]string, error) {
	module, err := exec.CommandContext(ctx, "go", "list", "-m").Output()
	if err != nil {
		return nil, errors.Join(errors.New("asking for the module's name"), err)
	}
	prefix := strings.TrimSpace(string(module)) + "/"
	out, err := exec.CommandContext(ctx, "go", append([]string{"list"}, rest()...)...).Output()
	if err != nil {
		return nil, errors.Join(errors.New("listing the other packages"), err)
	}
	var found []string
	for _, path := range strings.Fields(string(out)) {
		deps, err := exec.CommandContext(ctx, "go", "list", "-test", "-deps", path).Output()
		if err != nil {
			return nil, errors.Join(errors.New("listing what "+path+" depends on"), err)
		}
		if path = strings.TrimPrefix(path, prefix); path != p.path && slices.Contains(strings.Fields(string(deps)), prefix+p.path) {
			found = append(found, path)
		}
	}
	return found, nil
}
