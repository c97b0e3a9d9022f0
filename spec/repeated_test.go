package spec_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestUnique checks the words for unique values and for idempotency keys.
func TestUnique(t *testing.T) {
	const taken = "Already exists."
	for _, row := range []struct {
		conflict, email string // descriptions
		want            string
	}{
		{"A user with this email exists.", "", "email"},
		{"The email is already registered in this team", "", "email teamName"},
		{"There is a user of this email.", "", "email"},
		{"There is a user of this kind with open orders for another email.", "", ""},
		{"There is a problem with this email.", "", ""},
		{"e-mail or team name in use", "", "email teamName"},
		{"The folder has a user with that e-mail address", "", "email"},
		{"The team has users", "", ""},
		{"duplicate email", "", "email"},
		{taken, "Must be unique.", "email"},
		{taken, "Unique within a team name.", "email teamName"},
		{taken, "", ""},
		{taken, "A unique id of the user.", ""},
		{"There is a user with this email.", "", "email"},
		{"There is an open order with this email.", "", ""},
		{"Conflict", "Must be unique.", ""},
		{"No user with this email exists.", "", ""},
		{"An active user with this email exists.", "", ""},
		{"The user exists, with a different email.", "", ""},
		{"Duplicate request.", "Unique.", ""},
		{"A user of this kind exists.", "", ""},
		{"The email is taken. The plan is not available.", "", "email"},
	} {
		document := spectest.Head("3.0.3") + "paths: {/a: {post: {operationId: x, summary: Adds a user, requestBody: {content: {application/json: {schema: {type: object, properties: {email: {type: string, description: '" + row.email + "'}, teamName: {type: string}, kind: {type: string, enum: [a]}}}}}}, " +
			"responses: {'201': {description: made}, '409': {description: '" + row.conflict + "'}}}}}\n"
		for old, other := range map[string]string{"": "", "Adds a user": "Adds or replaces a user", "made": "made or found", "'201'": "'200'", "kind:": "onConflict:"} {
			want := row.want
			if other != "" {
				want = ""
			}
			if _, names := spectest.Load(t, strings.Replace(document, old, other, 1)).Operations[0].Unique(); strings.Join(names, " ") != want {
				t.Errorf("%s, %+v: %q", other, row, names)
			}
		}
	}
	for said, want := range map[string]string{"Emails are unique in the workspace.": "email", "No two users may have the same email.": "email", "No two users in a team can share the same email; they are compared irrespective of case (409).": "email", "The e-mail address must not be that of another user.": "email", "No two users may have the same email and kind.": "", "The email must not be that of another service.": "email", "No two users may see the same email.": "", "The email must be unique, deleted users included.": "email", "A deleted user has no unique email, without exception": "", "An email that another user has gives 409.": "email", "An email that another user has is welcome.": "", "Fails if a user with this email already exists.": "email", "Fails if an archived user with this email already exists.": "", "Adds a user with a unique email": "email", "Returns a unique number": "", "Open ones have a unique email": "", "Creates a unique link to an email": ""} {
		for _, where := range []string{"summary", "description"} {
			document := spectest.Head("3.0.3") + "paths: {/a: {post: {operationId: x, " + where + ": '" + said + "', requestBody: {content: {application/json: {schema: {type: object, properties: {email: {type: string}, address: {type: object}}}}}}, responses: {'201': {description: made}, '409': {description: Conflict}}}}}\n"
			if _, names := spectest.Load(t, document).Operations[0].Unique(); strings.Join(names, " ") != want {
				t.Errorf("%s %s: %q", where, said, names)
			}
		}
	}
	for _, description := range []string{"An e-mail address, unique among users.", "Unique."} {
		document := spectest.Head("3.0.3") + "paths: {/a: {post: {operationId: x, description: The e-mail address must not be that of another user., requestBody: {content: {application/json: {schema: {type: object, properties: {email: {type: string, description: '" + description + "'}, address: {type: object}}}}}}, responses: {'201': {description: made}, '409': {description: Conflict}}}}}\n"
		if _, names := spectest.Load(t, document).Operations[0].Unique(); strings.Join(names, " ") != "email" {
			t.Errorf("%s: %q", description, names)
		}
	}
	for parameter, want := range map[string]bool{
		"name: Idempotency-Key, in: header, description: Requests with the same key give the same result.":                                   true,
		"name: x-request-id, in: header, description: To create nothing twice.":                                                              true,
		"name: Idempotency-Key, in: header, description: A key that ensures idempotency.":                                                    true,
		"name: Idempotency-Key, in: header}], description: 'Adds it. A retry with the same Idempotency-Key returns the first one.', x-n: [{": true,
		"name: Idempotency-Key, in: header, description: A repeated request with the same key is not booked again.":                          true,
		"name: Idempotency-Key, in: header, description: A repeated request with the same key creates nothing and gets the first response.":  true,
		"name: Idempotency-Key, in: header, description: A request with the key of an earlier one adds none.":                                true,
		"name: Idempotency-Key, in: header, description: A second request with the key returns the response of the first.":                   true,
		"name: Idempotency-Key, in: header, description: A request with the key of another one returns the response of the earlier one.":     true,
		"name: Idempotency-Key, in: header, description: A key.":                                                                             false,
		"name: X-Request-ID, in: header, description: Is logged once and sent in the same response header.":                                  false,
		"name: Idempotency-Key, in: query, description: To create nothing twice.":                                                            false,
	} {
		op := spectest.Load(t, spectest.Head("3.0.3")+"paths: {/a: {post: {operationId: x, parameters: [{schema: {type: string}, "+parameter+"}], responses: {'201': {description: d}}}}}\n").Operations[0]
		if _, got := op.IdempotencyKey(); got != want {
			t.Errorf("%s: %t", parameter, got)
		}
	}
}
