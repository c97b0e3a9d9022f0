package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/result"
)

// errLeft is the error of cleanup if something could not be removed.
var errLeft = errors.New("not everything could be removed")

func newCleanup(s output.Streams) *cli.Command {
	o := target.New()
	return &cli.Command{
		Name:     "cleanup",
		Usage:    "remove what a run created and left behind",
		Synopsis: "REPORT [--spec FILE] [flags]",
		Description: `Reads a report in JSON or NDJSON, and sends the clean-up requests that failed
or, if the run was killed, were not sent. An NDJSON report records each resource as
soon as it is created. The requests go to the service of the report.

Exit codes: 0 nothing is left, 2 wrong usage, 3 something could not be removed.`,
		Flags: slices.Concat(
			o.Flags().Named("token-file", "credential", "header", "resolve"), o.TLSFlags(),
			cli.In(contractHeading, specFlags(&o.Config, "the OpenAPI document of the run, which says where credentials go")...),
		),
		Arguments: cli.Arguments(1, 1, "clean up after which run? name one report, which `conformance run --report ndjson=FILE` or json=FILE wrote", "conformance cleanup takes one report"),
		Run: func(ctx context.Context, call *cli.Call) error {
			parts, err := readReports(call.Args)
			if err != nil {
				return err
			}
			if o.Config.Contract, err = contractOf(&o.Config); err != nil {
				return err
			}
			if ran, given := parts[0].Contract, o.Config.Contract; ran.Title != given.Title {
				return cli.Usagef("the report is of the contract %s, and this is %s; give the document of the run with --spec", report.Visible(ran.Title), report.Visible(given.Title))
			}
			o.Config.Target.BaseURL = cmp.Or(o.Config.Target.BaseURL, parts[0].Target.BaseURL)
			for _, take := range []func() error{o.TakeSecretHeaders, o.TakeTLS, func() error { return o.ReadCredentials(s.In) }} {
				if err := take(); err != nil {
					return err
				}
			}
			return cleanUp(ctx, o, parts[0], s)
		},
	}
}

// cleanUp sends the clean-up requests one by one. The report lists them in the order in which they
// must be sent.
func cleanUp(ctx context.Context, o target.Options, recording result.Recording, s output.Streams) error {
	base, err := url.Parse(recording.Target.BaseURL)
	if err != nil {
		return cli.Usagef("the base URL in the report, %q, is not a URL", recording.Target.BaseURL)
	}
	routes := o.Config.Contract.Routes(base.Path)
	limits := o.Config.Limits
	limits.Concurrency = 1
	o.Config.Target.Secret = slices.Concat(o.Config.Target.Secret, o.Config.Contract.SecretHeaders())
	client, err := replay.NewClient(o.Config.Target, limits)
	if err != nil {
		return cli.Misuse(err)
	}
	defer client.Close()
	left := recording.Left()
	messages := lists.Map(left, func(step result.Step) fixtures.Message {
		return removal(step, base, routes, o.Config.Target)
	})
	failed := 0
	client.All(ctx, replay.OneBatch(messages...), func(_, i int, x replay.Exchange) {
		request := left[i].Exchange.Request
		text := report.Visible(request.Method + " " + request.URL)
		switch {
		case x.Failure != nil:
			failed++
			text = "left: " + text + ": " + x.Failure.Message
		case x.Response.Status == http.StatusNotFound, x.Response.Status == http.StatusGone:
			text = "already gone: " + text
		case !(replay.Step{Cleanup: true, Exchange: x}).Left():
			text = "removed: " + text
		case x.Response.Status == http.StatusUnauthorized, x.Response.Status == http.StatusForbidden:
			failed++
			text = fmt.Sprintf("left: %s got %d: give the credential of the run", text, x.Response.Status)
		default:
			failed++
			text = fmt.Sprintf("left: %s got %d", text, x.Response.Status)
		}
		err = errors.Join(err, s.Print(text+"\n"))
	})
	switch {
	case err != nil:
		return err
	case failed > 0:
		return errLeft
	case len(left) == 0:
		return s.Print("the run left nothing behind\n")
	}
	return nil
}

// removal returns the clean-up request of a step to send again, with the credentials that its
// operation requires.
func removal(step result.Step, base *url.URL, routes spec.Routes, to replay.Target) fixtures.Message {
	request := step.Exchange.Request
	address, _ := url.Parse(request.URL)
	address = cmp.Or(address, &url.URL{})
	path := "/" + strings.TrimPrefix(strings.TrimPrefix(address.EscapedPath(), strings.TrimSuffix(base.EscapedPath(), "/")), "/")
	if address.RawQuery != "" {
		path += "?" + address.RawQuery
	}
	m := fixtures.Message{Method: request.Method, Path: path, Body: []byte(request.Raw()), HasBody: request.Raw() != "", Times: 1}
	for name, values := range request.Headers {
		if _, set := fixtures.FindField(to.Headers, name); set || to.IsSecret(name) {
			continue // the target adds it to every request, or the report redacts its value
		}
		for _, value := range values {
			m.Header = append(m.Header, fixtures.Field{Name: http.CanonicalHeaderKey(name), Value: value})
		}
	}
	if op, ok := routes.Operation(request.Method, address.EscapedPath()); ok && len(op.Security) > 0 {
		m.Credential, m.TestsAuthorization = fixtures.Credential{Security: op.Security, Use: "valid"}, op.TestsAuthorization()
	}
	return m
}
