package selftest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/selftest"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

// The suite finds deviations, and no violation in variations. All trials take almost a minute, as
// in the gate. Otherwise a sample is used, with trials from each part of the tables.
func TestTheSuiteProvesItself(t *testing.T) {
	step := 400
	if os.Getenv("LONG_TESTS") != "" {
		step = 1
	}
	all := selftest.Trials()
	sample := []selftest.Trial{all[0]} // the reference
	for i := 1; i < len(all); i += step {
		sample = append(sample, all[i])
	}
	outcomes, err := selftest.Run(t.Context(), suites.NewConfig(), sample)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Fault != "" {
			t.Errorf("%s %s: %s", o.Kind, o.Name, o.Fault)
		}
	}
}

// Fixtures that are derived from the document find the same as the plant store's fixtures, with a
// few exceptions, and no violation in variations. LONG_TESTS=1 runs every eighth trial,
// LONG_TESTS=all each.
func TestDerivedAlone(t *testing.T) {
	step := map[string]int{"1": 8, "all": 1}[os.Getenv("LONG_TESTS")]
	if step == 0 {
		t.Skip("takes a minute; LONG_TESTS=all asks for it")
	}
	const format = "a service may offer more formats than its contract lists: a warning"
	missed := map[string]string{
		"xml-taken": format, "form-taken": format, "multipart-taken": format, "csv-taken": format, "ndjson-taken": format, "cbor-taken": format, "message-pack-taken": format,
		"missing-name-unchecked-with-language":       "a fault is not sent with the header Accept-Language",
		"type-of-tag-unchecked-with-language":        "a fault is not sent with the header Accept-Language",
		"missing-name-unchecked-with-browser":        "a fault in a value is not sent with a browser's Accept",
		"json-unchecked-with-browser":                "whether a malformed body is accepted for HTML is not judged",
		"media-type-quoted-as-it-is":                 "no undeclared media type with a quoted parameter is sent",
		"capital-escapes-refused":                    "no derived escape has capital digits",
		"content-coding-demanded":                    "no derived request leaves out Accept-Encoding",
		"fails-on-missing-agent":                     "no derived request leaves out User-Agent",
		"no-error-number-for-missing-agent":          "no derived request leaves out User-Agent",
		"letters-decoded-by-part":                    "no derived letter is cut by parts of the body",
		"eight-chunks-read":                          "derived chunks are few",
		"ids-cut-to-32-bits":                         "no derived id is like a known one",
		"ids-without-sign":                           "no derived id is like a known one",
		"missing-id-unchecked-with-256-kib":          "a fault is sent in bodies of at most 64 KiB",
		"type-of-name-unchecked-with-256-kib":        "a fault is sent in bodies of at most 64 KiB",
		"type-of-tag-unchecked-with-256-kib":         "a fault is sent in bodies of at most 64 KiB",
		"text-after-tag-accepted":                    "text is sent after a body without a tag",
		"fails-on-other-language-without-media-type": "a fault is not sent with the header Accept-Language",
		"rejected-plants-kept":                       "no derived request has the id of one that was rejected",
		"rejected-callers-kept":                      "no derived request has the id of one that was rejected",
		"large-body-refused-in-html":                 "derived bodies have at most 1 MiB",
		"fails-on-no-body-of-browser":                "no derived request without a body accepts HTML",
		"fails-on-addresses-that-disagree":           "no derived request names an address of the client",
		"fails-on-quoting-lone-surrogate":            "no request with a fault has a lone surrogate",
		"tag-of-another-case-shown":                  "no two tags that differ by case are sent",
		"ascii-alone":                                "the document does not say that a name may have any letters",
		"not-found":                                  "404 to everything may be another base URL",
		"credential-unchecked-with-non-ascii":        "no credential is sent in this company",
		"credential-unchecked-by-one-instance":       "it is sent too rarely",
		"token-in-query-admitted":                    "RFC 6750 (section 2.3) has the token there as well",
		"message-pack-undeclared-accepted":           "no derived body is in MessagePack",
		"json-prefix-read-as-json":                   "this media type is not sent",
		"tag-before-name-refused":                    "no derived body has another order of properties",
		"line-breaks-refused":                        "no derived body begins with a brace and a line break",
		"escaped-solidus-refused":                    "no derived text has a solidus",
		"unlisted-values-unread":                     "no derived value of an unlisted property is malformed",
		"locked-by-zero":                             "what is derived is not sent once more at the end",
		"very-long-id-accepted":                      "that a number of 5,000 digits breaks the contract is not proven",
		"fails-on-long-id":                           "that a number of 5,000 digits breaks the contract is not proven",
		"token-in-body-token-admitted":               "no derived body carries a token",
		"token-in-body-access-token-admitted":        "no derived body carries a token",
		"name-cut-in-error":                          "a fault is not sent beside a long text of two-byte characters",
		"missing-name-unchecked-with-256-kib":        "a fault is sent in bodies of at most 64 KiB",
		"not-modified":                               "no derived request has the header If-None-Match, unless the contract has it",
		"range-of-plant":                             "no derived request has the header Range",
		"gzip-for-all":                               "no derived request refuses gzip",
		"tag-refused":                                "that one of several tags must be taken is not derived",
		"upgrade-403":                                "no derived request offers another protocol",
		"hangs-up-on-upgrade":                        "no derived request offers another protocol",
		"upgrade-refused-in-text":                    "no derived request offers another protocol",
		"name-checked-first":                         "two properties of one name have values of one type",
		"tag-checked-first":                          "two properties of one name have values of one type",
		"name-checked-last":                          "two properties of one name have values of one type",
		"tag-checked-last":                           "two properties of one name have values of one type",
		"null-of-two-shown":                          "two properties of one name have values of one type",
		"other-case-shown":                           "no derived body has a second property that differs only in its case",
		"control-byte-accepted":                      "no derived text has this byte",
		"null-admitted":                              "no derived credential has this form",
		"token-first-admitted":                       "no derived credential has this form",
		"comma-after-scheme-admitted":                "no derived credential has this form",
		"credential-unchecked-with-negative-id":      "a missing credential is not sent with a negative id",
		"missing-name-unchecked-with-quoted-charset": "a fault is not sent with this form of the media type",
		"type-of-tag-unchecked-with-quoted-charset":  "a fault is not sent with this form of the media type",
		"json-unchecked-with-other-parameter":        "a fault is not sent with this form of the media type",
		"missing-id-unchecked-with-other-parameter":  "a fault is not sent with this form of the media type",
		"missing-name-unchecked-with-semicolon":      "a fault is not sent with this form of the media type",
		"credential-unchecked-with-semicolon":        "a fault is not sent with this form of the media type",
		"missing-name-unchecked-with-close":          "a fault is not sent on a connection that closes",
		"json-unchecked-with-close":                  "a fault is not sent on a connection that closes",
		"missing-name-unchecked-with-gzip":           "a fault is not sent compressed",
		"json-unchecked-with-gzip":                   "a fault is not sent compressed",
		"credential-unchecked-with-gzip":             "a fault is not sent compressed",
		"session-of-plant-admitted":                  "no derived request has the cookie of another response",
		"escaped-form-feed-refused":                  "no derived text has this escape",
		"escape-pair-refused":                        "no derived text has this escape",
		"charset-demanded":                           "415 to a derived request is a warning, too",
		"ids-kept-as-doubles":                        "no derived id is like a known one",
		"plant-of-same-digits-shown":                 "no derived id is like a known one",
		"text-after-1-mb-accepted":                   "a fault is sent in bodies of at most 64 KiB",
		"list-in-plants-accepted":                    "no derived request wraps a body in a property of another name",
		"plant-as-script":                            "no derived query names a function",
		"plant-in-latin-1-as-asked":                  "no derived request has Accept-Charset",
		"preflight-trusted":                          "no derived request without a token has the headers of a preflight",
		"repeated-key-admitted":                      "no derived request repeats a key without its token",
		"fails-on-wrong-id-and-tag":                  "these two faults are not sent together",
		"fails-on-no-id-and-wrong-name":              "these two faults are not sent together",
		"fails-on-no-id-and-wrong-tag":               "these two faults are not sent together",
		"fails-on-basic-without-colon":               "no derived credential of Basic is without a colon",
		"fails-on-malformed-jwt":                     "no derived token has three parts",
		"fails-on-long-agent":                        "no derived User-Agent is long",
		"nothing-checked":                            "a body in which all has a wrong type is sent as well, and breaks one clause more",
	}
	c := suites.NewConfig()
	c.Limits.MaxRequests = 100_000
	var err error
	if c.Contract, err = spec.LoadFile(t.Context(), "../../../spec/openapi.yaml"); err != nil {
		t.Fatal(err)
	}
	var trials []selftest.Trial
	for i, trial := range selftest.Trials() {
		if i%step == 0 {
			trials = append(trials, trial)
		}
	}
	outcomes, err := selftest.Run(t.Context(), c, trials)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, o := range outcomes {
		if o.Fault == "" {
			found++
		}
		switch _, known := missed[o.Name]; {
		case o.Fault != "" && !known:
			t.Errorf("%s %s: %s", o.Kind, o.Name, o.Fault)
		case o.Fault == "" && known:
			t.Errorf("%s is found; take it out of the list", o.Name)
		}
	}
	t.Logf("%d of %d trials end as they must", found, len(outcomes))
}

// Every clause has a deviation that breaks it.
func TestEveryClauseHasADeviation(t *testing.T) {
	var held []selftest.Outcome
	for _, trial := range selftest.Trials() {
		held = append(held, selftest.Outcome{Trial: trial})
	}
	proof, err := selftest.Prove(held)
	if err != nil {
		t.Fatal(err)
	}
	if !proof.Whole() {
		t.Error(proof)
	}
}

// Trials can fail: a missing finding is a fault, and so is an unexpected one.
func TestTrialsCanFail(t *testing.T) {
	trials := selftest.Trials()
	expectsTooMuch := trials[0]
	expectsTooMuch.Violates = []string{"createPlant/answers"}
	expectsTooLittle := trials[len(trials)-1]
	expectsTooLittle.Violates, expectsTooLittle.Warns = nil, nil
	outcomes, err := selftest.Run(t.Context(), suites.NewConfig(), []selftest.Trial{expectsTooMuch, expectsTooLittle})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"no violation of createPlant/answers was found", "an unexpected violation"} {
		if !strings.Contains(outcomes[i].Fault, want) {
			t.Errorf("%s: fault %q, want it to contain %q", outcomes[i].Name, outcomes[i].Fault, want)
		}
	}
}
