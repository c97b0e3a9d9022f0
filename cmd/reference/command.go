package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/reference"
)

const (
	listenFlag    = "listen"
	tokenFileFlag = "token-file"
	storeFlag     = "store"
	tlsCertFlag   = "tls-cert"
	tlsKeyFlag    = "tls-key"
	logFlag       = "log"
	deviationFlag = "deviation"
	variationFlag = "variation"
	listFlag      = "list"
	jsonFlag      = "json"
	versionFlag   = "version"
)

func newCommand(stdin io.Reader, stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:      "reference",
		Usage:     "serve the plant store",
		UsageText: "reference --token-file FILE [flags]",
		Description: `Clients need one of the tokens in --token-file (one a line, - is standard input)
or, without that flag, in the environment variable ` + tokensEnv + ` (separated by
white space). No flag takes a token itself: it would show in the process list.

A deviation breaks the contract in one way and a variation uses one of the
freedoms that it leaves; both are there to test the conformance suite.

Exit codes: 0 ended by SIGINT or SIGTERM, 1 failed while serving, 2 could not start.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: listenFlag, Value: "127.0.0.1:8080", Usage: "serve on `HOST:PORT`; port 0 means any free port"},
			&cli.StringFlag{Name: tokenFileFlag, TakesFile: true, Usage: "accept the tokens in `FILE`, one a line"},
			&cli.StringFlag{Name: storeFlag, TakesFile: true, Usage: "keep plants in `FILE`, which is created if it does not exist", DefaultText: "in memory"},
			&cli.StringFlag{Name: tlsCertFlag, TakesFile: true, Usage: "serve HTTPS with the certificate chain in `FILE` (PEM)"},
			&cli.StringFlag{Name: tlsKeyFlag, TakesFile: true, Usage: "with the private key in `FILE` (PEM)"},
			&cli.StringFlag{Name: logFlag, Value: "text", Usage: "write the access log to standard output as `FORMAT`: text, json or off"},
			&cli.StringFlag{Name: deviationFlag, Usage: "break the contract as `NAME` says"},
			&cli.StringFlag{Name: variationFlag, Usage: "use a freedom that the contract leaves as `NAME` says"},
			&cli.BoolFlag{Name: listFlag, Usage: "list the deviations and the variations, and serve nothing"},
			&cli.BoolFlag{Name: jsonFlag, Usage: "list them as JSON"},
			&cli.BoolFlag{Name: versionFlag, Usage: "print version and commit, and serve nothing"},
		},
		Reader:                    stdin,
		Writer:                    stdout,
		ErrWriter:                 stderr,
		Action:                    act,
		OnUsageError:              explainUsage,
		ExitErrHandler:            func(context.Context, *cli.Command, error) {}, // run decides on the exit code
		DisableSliceFlagSeparator: true,
		HideHelpCommand:           true,
		Suggest:                   true,
	}
}

// act prints the version, lists deviations and variations, or serves.
func act(ctx context.Context, cmd *cli.Command) error {
	if err := checkArguments(cmd); err != nil {
		return err
	}
	if cmd.Bool(versionFlag) {
		return printVersion(cmd.Writer)
	}
	if cmd.Bool(listFlag) {
		return printList(cmd.Writer, cmd.Bool(jsonFlag))
	}
	if cmd.Bool(jsonFlag) {
		return usageErrorf("--%s belongs to --%s: give both or neither", jsonFlag, listFlag)
	}
	return serve(ctx, cmd)
}

// serve serves as the flags say, until ctx is done. An error before the first request is a
// usageError.
func serve(ctx context.Context, cmd *cli.Command) (err error) {
	deviation, err := choose(deviationFlag, cmd.String(deviationFlag), reference.Deviations())
	if err != nil {
		return err
	}
	variation, err := choose(variationFlag, cmd.String(variationFlag), reference.Variations())
	if err != nil {
		return err
	}
	logger, err := newLogger(cmd.String(logFlag), cmd.Writer)
	if err != nil {
		return err
	}
	tokens, err := readTokens(cmd.String(tokenFileFlag), cmd.Reader)
	if err != nil {
		return err
	}
	certificates, err := readCertificates(cmd.String(tlsCertFlag), cmd.String(tlsKeyFlag))
	if err != nil {
		return err
	}
	if len(variation.TLS) > 0 && certificates == nil {
		return usageErrorf("--%s %s is served over TLS: give --%s and --%s as well", variationFlag, variation.Name, tlsCertFlag, tlsKeyFlag)
	}
	store, err := openStore(cmd.String(storeFlag))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	listener, url, err := listen(ctx, cmd.String(listenFlag), certificates, variation.TLS)
	if err != nil {
		return err
	}

	handler := reference.New(reference.Options{Tokens: tokens, Store: store, Logger: logger, Deviation: deviation, Variation: variation})
	fmt.Fprintln(cmd.ErrWriter, "reference: listening on", url+variation.Prefix)
	return reference.Serve(ctx, reference.NewServer(handler, logger), listener)
}

// checkArguments returns an error for what urfave/cli allows: arguments, and flags with an empty
// value (usually an unset variable in a script).
func checkArguments(cmd *cli.Command) error {
	if cmd.Args().Present() {
		return usageErrorf("unexpected argument %q: reference takes only flags, see reference --help", cmd.Args().First())
	}
	for _, flag := range cmd.VisibleFlags() {
		name := flag.Names()[0]
		if _, isText := flag.(*cli.StringFlag); isText && cmd.IsSet(name) && cmd.String(name) == "" {
			return usageErrorf("--%s is empty: give it a value or omit it", name)
		}
	}
	return nil
}

func openStore(path string) (reference.Store, error) {
	if path == "" {
		return reference.NewMemoryStore(), nil
	}
	store, err := reference.OpenFileStore(path)
	if err != nil {
		return nil, usageErrorf("--%s: %v; name another file, which is created if it does not exist", storeFlag, err)
	}
	return store, nil
}

// explainUsage rewords the errors of urfave/cli about flags.
func explainUsage(_ context.Context, cmd *cli.Command, err error, _ bool) error {
	if flag, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		var known []string
		for _, f := range cmd.VisibleFlags() {
			known = append(known, "--"+f.Names()[0])
		}
		return usageErrorf("unknown flag %q: the flags are %s", flag, strings.Join(known, ", "))
	}
	if flag, ok := strings.CutPrefix(err.Error(), "flag needs an argument: "); ok {
		return usageErrorf("%s has no value: give it one or omit it", flag)
	}
	return usageErrorf("%v: see reference --help", err)
}

// row is a deviation or a variation in the list.
type row struct {
	Kind    string   `json:"kind"` // the flag that selects it
	Name    string   `json:"name"`
	Clauses []string `json:"clauses"` // those that a deviation violates, or whose freedom a variation uses
	Warns   []string `json:"warns"`   // clauses for which it causes a warning
	Summary string   `json:"summary"`
	Hangs   bool     `json:"hangs,omitempty"`  // some responses never end
	TLS     []string `json:"tls,omitempty"`    // it must be served over TLS with these protocols
	Prefix  string   `json:"prefix,omitempty"` // the path prefix of the service
}

func rows() []row {
	list := []row{}
	for _, d := range reference.Deviations() {
		list = append(list, row{deviationFlag, d.Name, some(d.Clauses), some(d.Warns), d.Summary, d.Hangs, d.TLS, d.Prefix})
	}
	for _, v := range reference.Variations() {
		list = append(list, row{variationFlag, v.Name, []string{v.Clause}, some(v.Warns), v.Summary, v.Hangs, v.TLS, v.Prefix})
	}
	return list
}

// some returns an empty list instead of nil, which would be null in JSON.
func some(list []string) []string { return append([]string{}, list...) }

func printList(out io.Writer, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(rows())
	}
	verbs := map[string]string{deviationFlag: "violates", variationFlag: "uses a freedom of"}
	var b strings.Builder
	for _, r := range rows() {
		fmt.Fprintf(&b, "--%s %s\n    %s\n", r.Kind, r.Name, r.Summary)
		for _, clause := range r.Clauses {
			fmt.Fprintf(&b, "    %s %s\n", verbs[r.Kind], clause)
		}
		for _, clause := range r.Warns {
			fmt.Fprintf(&b, "    causes a warning on %s\n", clause)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// printVersion prints the version and the commit of this program, if the build recorded them. It
// names no contract, because the reference contains no copy of it.
func printVersion(w io.Writer) error {
	version, commit := "devel", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" {
			version = v
		}
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				commit = setting.Value
			}
		}
	}
	if _, err := fmt.Fprintf(w, "reference %s (commit %s, %s %s/%s)\n", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH); err != nil {
		return fmt.Errorf("writing the version: %w", err)
	}
	return nil
}
