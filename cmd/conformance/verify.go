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
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/traffic"
)

// verifyOptions are what the flags of verify say.
type verifyOptions struct {
	config   traffic.Config
	contract suites.Config // of which --spec sets the contract
	view     output.View
}

func (o *verifyOptions) flags() cli.Flags {
	c := &o.config
	return slices.Concat(
		cli.In("Traffic",
			cli.Value("base-url", "URL", "judge only requests below URL; without it, requests to the contract's paths on any host, also below the paths of the contract's servers", o.takeBaseURL),
			maxBodyFlag(&c.MaxBody),
			depthFlag(&c.JSON),
			numberFlag(&c.JSON),
			cli.Value("implementation", "NAME", "name of the service, for the report", cli.Text(&c.Implementation.Name)),
			cli.Value("implementation-version", "VERSION", "its version, for the report", cli.Text(&c.Implementation.Version)),
			cli.Value("implementation-url", "URL", "its home page, for the report", cli.Text(&c.Implementation.URL)),
		),
		contractFlags(&o.contract).Named("config", "allow-remote-refs", "spec"),
		cli.In(contractHeading, strictFlag(&c.Strict), target.WaiversFlag("verdict", &c.Waivers)),
		cli.In(outputHeading, o.view.ReportFlag()),
		cli.In(outputHeading, o.view.ConsoleFlags()...),
	)
}

func newVerify(s output.Streams) *cli.Command {
	o := &verifyOptions{view: output.NewView(), config: traffic.Config{MaxBody: replay.DefaultLimits().MaxBody, Harness: suites.Version()}}
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
	service := target.New()
	if err := service.TakeBaseURL(g); err != nil {
		return err
	}
	o.config.BaseURL = service.Config.Target.BaseURL
	return nil
}

func (o *verifyOptions) run(ctx context.Context, path string, s output.Streams) error {
	var err error
	if o.config.Contract, err = contractOf(&o.contract); err != nil {
		return err
	}
	o.config.File = path
	if path == output.Stdin {
		o.config.File = "standard input"
	}
	archive, done, err := openArchive(ctx, cli.Given{Name: "the HAR file", Text: path}, s.In)
	if err != nil {
		return err
	}
	defer done()
	if err := o.view.Files.Open(s.Out, false); err != nil {
		return err
	}
	v, err := traffic.Verify(ctx, archive, o.config)
	if err != nil {
		o.view.Files.Discard()
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("interrupted while %s was read", o.config.File)
		}
		return cli.Usagef("%s %w", o.config.File, err)
	}
	if err := o.tell(v, s); err != nil {
		o.view.Files.Discard()
		return err
	}
	return o.view.Publish(v.Report, s)
}

// tell says what the report does not: how much of the traffic it is about, and
// what belongs to no operation.
func (o *verifyOptions) tell(v traffic.Verification, s output.Streams) error {
	if o.view.Detail == console.Quiet {
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
		if i == most && o.view.Detail != console.Verbose {
			fmt.Fprintf(&b, "         and %d more\n", len(v.Unmatched)-most)
			break
		}
		fmt.Fprintf(&b, "  %5d  %s\n", u.Count, report.Visible(u.Request))
	}
	b.WriteString("\n")
	s.Out = o.view.Console(s)
	return s.Print(b.String())
}

// openArchive opens what can be read twice. What cannot, such as a pipe, is put
// into a file first, which done removes.
func openArchive(ctx context.Context, g cli.Given, stdin io.Reader) (archive io.ReadSeeker, done func(), err error) {
	in := stdin
	if g.Text != output.Stdin {
		file, err := os.Open(g.Text)
		if err != nil {
			return nil, nil, g.Unreadable(err)
		}
		info, err := file.Stat()
		switch {
		case err != nil:
			_ = file.Close() // it was only read
			return nil, nil, g.Unreadable(err)
		case info.Mode().IsRegular():
			return file, func() { _ = file.Close() }, nil
		case info.IsDir():
			_ = file.Close()
			return nil, nil, cli.Usagef("%s %s is a folder; name a file", g.Name, g.Text)
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
