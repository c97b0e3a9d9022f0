package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/fleet"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/scaffold"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

type runOptions struct {
	fleet.Options
	dryRun bool
	finds  finds
}

func newRunOptions() *runOptions { return &runOptions{Options: fleet.NewOptions()} }

func (o *runOptions) flags() cli.Flags {
	c := &o.Config
	return slices.Concat(
		o.Options.Flags(),
		contractFlags(c),
		filterFlags(c),
		cli.In(contractHeading, exploreFlags(c, &o.finds)...).Filed(),
		cli.In(contractHeading,
			strictFlag(&c.Strict),
			cli.Switch("strict-spec", "make flaws of the contract errors; `conformance list notes` lists them", cli.OnOff(&c.StrictSpec)),
			cli.Value("min-coverage", "PERCENT", "make the verdict inconclusive if less than PERCENT of the must-clauses was tested (passed or failed)", cli.Percent(&c.MinCoverage)).Or("no minimum"),
			cli.Switch("quick", "send only the plainest fixtures", cli.OnOff(&c.Quick)),
			cli.Switch("read-only", "send only requests that read: GET, HEAD, OPTIONS", cli.OnOff(&c.ReadOnly)),
			cli.Switch("unsafe", "also send derived requests that may change or remove resources that the run did not create", cli.OnOff(&c.Unsafe)),
			cli.Value("tries", "N", "try each request that must be rejected N times; those that --quick excludes, once, and derived ones, too, unless this flag is given", cli.Count(&c.Tries)).DefaultsTo(strconv.Itoa(suites.DefaultTries)),
			target.WaiversFlag("run", &c.Waivers),
			cli.Value("shard", "I/N", "run part I of N, of the fixtures or of --targets; use the same --seed for all parts, and merge their reports by `conformance report`; index:I/N counts from 0", takeShard(&c.Shard)),
			cli.Value("seed", "N", "draw ids from N; the same seed sends the same bytes, except for the run's id in User-Agent, so a service that keeps its data may reject the ids of an earlier run", cli.Seed(&c.Seed)).Or("a new one"),
		),
		cli.In(requestsHeading,
			cli.Value("concurrency", "N", "maximum concurrent requests, over all targets", cli.Count(&c.Limits.Concurrency)).DefaultsTo(strconv.Itoa(c.Limits.Concurrency)),
			cli.Value("rate", "N", "maximum requests per second, to each target", cli.Rate(&c.Limits.Rate)).Or("no limit"),
			cli.Value("max-requests", "N", "maximum requests to each target, including retries, but not those of --wait", cli.Count(&c.Limits.MaxRequests)).Or(fmt.Sprintf("no limit; derived: %d an operation, %d to %d", suites.RequestsPerOperation, suites.FewestRequests, suites.MostRequests)),
			cli.Value("timeout", "TIME", "time limit for one request, until its response is complete; a response that exceeds it is a violation", cli.Timeout(&c.Limits.Timeout)).DefaultsTo(c.Limits.Timeout.String()),
			cli.Value("deadline", "TIME", "time limit for the run against each target, after --wait; 0s means none", cli.Time(&c.Deadline)).DefaultsTo(c.Deadline.String()),
		),
		cli.In(requestsHeading, limitFlags(c)...),
		o.TLSFlags(),
		cli.In(outputHeading,
			o.View.ReportFlag(),
			o.Matrix.Flag(),
			cli.Switch("dry-run", "print the requests as curl commands; send nothing, and write no report", cli.OnOff(&o.dryRun)),
		),
		cli.In(outputHeading, o.View.ConsoleFlags()...),
	).Filed()
}

func strictFlag(into *bool) cli.Flag {
	return cli.Switch("strict", "make warnings and undeclared statuses violations", cli.OnOff(into))
}

// limitFlags returns the flags that limit how much of a response is read.
func limitFlags(c *suites.Config) cli.Flags {
	return cli.Flags{
		cli.Value("max-body", "SIZE", "maximum size of a response body, such as 2MiB; a larger one is unjudged", cli.Size(&c.Limits.MaxBody)).DefaultsTo(fmt.Sprintf("%dMiB", c.Limits.MaxBody>>20)),
		cli.Value("max-header", "SIZE", "maximum size of response headers, such as 1MiB; larger ones are unjudged", cli.Size(&c.Limits.MaxHeader)).DefaultsTo(fmt.Sprintf("%dKiB", c.Limits.MaxHeader>>10)),
		cli.Value("max-depth", "N", "maximum nesting of JSON in a response; a deeper body is unjudged", cli.CountUpTo(instance.MaxDepth, &c.JSON.Depth)).DefaultsTo(strconv.Itoa(instance.DefaultLimits().Depth)),
		cli.Value("max-number", "N", "maximum length of a JSON number in a response, in characters; a body with a longer one is unjudged", cli.Count(&c.JSON.NumberLength)).DefaultsTo(strconv.Itoa(instance.DefaultLimits().NumberLength)),
	}
}

// takeShard parses a part of a run. 2/4 is the second of four parts, and so is index:1/4, for tools
// such as Kubernetes that count from 0.
func takeShard(into *suites.Shard) func(cli.Given) error {
	return cli.Parsed(into, "a part and the number of parts, such as 2/4, or index:1/4 where parts are numbered from 0",
		func(text string) (suites.Shard, error) {
			text, fromZero := strings.CutPrefix(text, "index:")
			index, of, _ := strings.Cut(text, "/")
			i, err := strconv.Atoi(index)
			n, err2 := strconv.Atoi(of)
			if fromZero {
				i++
			}
			return suites.Shard{Index: i, Of: n}, errors.Join(err, err2)
		},
		func(s suites.Shard) bool { return 1 <= s.Index && s.Index <= s.Of })
}

func newRun(s output.Streams) *cli.Command {
	o := newRunOptions()
	return &cli.Command{
		Name:     "run",
		Usage:    "test a service and give the verdict",
		Synopsis: "[--base-url URL --token-file FILE] [flags]",
		Description: `Without --base-url the bundled reference is started on a loopback port and
tested. With it, a run first says how many requests it sends, and how many of
them may create data. Most names begin with "conformance ", so that you can
find and remove what was created. Where the contract has an operation for it,
the run removes what it created. Derived requests change and remove nothing
else, unless --unsafe is given.

A rejection counts only if the service accepts the same request without the
fault. Requests that must be rejected are sent before and after valid ones.

[$VARIABLE] is the environment variable of a flag. Precedence: flag,
variable, configuration file. An unknown CONFORMANCE_* variable is an error.

` + exitCodes,
		Flags: o.flags(),
		Run: func(ctx context.Context, call *cli.Call) error {
			o.View.Files.Inputs = output.InputsOf(call.Settings)
			several, err := o.Several()
			switch {
			case err != nil:
				return err
			case several:
				return o.runAll(ctx, s)
			}
			return o.runOne(ctx, s)
		},
	}
}

// runOne tests one service. It reports every mistake in the flags before it writes or sends
// anything.
func (o *runOptions) runOne(ctx context.Context, s output.Streams) error {
	selected, err := cli.Interruptibly(ctx, func() (suites.Plan, error) {
		selected, err := o.check()
		if err != nil {
			return selected, err
		}
		return selected, o.ReadCredentials(s.In)
	})
	if err != nil {
		return err
	}
	if o.dryRun {
		if err := o.View.Files.Check(); err != nil {
			return err
		}
		o.tellUnwritten(s.Err)
		return fleet.PrintRequests(s, "", o.Config, selected)
	}
	if err := o.View.Files.Open(s.Out, true); err != nil {
		return err
	}
	defer o.finds.tell(s.Err)
	r, err := o.replay(ctx, selected, s)
	if err != nil {
		o.View.Files.Discard()
		return err
	}
	if hint := elsewhere(o.Config, r); hint != "" && o.View.Detail != console.Quiet {
		defer fmt.Fprintln(s.Err, hint)
	}
	return o.View.Publish(r, s)
}

// tellUnwritten prints that a dry run writes no report. To ask for one is not an error: people add
// --dry-run to the complete command of a run.
func (o *runOptions) tellUnwritten(w io.Writer) {
	if len(o.View.Files.List)+len(o.Matrix.Files.List) > 0 {
		fmt.Fprintln(w, "--dry-run writes no report; run without it to get one")
	}
}

// elsewhere returns a hint to the servers of the contract, or "". It gives the hint if requests got
// 404, no operation was reached, and the base URL ends in none of the servers' paths.
func elsewhere(c suites.Config, r result.Report) string {
	u, err := url.Parse(strings.TrimSuffix(c.Target.BaseURL, "/"))
	if err != nil || u.Host == "" || c.Contract == nil || r.Reached.Operations.Reached > 0 {
		return ""
	}
	base, paths := u.EscapedPath(), c.Contract.ServerPaths
	notFound := slices.ContainsFunc(r.Reached.Missing, func(u verdict.Unreached) bool { return strings.Contains(u.Reason, "404") })
	if !notFound || len(paths) == 0 || slices.ContainsFunc(paths, func(path string) bool { return strings.HasSuffix(base, path) }) {
		return ""
	}
	return fmt.Sprintf("The servers of the contract have the path %s; try --base-url %s://%s%s", paths[0], u.Scheme, u.Host, paths[0])
}

// runAll tests all services of a list. Like runOne, it first reports mistakes in the flags.
func (o *runOptions) runAll(ctx context.Context, s output.Streams) error {
	all, err := cli.Interruptibly(ctx, func() (*fleet.Fleet, error) { return o.prepareAll(s.In) })
	if err != nil {
		return err
	}
	if o.dryRun {
		o.tellUnwritten(s.Err)
		return all.PrintRequests(s)
	}
	defer o.finds.tell(s.Err)
	return all.Run(ctx, s)
}

// prepareAll removes the shard from the configuration: here it selects services, not fixtures.
func (o *runOptions) prepareAll(stdin io.Reader) (*fleet.Fleet, error) {
	shard := o.Config.Shard
	o.Config.Shard = suites.Shard{}
	selected, err := selectFixtures(&o.Config)
	if err != nil {
		return nil, err
	}
	return o.Prepare(stdin, shard, selected)
}

// check checks all flags together, except for the credential, and returns the fixtures that they
// select.
func (o *runOptions) check() (selected suites.Plan, err error) {
	if err := o.CheckSingle(); err != nil {
		return selected, err
	}
	if !o.dryRun {
		if err := o.CheckBundled(); err != nil {
			return selected, err
		}
	}
	if err := o.TakeSecretHeaders(); err != nil {
		return selected, err
	}
	if selected, err = selectFixtures(&o.Config); err != nil {
		return selected, err
	}
	return selected, o.TakeTLS()
}

// replay sends the fixtures. Unless it tests the bundled reference, it first prints how many
// requests it sends.
func (o *runOptions) replay(ctx context.Context, selected suites.Plan, s output.Streams) (result.Report, error) {
	bundled := o.Config.Target.BaseURL == ""
	if bundled {
		testBundled(&o.Config)
	}
	files := &o.View.Files
	o.Config.Observe = files.Observe
	if o.View.Detail != console.Quiet {
		p := output.StartProgress(s.Err, output.IsTerminal(s.Err), fleet.Requests(selected))
		defer p.End()
		o.Config.Answered, o.Config.Exploring = p.Answer, p.Explore
		o.Config.Waiting = func(reason string) { p.Wait("the target", reason) }
		o.Config.Observe = func(e result.Event) {
			if e.Begun != nil && !bundled {
				p.Aside(func() {
					fmt.Fprintln(s.Err, fleet.Announcement(o.Config, selected, []string{o.Config.Target.BaseURL}, "run "+e.Begun.Run.ID, cli.Width(s.Err)))
				})
			}
			files.Observe(e)
			p.Observe(e)
		}
	}
	boundGarbage(len(selected.Fixtures))
	r, err := selected.Run(ctx, o.Config)
	return r, cli.Explained(err, target.GiveToken())
}

// boundGarbage sets a memory limit: the memory now in use, plus an allowance for one body and for
// each result. A body of 1 MiB may hold 150,000 objects, which take 50 times its size.
func boundGarbage(results int) {
	const body, entry = 32 << 20, 16 << 10
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	debug.SetMemoryLimit(int64(now.Sys-now.HeapReleased) + body + entry*int64(results)) //nolint:gosec // far below 2^63
}

func testBundled(c *suites.Config) {
	c.Target.Token = cmp.Or(c.Target.Token, rand.Text())
	c.Implementation = result.Implementation{Name: "bundled reference", Version: c.Harness.Version, Bundled: true}
	c.Handler = reference.New(reference.Options{Tokens: []string{c.Target.Token}})
}

// finds writes each find of exploration to a file at once.
type finds struct {
	dir string

	mu   sync.Mutex // several targets can be explored at a time
	said []string   // one line for each find
}

func exploreFlags(c *suites.Config, f *finds) []cli.Flag {
	const folder = "explored"
	f.dir, c.Found = folder, f.keep
	return []cli.Flag{
		cli.Value("explore", "N", "send N random requests to each operation as well, drawn from --seed, and up to N more, at least 200, to simplify what they find", cli.Count(&c.Explore)).Or("none"),
		cli.Value("explore-out", "DIR", "write what --explore finds as fixtures below DIR, for --fixtures", cli.Text(&f.dir)).Path().DefaultsTo(folder),
	}
}

// keep writes one find to a file. It does not overwrite a file.
func (f *finds) keep(text fixtures.Text) {
	data, err := derive.File(text)
	if err == nil {
		err = scaffold.Write(f.dir, []scaffold.File{{Path: text.ID + ".yaml", Data: data}})
	}
	line := "found by exploration: " + report.Visible(filepath.Join(f.dir, filepath.FromSlash(text.ID)+".yaml"))
	if _, exists := errors.AsType[*scaffold.ExistsError](err); err != nil && !exists {
		line = fmt.Sprintf("found by exploration: %s, which cannot be written to --explore-out: %s", text.ID, report.Visible(err.Error()))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said = append(f.said, line)
}

func (f *finds) tell(w io.Writer) {
	for _, line := range f.said {
		fmt.Fprintln(w, line)
	}
}
