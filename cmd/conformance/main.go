// Command conformance tests whether a service conforms to its OpenAPI contract.
//
//	conformance run --base-url https://store.example --token-file token
//
// It sends the fixtures' requests to the service, judges each response and says
// conformant, nonconformant or inconclusive, with the evidence. `conformance
// --help` lists its commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/verdict"
)

func main() {
	// Otherwise net/http logs problems with a target's HTTP/2 to standard error.
	log.SetOutput(io.Discard)
	var floor []byte
	if os.Getenv("GOGC") == "" {
		// A body of 1 MiB may hold 500,000 values, which take 20 times its size. The garbage that
		// they leave must not double that. A list needs only the contract: with a higher
		// percentage, a large one is listed a quarter faster.
		const judging, listing = 50, 120 // percent
		percent := judging
		if len(os.Args) > 1 && os.Args[1] == "list" {
			percent = listing
		}
		// A small run sends its first request before the first collection. That collection frees
		// the sentinel, whose cleanup sets the percentage.
		const first = 300 // percent of 4 MiB
		debug.SetGCPercent(first)
		sentinel := new([]byte)
		runtime.AddCleanup(sentinel, func(percent int) { debug.SetGCPercent(percent) }, percent)
		// Without this block, the collector would run ten times before the heap is as large as the
		// block. It takes no physical memory, because nothing is written to it.
		floor = make([]byte, 8<<20)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		// The first signal ends the run in good order, the second at once. The second is handled
		// here to give a known exit code.
		<-signals
		interrupt()
		<-signals
		fmt.Fprintln(os.Stderr, "conformance: interrupted twice; there is no verdict, reports are incomplete, and what the run created may remain")
		os.Exit(exitInconclusive)
	}()
	code := guarded(ctx, os.Args, output.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	runtime.KeepAlive(floor)
	os.Exit(code)
}

// guarded calls execute. After a panic it returns 3: Go would exit with 2, which means here that
// nothing was sent.
func guarded(ctx context.Context, args []string, streams output.Streams) (code int) {
	defer func() {
		if reason := recover(); reason != nil {
			fmt.Fprintf(streams.Err, "conformance: a bug of this program, please report it: %v\n%s", reason, debug.Stack())
			code = exitInconclusive
		}
	}()
	return execute(ctx, args, streams)
}

// The exit codes, and their description in the help.
const (
	exitConformant    = 0
	exitNonconformant = 1
	exitUsage         = 2
	exitInconclusive  = 3

	exitCodes = `Exit codes: 0 conformant, 1 nonconformant, 2 wrong usage (nothing was sent),
3 inconclusive.`
)

// The headings for flags that several commands use.
const (
	contractHeading = "Contract"
	requestsHeading = "Requests"
	outputHeading   = "Output"
)

func execute(ctx context.Context, args []string, s output.Streams) int {
	err := newProgram(s).Run(ctx, args) //nolint:contextcheck // a flag is taken where an interrupt ends the program, see cli.Interruptibly
	if _, told := errors.AsType[output.VerdictError](err); err != nil && !told {
		s.Complain(withSpec(args, err))
	}
	return exitCode(err)
}

// withSpec adds --spec, if it is in args, to each `conformance list` command in the error message.
func withSpec(args []string, err error) error {
	if given := regexp.MustCompile(`\n--spec[=\n]([^\n]*)`).FindStringSubmatch(strings.Join(args, "\n")); given != nil {
		listHint := regexp.MustCompile("`(conformance list [a-z]+)`")
		return errors.New(listHint.ReplaceAllString(output.Message(err), "`$1 --spec "+strings.ReplaceAll(given[1], "$", "$$")+"`"))
	}
	return err
}

func newProgram(s output.Streams) *cli.Program {
	version := &cli.Command{
		Name:  "version",
		Usage: "print the version, and that of the built-in contract",
		Run:   func(context.Context, *cli.Call) error { return printVersion(s) },
	}
	return &cli.Program{
		Name:  "conformance",
		Usage: "test whether a service conforms to its OpenAPI contract",
		Description: `Sends requests to a service, judges each response against the contract and
says conformant, nonconformant or inconclusive, with the evidence.

` + exitCodes,
		Commands:  []*cli.Command{newRun(s), newInit(s), newDerive(s), newConfig(s), newVerify(s), newReport(s), newCompare(s), newCleanup(s), newList(s), newExplain(s), newSelftest(s), version},
		Variables: []string{target.TokenVariable, target.SecretHeadersVariable, replay.CredentialPrefix + "*"},
		Version:   func() error { return printVersion(s) },
		Out:       s.Out,
		Err:       s.Err,
	}
}

func exitCode(err error) int {
	if err == nil {
		return exitConformant
	}
	if _, ok := errors.AsType[cli.UsageError](err); ok || errors.Is(err, suites.ErrConfig) {
		return exitUsage
	}
	if told, ok := errors.AsType[output.VerdictError](err); ok && verdict.Verdict(told) == verdict.Nonconformant {
		return exitNonconformant
	}
	return exitInconclusive
}

func printVersion(s output.Streams) error {
	contract, err := spec.PlantStore()
	if err != nil {
		return fmt.Errorf("reading the built-in contract: %w", err)
	}
	v := suites.Version()
	return s.Print(fmt.Sprintf("conformance %s (commit %s, %s %s/%s)\ncontract    %s %s\nsha256      %s\n",
		v.Version, v.Commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, contract.Title, contract.Version, contract.SHA256))
}
