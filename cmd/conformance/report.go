package main

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
	"github.com/plantstore/conformance/suites/waivers"
)

type reportOptions struct {
	waivers      []verdict.Waiver
	writeWaivers cli.Given
	owner        cli.Given
	view         output.View
}

func newReport(s output.Streams) *cli.Command {
	o := &reportOptions{view: output.NewView()}
	return &cli.Command{
		Name:     "report",
		Usage:    "convert a saved report, or merge shard reports",
		Synopsis: "REPORT... [flags]",
		Description: `Reads a report in JSON or NDJSON and writes it in any format. Merges the
reports of all shards into one. The verdict is inconclusive if a shard is
missing, or if the run was killed.

` + exitCodes,
		Flags: slices.Concat(
			cli.In(contractHeading, target.WaiversFlag("run; this list replaces that of the run", &o.waivers)),
			cli.In(outputHeading,
				o.view.ReportFlag(),
				cli.Value("write-waivers", "FILE", "write a first list of waivers to FILE, one for each clause and cause; needs --owner", cli.Keep(&o.writeWaivers)),
				cli.Value("owner", "NAME", "who accepts these violations, such as a team", cli.Keep(&o.owner))),
			cli.In(outputHeading, o.view.ConsoleFlags()...),
		),
		Arguments: cli.Arguments(1, math.MaxInt, "which report? name the file that `conformance run --report json=FILE` or ndjson=FILE wrote", ""),
		Run: func(_ context.Context, call *cli.Call) error {
			o.view.Files.Inputs = append(output.InputsOf(call.Settings), output.InputsAt(call.Args)...)
			return o.run(call.Args, s)
		},
	}
}

func (o *reportOptions) run(paths []string, s output.Streams) error {
	if o.writeWaivers.Text != "" && strings.TrimSpace(o.owner.Text) == "" {
		return cli.Usagef("%s needs --owner: name who accepts these violations, such as a team", o.writeWaivers.Name)
	}
	parts, err := readReports(paths)
	if err != nil {
		return err
	}
	whole, err := result.Merge(parts)
	if err != nil {
		return cli.Misuse(err)
	}
	if o.waivers != nil {
		whole.Waivers = o.waivers
	}
	r := result.Conclude(whole)
	if err := o.view.Files.Open(s.Out, false); err != nil {
		return err
	}
	if err := o.adopt(r); err != nil {
		o.view.Files.Discard()
		return err
	}
	return o.view.Publish(r, s)
}

func readReports(paths []string) ([]result.Recording, error) {
	var list []result.Recording
	for _, path := range paths {
		g := cli.Given{Name: "the report", Text: path}
		file, err := os.Open(path)
		if err != nil {
			return nil, g.Unreadable(err)
		}
		recording, err := result.Read(file)
		_ = file.Close() // it was only read
		if err != nil {
			return nil, g.Failed(err, cli.Usagef("%s %w", path, err))
		}
		list = append(list, recording)
	}
	return list, nil
}

// adopt writes a first list of waivers. It never overwrites a file.
func (o *reportOptions) adopt(r result.Report) error {
	if o.writeWaivers.Text == "" {
		return nil
	}
	file, err := os.OpenFile(o.writeWaivers.Text, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) //nolint:gosec // as any new file of the user's
	if errors.Is(err, fs.ErrExist) {
		return cli.Usagef("%s %s already exists; write to another file and copy the new entries", o.writeWaivers.Name, o.writeWaivers.Text)
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return cli.Usagef("%s %s cannot be written: %w", o.writeWaivers.Name, o.writeWaivers.Text, path.Err)
	}
	return errors.Join(waivers.Write(file, r, strings.TrimSpace(o.owner.Text)), file.Close())
}
