package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/traffic"
)

type verifyOptions struct {
	target.Options
	view output.View
}

func (o *verifyOptions) flags() cli.Flags {
	c := &o.Config
	return slices.Concat(
		cli.In("Traffic", cli.Value("base-url", "URL", "judge only requests below URL; without it, requests to the contract's paths on any host, also below the paths of the contract's servers", o.takeBaseURL)),
		cli.In("Traffic", limitFlags(c).Named("max-body", "max-depth", "max-number")...),
		cli.In("Traffic", o.Flags().Named("implementation", "implementation-version", "implementation-url")...),
		contractFlags(c).Named("config", "allow-remote-refs", "spec"),
		cli.In(contractHeading, strictFlag(&c.Strict), target.WaiversFlag("verdict", &c.Waivers)),
		cli.In(outputHeading, o.view.ReportFlag()),
		cli.In(outputHeading, o.view.ConsoleFlags()...),
	)
}

func newVerify(s output.Streams) *cli.Command {
	o := &verifyOptions{target.New(), output.NewView()}
	return &cli.Command{
		Name:     "verify",
		Usage:    "judge the responses in recorded traffic",
		Synopsis: "TRAFFIC.har [flags]",
		Description: `Reads an HTTP Archive (HAR 1.2) from a browser or a proxy. Finds the
operation of each request by method and path, and judges the response:
status, media type, body and echo. It does not judge whether the request was
valid, and sends nothing. The file - is standard input.

Requests that match no operation are listed. Credentials and cookies are
redacted.

` + exitCodes,
		Flags:     o.flags(),
		Arguments: cli.Arguments(1, 1, "verify what? name a HAR file, or - for standard input", "conformance verify takes one HAR file"),
		Run: func(ctx context.Context, call *cli.Call) error {
			o.view.Files.Inputs = append(output.InputsOf(call.Settings), output.InputsAt(call.Args)...)
			return o.run(ctx, call.Args[0], s)
		},
	}
}

func (o *verifyOptions) takeBaseURL(g cli.Given) error {
	if strings.Contains(g.Text, "@") {
		return cli.Usagef("%s must be a URL without user name and password", g.Name)
	}
	return o.TakeBaseURL(g)
}

func (o *verifyOptions) run(ctx context.Context, path string, s output.Streams) error {
	contract, err := contractOf(&o.Config)
	if err != nil {
		return err
	}
	c := traffic.Config{
		Contract: contract, File: path, BaseURL: o.Config.Target.BaseURL,
		MaxBody: o.Config.Limits.MaxBody, JSON: o.Config.JSON,
		Strict: o.Config.Strict, Waivers: o.Config.Waivers,
		Harness: o.Config.Harness, Implementation: o.Config.Implementation,
	}
	if path == output.Stdin {
		c.File = "standard input"
	}
	archive, done, err := openArchive(ctx, cli.Given{Name: "the HAR file", Text: path}, s.In)
	if err != nil {
		return err
	}
	defer done()
	if err := o.view.Files.Open(s.Out, false); err != nil {
		return err
	}
	v, err := traffic.Verify(ctx, archive, c)
	if err != nil {
		o.view.Files.Discard()
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("interrupted while %s was read", c.File)
		}
		return cli.Usagef("%s %w", c.File, err)
	}
	if err := o.tell(c, v, s); err != nil {
		o.view.Files.Discard()
		return err
	}
	return o.view.Publish(v.Report, s)
}

// tell prints what is not in the report: how many entries it covers, and which requests match no
// operation.
func (o *verifyOptions) tell(c traffic.Config, v traffic.Verification, s output.Streams) error {
	if o.view.Detail == console.Quiet {
		return nil
	}
	const most = 20 // kinds of requests
	var b strings.Builder
	unmatched := v.Entries - v.Elsewhere - len(v.Report.Results)
	fmt.Fprintf(&b, "%s: %d entries, %d for operations of the contract, %d for none", report.Visible(c.File), v.Entries, len(v.Report.Results), unmatched)
	if c.BaseURL != "" {
		fmt.Fprintf(&b, ", %d not below %s", v.Elsewhere, c.BaseURL)
	}
	b.WriteString("\n")
	if unmatched > 0 {
		b.WriteString("\nfor no operation\n")
	}
	for i, u := range v.Unmatched {
		if i == most && o.view.Detail != console.Verbose {
			fmt.Fprintf(&b, "         and %d more\n", len(v.Unmatched)-most)
			break
		}
		fmt.Fprintf(&b, "  %5d  %s\n", u.Count, report.Visible(u.Request))
	}
	b.WriteString("\n")
	s.Out = o.view.Files.Console(s)
	return s.Print(b.String())
}

// openArchive opens an archive that can be read twice. It copies a pipe to a temporary file first,
// which done removes.
func openArchive(ctx context.Context, g cli.Given, stdin io.Reader) (archive io.ReadSeeker, done func(), err error) {
	in := stdin
	if g.Text != output.Stdin {
		file, err := os.Open(g.Text)
		if err != nil {
			return nil, nil, g.Unreadable(err)
		}
		closed := func() { _ = file.Close() } // it was only read
		info, err := file.Stat()
		if err == nil && info.Mode().IsRegular() {
			return file, closed, nil
		}
		defer closed()
		switch {
		case err != nil:
			return nil, nil, g.Unreadable(err)
		case info.IsDir():
			return nil, nil, cli.Usagef("%s %s is a folder; name a file", g.Name, g.Text)
		}
		in = file
	}
	return spool(ctx, in)
}

// spool copies a pipe to a temporary file, which done removes.
func spool(ctx context.Context, in io.Reader) (archive io.ReadSeeker, done func(), err error) {
	file, err := os.CreateTemp("", "conformance-*.har")
	if err != nil {
		return nil, nil, fmt.Errorf("keeping the traffic for a second reading: %w", err)
	}
	done = func() {
		_ = file.Close()
		_ = os.Remove(file.Name())
	}
	_, err = cli.Interruptibly(ctx, func() (int64, error) {
		return io.Copy(file, io.LimitReader(in, traffic.MaxArchive+1))
	})
	if ctx.Err() != nil {
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
