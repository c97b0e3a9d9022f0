package check

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/schema"
)

// text judges a plain text in UTF-8 or ASCII. If the text does not meet the schema, it tries the
// text without the line break at the end, which may not be part of the value.
func (c *checking) text(declared *spec.Declared, media *mediatype.Content) {
	named, err := mediatype.Parse(c.response.Header.Get("Content-Type"))
	charset := strings.ToLower(cmp.Or(named.Parameters["charset"], "utf-8"))
	if err != nil || named.Kind != "text" || named.Subtype != "plain" || charset != "utf-8" && charset != "us-ascii" ||
		!utf8.Valid(c.response.Body) || c.response.Header.Get("Content-Encoding") != "" {
		return
	}
	text := string(c.response.Body)
	faults, err := media.Schema.Faults(schema.Response, text)
	if err != nil {
		c.unknown(uncompiled(err))
		return
	}
	c.exercise(declared.ClauseIDs().Body())
	if line, ended := strings.CutSuffix(text, "\n"); ended && len(faults) > 0 {
		faults, _ = media.Schema.Faults(schema.Response, strings.TrimSuffix(line, "\r"))
	}
	if len(faults) > 0 {
		c.breach(Breach{Clause: declared.ClauseIDs().Body(), Message: faults[0].Message, Expected: faults[0].Expected, Actual: text, Offset: 0})
	}
}
