package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/waivers"
)

// reportOptions are what the flags of report say.
type reportOptions struct {
	waivers      []judge.Waiver
	writeWaivers given
	owner        given
	view         view
}

func newReportOptions() *reportOptions { return &reportOptions{view: newView()} }

func (o *reportOptions) flags() flags {
	return slices.Concat(
		in(contractHeading, valued("waivers", "FILE", "known violations listed in FILE do not fail the run; this list replaces that of the run", takeWaivers(&o.waivers))),
		in(outputHeading,
			o.view.reportFlag(),
			valued("write-waivers", "FILE", "write a first list of waivers to FILE, one for each clause and cause; needs --owner", takeGiven(&o.writeWaivers)),
			valued("owner", "NAME", "who accepts these violations, such as a team", takeGiven(&o.owner))),
		in(outputHeading, o.view.consoleFlags()...),
	)
}

func newReport(s streams) *cli.Command {
	o := newReportOptions()
	list := o.flags()
	return &cli.Command{
		Name:      "report",
		Usage:     "convert a saved report, or merge shard reports",
		UsageText: "conformance report REPORT... [flags]",
		Description: `Reads a report in JSON or NDJSON and writes it in any format. Merges the
reports of all shards into one. The verdict is inconclusive if a shard is
missing, or if the run was killed.

` + exitCodes,
		Flags:              list.parsed(),
		CustomHelpTemplate: list.help(),
		ArgValidator:       someReports,
		Action: func(_ context.Context, c *cli.Command) error {
			all, err := list.takeSettings(c)
			if err != nil {
				return err
			}
			o.view.outputs.inputs = append(inputsOf(all), inputsAt(c.Args().Slice())...)
			return o.run(c.Args().Slice(), s)
		},
	}
}

func someReports(_ context.Context, c *cli.Command) error {
	if !c.Args().Present() {
		return usagef("which report? name the file that `conformance run --report json=FILE` or ndjson=FILE wrote")
	}
	return nil
}

func (o *reportOptions) run(paths []string, s streams) error {
	if o.writeWaivers.text != "" && strings.TrimSpace(o.owner.text) == "" {
		return usagef("%s needs --owner: name who accepts these violations, such as a team", o.writeWaivers.name)
	}
	parts, err := readReports(paths)
	if err != nil {
		return err
	}
	whole, err := report.Merge(parts)
	if err != nil {
		return usageError{err}
	}
	if o.waivers != nil {
		whole.Waivers = o.waivers
	}
	r := report.Conclude(whole)
	if err := o.view.outputs.open(s.out, false); err != nil {
		return err
	}
	if err := o.adopt(r); err != nil {
		o.view.outputs.discard()
		return err
	}
	return o.view.publish(r, s)
}

// readReports reads what follows from each file, every one by its name.
func readReports(paths []string) ([]report.Recording, error) {
	var list []report.Recording
	for _, path := range paths {
		g := given{name: "the report", text: path}
		file, err := os.Open(path)
		if err != nil {
			return nil, g.unreadable(err)
		}
		recording, err := report.Read(file)
		_ = file.Close() // it was only read
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			return nil, g.unreadable(path)
		}
		if err != nil {
			return nil, usagef("%s %w", path, err)
		}
		list = append(list, recording)
	}
	return list, nil
}

// adopt writes the first list of waivers, and never over another.
func (o *reportOptions) adopt(r report.Report) error {
	if o.writeWaivers.text == "" {
		return nil
	}
	file, err := os.OpenFile(o.writeWaivers.text, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) //nolint:gosec // as any new file of the user's
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s %s is there already; name another file, and take over what is new", o.writeWaivers.name, o.writeWaivers.text)
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return usagef("%s %s cannot be written: %w", o.writeWaivers.name, o.writeWaivers.text, path.Err)
	}
	if err := errors.Join(waivers.Write(file, r, strings.TrimSpace(o.owner.text)), file.Close()); err != nil {
		return err //nolint:wrapcheck // names the file
	}
	return nil
}
