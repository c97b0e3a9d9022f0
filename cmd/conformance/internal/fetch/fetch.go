// Package fetch loads a contract from a file or from the web. It limits the time and the size of
// what it reads from the web, and sends no credential.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec"
)

const (
	// maxTime limits the fetching of all documents of a contract together, and maxSize each
	// document, in bytes.
	maxTime = 30 * time.Second
	maxSize = 64 << 20
	// maxRedirects limits the redirects for one document.
	maxRedirects = 5
)

// IsURL reports whether a text is an http(s) URL.
func IsURL(text string) bool {
	scheme, _, found := strings.Cut(strings.ToLower(text), "://")
	return found && (scheme == "http" || scheme == "https")
}

// Contract loads the document in a file or at a URL. With remote, it follows $refs to
// other http(s) addresses. It sends no credential. A document at a URL has no
// clauses.yaml. Errors and reports show URLs without their queries, which may contain
// secrets. The error for a file that cannot be read is a [fs.PathError]. For up to the time wait, it tries
// again while nothing answers: many services write their own document, and may still be starting.
func Contract(ctx context.Context, name string, remote bool, wait time.Duration) (*spec.Contract, error) {
	const pause = 100 * time.Millisecond
	for until := time.Now().Add(wait); ; time.Sleep(pause) {
		c, err := load(ctx, name, remote)
		if _, isAbsent := errors.AsType[*net.OpError](err); !isAbsent || !time.Now().Before(until) {
			return c, err
		}
	}
}

func load(ctx context.Context, name string, remote bool) (*spec.Contract, error) {
	limited, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	var follow func(address string) ([]byte, error)
	if remote {
		follow = func(address string) ([]byte, error) { return fetch(limited, address) }
	}
	if !IsURL(name) {
		return spec.LoadFile(ctx, name, follow)
	}
	data, err := fetch(limited, name)
	if err != nil {
		return nil, err
	}
	source := spec.Source{Name: shownURL(name), Data: data}
	source.Path, source.Fetch = name, follow
	return spec.Load(ctx, source, nil)
}

// shownURL returns an address without its query and other parts that may be secret.
func shownURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the URL"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// fetch returns the document at an address. Errors of the request name the address without its
// query.
func fetch(ctx context.Context, address string) ([]byte, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, errors.New("this is not a valid URL")
	case u.Hostname() == "":
		return nil, errors.New("the URL has no host")
	case u.User != nil:
		return nil, errors.New("the URL contains a credential; save the contract to a file instead")
	}
	data, err := get(ctx, u)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = fmt.Errorf("%w; check the URL", failed.Err) // without the URL, which the *url.Error contains
	}
	if err != nil {
		return nil, fmt.Errorf("fetching %s: %w", shownURL(address), err)
	}
	return data, nil
}

func get(ctx context.Context, u *url.URL) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json, application/yaml, text/yaml, */*;q=0.1")
	client := http.Client{CheckRedirect: checkRedirect}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusUnauthorized, http.StatusForbidden:
		return nil, fmt.Errorf("the response is %s, as no credential is sent; save the contract to a file", response.Status)
	default:
		return nil, fmt.Errorf("the response is %s; check the URL", response.Status)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxSize+1))
	if err == nil && len(data) > maxSize {
		err = fmt.Errorf("the document is larger than %d MiB", maxSize>>20)
	}
	return data, err
}

// checkRedirect follows redirects, but not from https to http. It removes the Referer, because the
// query of the previous address may contain a secret.
func checkRedirect(next *http.Request, before []*http.Request) error {
	next.Header.Del("Referer")
	switch last := before[len(before)-1].URL; {
	case len(before) > maxRedirects:
		return fmt.Errorf("redirected more than %d times", maxRedirects)
	case next.URL.Scheme != "https" && last.Scheme == "https":
		return errors.New("redirected from https to " + next.URL.Scheme)
	}
	return nil
}
