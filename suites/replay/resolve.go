package replay

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/suites/setting"
)

// resolved reads Resolve: where the base URL's host is to be found. It is zero
// where the target does not say.
func (t Target) resolved(base *url.URL) (netip.AddrPort, error) {
	var none netip.AddrPort
	if t.Resolve == "" {
		return none, nil
	}
	host, place, ok := strings.Cut(t.Resolve, ":")
	if strings.HasPrefix(t.Resolve, "[") {
		host, place, ok = strings.Cut(t.Resolve, "]:")
		host += "]"
	}
	if !ok || host == "" {
		return none, &setting.Error{Name: "resolve", Problem: fmt.Sprintf("is %q; it must be HOST:ADDRESS, such as api.example:192.0.2.7", t.Resolve)}
	}
	if !strings.EqualFold(hostname(address(&url.URL{Host: host})), hostname(address(base))) {
		return none, &setting.Error{Name: "resolve", Problem: fmt.Sprintf("is for the host %q, but the host of the base URL is %q; they must be the same", host, base.Hostname())}
	}
	for _, text := range []string{place, place + ":" + port(base)} {
		if at, err := netip.ParseAddrPort(text); err == nil && at.Port() != 0 {
			return at, nil
		}
	}
	return none, &setting.Error{Name: "resolve", Problem: fmt.Sprintf("has the address %q; it must be an IP address, with or without a port: 192.0.2.7, 192.0.2.7:8443, [2001:db8::7] or [2001:db8::7]:8443", place)}
}

// port is that of a URL, or of its scheme.
func port(u *url.URL) string {
	_, port, err := net.SplitHostPort(address(u))
	if err != nil {
		return ""
	}
	return port
}

// curlResolve are the words that make curl connect to where we do, and ask no
// proxy either.
func (t Target) curlResolve() []string {
	base, err := t.baseURL()
	if err != nil {
		return nil
	}
	at, err := t.resolved(base)
	if err != nil || !at.IsValid() {
		return nil
	}
	flag, to := "--resolve", strings.TrimSuffix(at.String(), ":"+port(base))
	if _, err := netip.ParseAddr(base.Hostname()); err == nil || strconv.Itoa(int(at.Port())) != port(base) {
		// --resolve answers in place of the name system, which is not asked about
		// addresses and says nothing of ports.
		flag, to = "--connect-to", at.String()
	}
	return []string{"--noproxy", "'*'", flag, quote(address(base) + ":" + to)}
}
