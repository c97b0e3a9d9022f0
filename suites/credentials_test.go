package suites_test

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/internal/services"
	"github.com/plantstore/conformance/suites/internal/services/parcels"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// parcelsRun runs valid requests against a server with the parcel service. It also returns how many
// requests each operation's path got.
func parcelsRun(t *testing.T, token string, credentials map[string]string, only ...string) (r result.Report, requests map[string]int, err error) {
	t.Helper()
	var mu sync.Mutex
	requests = map[string]int{}
	handler := parcels.Service().New(services.Options{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		requests[r.URL.Path]++
		mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	c, err := fewDerived()
	if err != nil {
		t.Fatal(err)
	}
	c.Only, c.Tries = only, 1
	c.Target.BaseURL, c.Target.Token, c.Target.Credentials = server.URL, token, credentials
	r, err = suites.Run(t.Context(), c)
	return r, requests, err
}

// Each alternative is tested if the target has named credentials for it. The token alone may belong
// to any of them.
func TestAlternatives(t *testing.T) {
	all := parcels.Service().Credentials
	for _, row := range []struct {
		name, token string
		credentials map[string]string
		want        []string
	}{
		{"both by name", all["partner"], all, []string{"checkNote/valid/credential.customer", "checkNote/valid/credential.terminal"}},
		{"one by name", "", map[string]string{"terminal": all["terminal"]}, []string{"checkNote/valid/credential.terminal"}},
		{"the token alone", all["customer"], nil, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			r, _, err := parcelsRun(t, row.token, row.credentials, "checkNote/valid/*")
			if err != nil {
				t.Fatal(err)
			}
			var sent []string
			for _, one := range r.Results {
				if strings.HasPrefix(one.Fixture, "checkNote/valid/credential.") {
					sent = append(sent, one.Fixture)
				}
				if one.Status != judge.Passed {
					t.Errorf("%s is %s: %s", one.Fixture, one.Status, one.Reason)
				}
			}
			if !slices.Equal(sent, row.want) {
				t.Errorf("sent are %v, want %v", sent, row.want)
			}
		})
	}
}

// TestCombinations: if several credentials are required together, one of them is not enough, even if the
// operation permits another credential instead. A credential of another scheme is not enough either.
func TestCombinations(t *testing.T) {
	const document = `openapi: 3.1.0
info: {title: Combined, version: '1'}
security: [{key: [], tenant: []}, {bearer: []}]
paths:
  /things: {get: {operationId: list, responses: {'200': {description: d}, '401': {description: d}}}}
components:
  securitySchemes:
    key: {type: apiKey, in: query, name: api_key}
    tenant: {type: apiKey, in: header, name: X-Tenant}
    bearer: {type: http, scheme: bearer}
    admin: {type: apiKey, in: cookie, name: admin}
`
	const warned = "a credential that is for other operations is enough" // security says which mechanisms can be used
	all := map[string]string{"key": "key-8c1f", "tenant": "tenant-52ab", "bearer": "bearer-90d3", "admin": "admin-417e"}
	for _, row := range []struct {
		name        string
		credentials map[string]string
		accepts     func(key, tenant, bearer, admin bool) bool
		want        verdict.Verdict
	}{
		{"as it is stated", all, func(key, tenant, bearer, _ bool) bool { return key && tenant || bearer }, verdict.Conformant},
		{"nothing is needed", all, func(_, _, _, _ bool) bool { return true }, verdict.Nonconformant},
		{"a key alone is enough", all, func(key, _, bearer, _ bool) bool { return key || bearer }, verdict.Nonconformant},
		{"a tenant alone is enough", all, func(_, tenant, bearer, _ bool) bool { return tenant || bearer }, verdict.Nonconformant},
		{warned, all, func(key, tenant, bearer, admin bool) bool { return key && tenant || bearer || admin }, verdict.Conformant},
		{warned + ", and is the token", map[string]string{"key": all["key"], "tenant": all["tenant"], "bearer": all["bearer"]}, func(key, tenant, bearer, admin bool) bool { return key && tenant || bearer || admin }, verdict.Conformant},
		{"the other credential is not accepted", all, func(key, tenant, _, _ bool) bool { return key && tenant }, verdict.Inconclusive},
		{"only the other credential is there to test", map[string]string{"bearer": all["bearer"]}, func(key, tenant, bearer, _ bool) bool { return key && tenant || bearer }, verdict.Conformant},
	} {
		t.Run(row.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				admin, err := r.Cookie("admin")
				if !row.accepts(r.URL.Query().Get("api_key") == all["key"], r.Header.Get("X-Tenant") == all["tenant"], r.Header.Get("Authorization") == "Bearer "+all["bearer"], err == nil && admin.Value == all["admin"]) {
					w.WriteHeader(http.StatusUnauthorized)
				}
			}))
			defer server.Close()
			c := contractOf(t, document)
			c.Target.BaseURL, c.Target.Credentials = server.URL, row.credentials
			if row.credentials["admin"] == "" && len(row.credentials) > 1 {
				c.Target.Token = all["admin"]
			}
			r, err := suites.Run(t.Context(), c)
			if err != nil || r.Verdict != row.want {
				t.Errorf("%s: %s, %v", r.Verdict, r.Headline, err)
			}
			if got := brokenBy(r, true); row.want == verdict.Conformant && (len(got) > 0) != strings.HasPrefix(row.name, warned) {
				t.Errorf("warns of %v", got)
			}
		})
	}
}

// TestUnknownCredential: a service that accepts a credential which it did not issue gets a warning, if the description
// of 401 says that an invalid one is refused. Otherwise the contract leaves this open.
func TestUnknownCredential(t *testing.T) {
	anyOf := func(string) bool { return true }
	own := func(credential string) bool { return credential == "Bearer "+token }
	for _, row := range []struct {
		name, description string
		accepts           func(credential string) bool
		want              []string
	}{
		{"refuses it", "The token is missing or invalid", own, nil},
		{"accepts any", "The token is missing or invalid", anyOf, []string{"list/request/credential"}},
		{"accepts any, and may", "No credential", anyOf, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " "); scheme != "Bearer" || key == "" || !row.accepts(r.Header.Get("Authorization")) {
					w.WriteHeader(http.StatusUnauthorized)
				}
			}))
			defer server.Close()
			c := contractOf(t, `openapi: 3.1.0
info: {title: t, version: '1'}
security: [{bearer: []}]
paths:
  /things: {get: {operationId: list, responses: {'200': {description: d}, '401': {description: `+row.description+`}}}}
components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
`)
			c.Target.BaseURL, c.Target.Token = server.URL, token
			if r := run(t, c); r.Verdict != verdict.Conformant || !slices.Equal(warned(r), row.want) {
				t.Errorf("%s: found %v, want %v%s", r.Verdict, warned(r), row.want, firstOf(r))
			}
		})
	}
}

// Each operation gets the credentials that it requires. If one of them is missing, it is unjudged
// for one reason, and the others are tested.
func TestCredentialsByScheme(t *testing.T) {
	all := parcels.Service().Credentials
	but := func(missing ...string) map[string]string {
		some := maps.Clone(all)
		for _, name := range missing {
			delete(some, name)
		}
		return some
	}
	for _, row := range []struct {
		name, token string
		credentials map[string]string
		accepted    []string // paths
		reasons     []string
	}{
		{"all of them", "", all, []string{"/labels", "/notes", "/quotes", "/scans"}, nil},
		{"the token for one without a name", all["partner"], but("partner"), []string{"/labels", "/notes", "/quotes", "/scans"}, nil},
		{"one of a combination is missing", "", but("terminal"), []string{"/labels", "/notes", "/quotes"}, []string{"the target has no credential for terminal"}},
		{"the other alternative", "", but("customer"), []string{"/labels", "/notes"}, []string{"the target has no credential for customer"}},
		{"none, but operations that require none", "", nil, nil, []string{
			"the target has no credential for customer", "the target has no credential for customer and terminal", "the target has no credential for partner",
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			r, requests, err := parcelsRun(t, row.token, row.credentials, "*/valid/*")
			if err != nil {
				t.Fatal(err)
			}
			accepted := map[string]bool{}
			for _, one := range r.Results {
				if one.Credential && one.Exchange.Response != nil && one.Exchange.Response.Status/100 == 2 {
					path, _, _ := strings.Cut(strings.TrimPrefix(one.Exchange.Request.URL, r.Target.BaseURL), "?")
					accepted[path] = true
				}
			}
			if got := slices.Sorted(maps.Keys(accepted)); !slices.Equal(got, row.accepted) {
				t.Errorf("accepted are %q, want %q", got, row.accepted)
			}
			for _, path := range []string{"/labels", "/notes", "/quotes", "/scans"} {
				if sent := requests[path] > 0; sent != slices.Contains(row.accepted, path) {
					t.Errorf("%s got %d requests", path, requests[path])
				}
			}
			var reasons []string
			for _, reason := range words.Unjudged(r) {
				reasons = append(reasons, reason.Text)
			}
			slices.Sort(reasons)
			if !slices.Equal(reasons, row.reasons) {
				t.Errorf("unjudged: %q, want %q", reasons, row.reasons)
			}
			reasons = nil
			for _, missing := range r.Reached.Missing {
				if strings.HasPrefix(missing.Reason, "the target has no credential") {
					reasons = append(reasons, missing.Reason)
				}
			}
			slices.Sort(reasons)
			if !slices.Equal(reasons, row.reasons) {
				t.Errorf("not reached: %q, want %q", reasons, row.reasons)
			}
			if len(row.reasons) > 0 && r.Verdict == verdict.Conformant {
				t.Errorf("%s: %s", r.Verdict, r.Reason)
			}
		})
	}
}

// A run that cannot send anything is refused, and so are names that the contract does not have.
func TestCredentialsThatCannotBeUsed(t *testing.T) {
	for _, row := range []struct {
		name        string
		credentials map[string]string
		want        string
	}{
		{"none", nil, "the contract requires a credential, but the target has none (readScan/valid/"},
		{"one of two", map[string]string{"terminal": "t-12345"}, "but the target has no credential for customer (readScan/valid/"},
		{"with the scheme", map[string]string{"partner": "bearer t-12345"}, `the credential for partner begins with "Bearer ", which the requests add to it; give it without`},
		{"no such scheme", map[string]string{"Customer": "a:b"}, "credential Customer is not a security scheme of the contract, which has customer, terminal, partner"},
		{"empty", map[string]string{"customer": ""}, "credential customer is empty"},
		{"a line break", map[string]string{"customer": "a\nb"}, "the credential customer has white space around it or a control character"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, requests, err := parcelsRun(t, "", row.credentials, "readScan/valid/*")
			if !errors.Is(err, suites.ErrConfig) || !strings.Contains(err.Error(), row.want) || len(requests) > 0 {
				t.Errorf("%v, want … %s …; requests %v", err, row.want, requests)
			}
		})
	}
}

// No report has a credential, or a part of one, in any encoding that the service uses in its response.
func TestCredentialsStaySecret(t *testing.T) {
	credentials := parcels.Service().Credentials
	var secrets []string
	for _, text := range credentials {
		secrets = append(secrets, text)
		secrets = append(secrets, strings.Split(text, ":")...)
	}
	c := derivedConfig(t, parcels.Service())
	c.Only, c.Tries, c.Target.Credentials = []string{"*/valid/*"}, 1, credentials
	c.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		w.Header().Set("X-Echo", r.Header.Get("Authorization")+r.URL.RawQuery)
		_, _ = io.WriteString(w, user+" "+password+" "+user+":"+password+" "+r.Header.Get("Authorization")+" "+r.URL.RequestURI())
	})
	r := run(t, c)
	var b strings.Builder
	if err := result.WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	data := b.String()
	for _, secret := range secrets {
		if strings.Contains(data, secret) {
			t.Errorf("%s is in the report", secret)
		}
	}
	for _, scheme := range []string{"CUSTOMER", "TERMINAL", "PARTNER"} {
		if !strings.Contains(data, "CONFORMANCE_CREDENTIAL_"+scheme) {
			t.Errorf("no command uses the credential of %s", scheme)
		}
	}
}

// A refused credential says nothing about the operations that require it. The others are judged.
func TestOneCredentialIsRefused(t *testing.T) {
	credentials := maps.Clone(parcels.Service().Credentials)
	credentials["partner"] = "expired-4410"
	r, _, err := parcelsRun(t, "", credentials, "uploadLabel/valid/*", "checkNote/valid/*")
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != verdict.Inconclusive || !strings.Contains(r.Reason, "the credential for partner was refused with 401") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
	if ids := brokenBy(r, true); len(ids) > 0 {
		t.Errorf("broken: %q%s", ids, first(r))
	}
}
