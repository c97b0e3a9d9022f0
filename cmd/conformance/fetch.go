package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec"
)

const (
	// fetchTime and fetchSize bound the fetching of a contract. The size is in bytes.
	fetchTime = 30 * time.Second
	fetchSize = 64 << 20
	// maxRedirects bounds how often a contract may have moved.
	maxRedirects = 5
)

// isURL says whether a contract is named by its address on the web.
func isURL(text string) bool {
	scheme, _, found := strings.Cut(strings.ToLower(text), "://")
	return found && (scheme == "http" || scheme == "https")
}

// fetchContract fetches the document at a URL, without any credential, and loads it.
// It has no clauses.yaml, and its $refs lead to no other document. Errors and reports
// name the URL without its query, which may hold a secret.
func fetchContract(ctx context.Context, address string) (*spec.Contract, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("this is not a valid URL")
	}
	if u.User != nil {
		return nil, errors.New("the URL contains a credential; save the contract to a file instead")
	}
	name := (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	data, err := fetch(ctx, u)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err // which leaves out the URL
		}
		return nil, fmt.Errorf("fetching %s: %w", name, err)
	}
	return spec.Load(ctx, spec.Source{Name: name, Data: data}, nil) //nolint:wrapcheck // it names the document
}

func fetch(ctx context.Context, u *url.URL) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, err //nolint:wrapcheck // wrapped by fetchContract
	}
	request.Header.Set("Accept", "application/json, application/yaml, text/yaml, */*;q=0.1")
	client := http.Client{CheckRedirect: checkRedirect}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return nil, err //nolint:wrapcheck // as above
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the response is %s", response.Status)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, fetchSize+1))
	if err == nil && len(data) > fetchSize {
		err = fmt.Errorf("the document is larger than %d MiB", fetchSize>>20)
	}
	return data, err //nolint:wrapcheck // as above
}

// checkRedirect follows a contract that has moved, but not from https to http.
func checkRedirect(next *http.Request, before []*http.Request) error {
	switch last := before[len(before)-1].URL; {
	case len(before) > maxRedirects:
		return fmt.Errorf("redirected more than %d times", maxRedirects)
	case next.URL.Scheme != "https" && last.Scheme == "https":
		return errors.New("redirected from https to " + next.URL.Scheme)
	}
	return nil
}
