package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/traffic"
)

// stdinPath is what standard input is called where a file is expected.
const stdinPath = "-"

// verifyOptions are what the flags of verify say.
type verifyOptions struct {
	config   traffic.Config
	contract suites.Config // of which --spec sets the contract
	view     view
}

func newVerifyOptions() *verifyOptions {
	return &verifyOptions{view: newView(), config: traffic.Config{MaxBody: replay.DefaultLimits().MaxBody, Harness: suites.Version()}}
}

func (o *verifyOptions) flags() flags {
	c := &o.config
	return slices.Concat(
		in("Traffic",
			valued("base-url", "URL", "judge only requests below URL; without it, requests to the contract's paths on any host, also below the paths of the contract's servers", o.takeBaseURL),
			valued("max-body", "SIZE", "maximum size of a response body, such as 2MiB; a larger one is unjudged", takeSize(&c.MaxBody)).defaultsTo(fmt.Sprintf("%dMiB", c.MaxBody>>20)),
			depthFlag(&c.JSON),
			numberFlag(&c.JSON),
			valued("implementation", "NAME", "name of the service, for the report", takeText(&c.Implementation.Name)),
			valued("implementation-version", "VERSION", "its version, for the report", takeText(&c.Implementation.Version)),
			valued("implementation-url", "URL", "its home page, for the report", takeText(&c.Implementation.URL)),
		),
		in(contractHeading,
			contractFlags(&o.contract)[0], // the configuration file, of which only
			contractFlags(&o.contract)[1], // the contract counts
			toggle("strict", "make warnings and undeclared statuses violations", takeSwitch(&c.Strict)),
			valued("waivers", "FILE", "known violations listed in FILE do not fail the verdict", takeWaivers(&c.Waivers)).path(),
		),
		in(outputHeading, o.view.reportFlag()),
		in(outputHeading, o.view.consoleFlags()...),
	)
}

func newVerify(s streams) *cli.Command {
	o := newVerifyOptions()
	list := o.flags()
	return &cli.Command{
		Name:      "verify",
		Usage:     "judge the responses in recorded traffic",
		UsageText: "conformance verify TRAFFIC.har [flags]",
		Description: `Reads an HTTP Archive (HAR 1.2) from a browser or a proxy. Finds the
operation of each request by method and path, and judges the response:
status, media type, body and echo. It does not judge whether the request was
valid, and sends nothing. The file - is standard input.

Requests that match no operation are listed. Credentials and cookies are
redacted.

` + exitCodes,
		Flags:              list.parsed(),
		CustomHelpTemplate: list.help(),
		ArgValidator:       oneArchive,
		Action: func(ctx context.Context, c *cli.Command) error {
			all, err := list.takeSettings(c)
			if err != nil {
				return err
			}
			o.view.outputs.inputs = append(inputsOf(all), inputsAt(c.Args().Slice())...)
			return o.run(ctx, c.Args().First(), s)
		},
	}
}

func oneArchive(_ context.Context, c *cli.Command) error {
	switch {
	case c.NArg() == 0:
		return usagef("verify what? name a HAR file, or - for standard input")
	case c.NArg() > 1:
		return usagef("unexpected argument %q; conformance verify takes one HAR file", c.Args().Get(1))
	case c.Args().First() == "":
		return usagef("the name of the HAR file is empty")
	}
	return nil
}

func (o *verifyOptions) takeBaseURL(g given) error {
	if strings.Contains(g.text, "@") {
		return usagef("%s must be a URL without user name and password", g.name)
	}
	target := newOptions()
	if err := target.takeBaseURL(g); err != nil {
		return err
	}
	o.config.BaseURL = target.config.Target.BaseURL
	return nil
}

func (o *verifyOptions) run(ctx context.Context, path string, s streams) error {
	if o.config.Contract = o.contract.Contract; o.config.Contract == nil {
		var err error
		if o.config.Contract, err = spec.PlantStore(); err != nil {
			return err //nolint:wrapcheck // names its file
		}
	}
	o.config.File = path
	if path == stdinPath {
		o.config.File = "standard input"
	}
	archive, done, err := openArchive(ctx, given{name: "the HAR file", text: path}, s.in)
	if err != nil {
		return err
	}
	defer done()
	if err := o.view.outputs.open(s.out, false); err != nil {
		return err
	}
	v, err := traffic.Verify(ctx, archive, o.config)
	if err != nil {
		o.view.outputs.discard()
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("interrupted while %s was read", o.config.File)
		}
		return usagef("%s %w", o.config.File, err)
	}
	if err := o.tell(v, s); err != nil {
		o.view.outputs.discard()
		return err
	}
	return o.view.publish(v.Report, s)
}

// tell says what the report does not: how much of the traffic it is about, and
// what belongs to no operation.
func (o *verifyOptions) tell(v traffic.Verification, s streams) error {
	if o.view.detail == report.Quiet {
		return nil
	}
	const most = 20 // kinds of requests
	var b strings.Builder
	unmatched := v.Entries - v.Elsewhere - len(v.Report.Results)
	fmt.Fprintf(&b, "%s: %d entries, %d for operations of the contract, %d for none", report.Visible(o.config.File), v.Entries, len(v.Report.Results), unmatched)
	if o.config.BaseURL != "" {
		fmt.Fprintf(&b, ", %d not below %s", v.Elsewhere, o.config.BaseURL)
	}
	b.WriteString("\n")
	if unmatched > 0 {
		b.WriteString("\nfor no operation\n")
	}
	for i, u := range v.Unmatched {
		if i == most && o.view.detail != report.Verbose {
			fmt.Fprintf(&b, "         and %d more\n", len(v.Unmatched)-most)
			break
		}
		fmt.Fprintf(&b, "  %5d  %s\n", u.Count, report.Visible(u.Request))
	}
	b.WriteString("\n")
	if o.view.outputs.toStdout() {
		s.out = s.err
	}
	return s.print(b.String())
}

// openArchive opens what can be read twice. What cannot, such as a pipe, is put
// into a file first, which done removes.
func openArchive(ctx context.Context, g given, stdin io.Reader) (archive io.ReadSeeker, done func(), err error) {
	in := stdin
	if g.text != stdinPath {
		file, err := os.Open(g.text)
		if err != nil {
			return nil, nil, g.unreadable(err)
		}
		info, err := file.Stat()
		switch {
		case err != nil:
			_ = file.Close() // it was only read
			return nil, nil, g.unreadable(err)
		case info.Mode().IsRegular():
			return file, func() { _ = file.Close() }, nil
		case info.IsDir():
			_ = file.Close()
			return nil, nil, usagef("%s %s is a folder; name a file", g.name, g.text)
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	return spool(ctx, in)
}

// spool puts what comes from a pipe into a file that is gone afterwards.
func spool(ctx context.Context, in io.Reader) (archive io.ReadSeeker, done func(), err error) {
	file, err := os.CreateTemp("", "conformance-*.har")
	if err != nil {
		return nil, nil, fmt.Errorf("keeping the traffic for a second reading: %w", err)
	}
	done = func() {
		_ = file.Close()
		_ = os.Remove(file.Name())
	}
	copied := make(chan error, 1)
	go func() {
		_, err := io.Copy(file, io.LimitReader(in, traffic.MaxArchive+1))
		copied <- err
	}()
	select {
	case err = <-copied:
	case <-ctx.Done():
		err = errors.New("interrupted before all of the traffic was read")
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		done()
		return nil, nil, fmt.Errorf("keeping the traffic for a second reading: %w", err)
	}
	return file, done, nil
}
