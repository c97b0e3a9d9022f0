package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/plantstore/conformance/fixtures"
)

// Client sends messages to one target.
type Client struct {
	base      *url.URL
	target    Target
	limits    Limits
	transport *http.Transport
	redactor  *redactor
}

// NewClient checks target and limits and gives a client for them. Nothing is
// sent. The client must be closed.
func NewClient(target Target, limits Limits) (*Client, error) {
	if err := target.Validate(); err != nil {
		return nil, err
	}
	if err := limits.Validate(); err != nil {
		return nil, err
	}
	base, err := target.baseURL()
	if err != nil {
		return nil, err
	}
	return &Client{
		base:     base,
		target:   target,
		limits:   limits,
		redactor: newRedactor(target.secrets()),
		transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			TLSClientConfig:        target.TLS,
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    limits.Concurrency,
			MaxConnsPerHost:        limits.Concurrency,
			IdleConnTimeout:        5 * time.Second,
			MaxResponseHeaderBytes: limits.MaxHeader,
		},
	}, nil
}

// Close ends the client's connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Exchange sends the message as often as it says, one after the other, and
// records the last exchange, or the first that got no answer to speak of. It
// ends by the limits at the latest.
func (c *Client) Exchange(ctx context.Context, m fixtures.Message) Exchange {
	var x Exchange
	for range max(m.Times, 1) {
		x = c.send(ctx, m)
		if x.Failure != nil || x.Response.Status >= 500 || throttled(x) {
			break
		}
	}
	return x
}

func (c *Client) send(ctx context.Context, m fixtures.Message) Exchange {
	x := Exchange{Request: c.record(m), redactor: c.redactor}
	limited, cancel := context.WithTimeout(ctx, c.limits.Timeout)
	defer cancel()
	var connected atomic.Bool
	limited = httptrace.WithClientTrace(limited, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	request, err := c.request(limited, m)
	if err != nil {
		x.Failure = &Failure{Unreachable, c.redactor.text(err.Error())}
		return x
	}
	begun := time.Now()
	response, err := c.transport.RoundTrip(request)
	if err == nil {
		x.Response, err = c.read(response)
	}
	x.Duration = time.Since(begun)
	if err != nil {
		x.Failure = c.failure(ctx, err, connected.Load())
	}
	return x
}

// request makes the HTTP request of a message for this target.
func (c *Client) request(ctx context.Context, m fixtures.Message) (*http.Request, error) {
	var body io.Reader
	if m.HasBody {
		body = bytes.NewReader(m.Body)
	}
	request, err := http.NewRequestWithContext(ctx, m.Method, c.url(m, c.target.Token), body)
	if err != nil {
		return nil, fmt.Errorf("the request cannot be sent: %w", err)
	}
	if m.HasBody && len(m.Body) == 0 {
		// A body of no bytes differs from no body only where it is framed.
		request.Body = io.NopCloser(bytes.NewReader(nil))
		request.ContentLength = -1
		request.TransferEncoding = []string{"chunked"}
	}
	request.Header.Set("User-Agent", c.target.UserAgent)
	for _, h := range c.target.Headers {
		if strings.EqualFold(h.Name, "Host") {
			request.Host = h.Value
			continue
		}
		request.Header.Add(h.Name, h.Value)
	}
	for _, h := range m.Header {
		request.Header.Add(h.Name, expand(h.Value, c.target.Token))
	}
	return request, nil
}

func (c *Client) url(m fixtures.Message, token string) string {
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(c.base.String(), "/") + m.Path)
	for i, q := range m.Query {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(url.QueryEscape(q.Name) + "=" + url.QueryEscape(expand(q.Value, token)))
	}
	return b.String()
}

// record notes a request without its secrets: they are left out, not masked
// afterwards.
func (c *Client) record(m fixtures.Message) Request {
	r := Request{Method: m.Method, URL: c.url(m, mask), Body: m.Body}
	for _, h := range c.target.Headers {
		if isSecretName(h.Name) {
			h.Value = mask
		}
		r.Header = append(r.Header, h)
	}
	for _, h := range m.Header {
		r.Header = append(r.Header, fixtures.Field{Name: h.Name, Value: expand(h.Value, mask)})
	}
	return r
}

// errTooLong is why a body is not read to its end.
var errTooLong = errors.New("body too long")

// read takes the response in, within the limits.
func (c *Client) read(response *http.Response) (*Response, error) {
	defer response.Body.Close()
	var body []byte
	var err error
	if response.StatusCode >= 200 { // a switch of protocols has no body, but a connection
		body, err = io.ReadAll(io.LimitReader(response.Body, c.limits.MaxBody+1))
		if int64(len(body)) > c.limits.MaxBody {
			body, err = body[:c.limits.MaxBody], errTooLong
		}
	}
	return &Response{
		Status: response.StatusCode,
		Header: c.redactor.header(response.Header),
		Body:   c.redactor.bytes(body),
		Cut:    err != nil,
		raw:    &raw{response.Header, body},
	}, err
}
