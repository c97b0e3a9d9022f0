package suites_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
)

const flats = `openapi: 3.0.3
info: {title: Flats, version: '1'}
paths:
  /flats:
    get:
      operationId: listFlats
      parameters:
        - {name: beds, in: query, schema: {type: integer, minimum: 1, maximum: 9}}
        - {name: view, in: query, schema: {type: string, enum: [sea, hill]}}
        - {name: X-Tenant, in: header, schema: {type: string, pattern: '^[a-z]+$'}}
      responses: {'200': {description: d}, '400': {description: d}}
`

// TestParametersBesideOthers: each parameter has its limits, whatever others are sent. A service may
// check one only if another is sent, or is not.
func TestParametersBesideOthers(t *testing.T) {
	const query = "listFlats/request/query/"
	valid := map[string]*regexp.Regexp{"beds": regexp.MustCompile(`^[1-9]$`), "view": regexp.MustCompile(`^(sea|hill)$`), "tenant": regexp.MustCompile(`^[a-z]+$`)}
	for name, row := range map[string]struct {
		unchecked string // the service does not check this parameter
		with      string // if this one is sent, too
		without   bool   // or rather if that one is not sent
		want      string // violated clauses
	}{
		"all checked":            {},
		"leading zeros accepted": {unchecked: "07"},
		"beds beside a view":     {unchecked: "beds", with: "view", want: query + "beds"},
		"beds beside a tenant":   {unchecked: "beds", with: "tenant", want: query + "beds"},
		"beds without a view":    {unchecked: "beds", with: "view", without: true, want: query + "beds"},
		"a view beside beds":     {unchecked: "view", with: "beds", want: query + "view"},
		"a view beside a tenant": {unchecked: "view", with: "tenant", want: query + "view"},
		"a tenant beside a view": {unchecked: "tenant", with: "view", want: "listFlats/request/header/X-Tenant"},
	} {
		sample(t, name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, flats)
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sent := map[string][]string{"beds": r.URL.Query()["beds"], "view": r.URL.Query()["view"], "tenant": r.Header["X-Tenant"]}
				for parameter, values := range sent {
					isUnchecked := parameter == row.unchecked && (sent[row.with] != nil) != row.without
					if row.unchecked == "07" && parameter == "beds" && values != nil {
						values = []string{strings.TrimPrefix(values[0], "0")}
					}
					if values != nil && !isUnchecked && !valid[parameter].MatchString(values[0]) {
						w.WriteHeader(http.StatusBadRequest)
						return
					}
				}
			})
			r := run(t, c)
			if got := strings.Join(broken(r, judge.Violation), " "); got != row.want {
				t.Errorf("violated: %q, want %q%s", got, row.want, firstOf(r))
			}
		})
	}
}
