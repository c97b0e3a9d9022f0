package parcels

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

const heaviest = "31.5"

func checkBox(box *services.Object) {
	box.Require("length", "width")
	box.Integer("length", services.AtLeast("1"), services.AtMost("200"))
	box.Integer("width", services.AtLeast("1"), services.AtMost("100"))
}

// readQuote reads the parcel to quote, in JSON or as a form.
func readQuote(r *fault.Request, report *services.Report) map[string]any {
	const form = "application/x-www-form-urlencoded"
	if mediaType, _ := report.MediaType(r, "application/json", form); mediaType == form {
		return readForm(r, report)
	}
	o := report.JSONObject(r)
	if !report.Empty() {
		return nil
	}
	o.Close("to", "weight", "boxes", "pickup", "insured", "contact", "customs", "value")
	checkParcel(o)
	o.List("boxes", services.Items{Min: 1, Max: 3}, func(box *services.Object, name string) { box.Inner(name, checkBox) })
	if !o.IsNull("pickup") {
		o.Text("pickup", services.Date)
	}
	o.Inner("contact", checkContact)
	o.Text("customs", services.Length(0, 400), services.Base64)
	o.Integer("value", services.AtLeast("0"), services.Int64)
	return o.Values
}

// checkParcel checks the values that JSON and the form have in common.
func checkParcel(o *services.Object) {
	o.Require("to", "weight")
	o.Text("to", services.Pattern(postcode))
	o.Number("weight", services.Above("0"), services.AtMost(heaviest))
	o.Boolean("insured")
}

// checkContact checks that there is either an email address or a telephone number, and
// nothing else.
func checkContact(contact *services.Object) {
	if contact.Has("email") == contact.Has("phone") && contact.FailWhole("oneOf") {
		return
	}
	contact.Close("email", "phone")
	contact.Text("email", services.Email)
	contact.Text("phone", services.Pattern(phoneForm))
}

func readForm(r *fault.Request, report *services.Report) map[string]any {
	sent, err := url.ParseQuery(string(report.Body(r)))
	if err != nil {
		report.Add("body", "syntax")
	}
	p := services.Parameters{}
	p.Text(sent, "to")
	p.Literal(sent, "weight", "insured")
	p.Exploded(sent, "options")
	if !report.Empty() {
		return nil
	}
	o := report.Object("form", p)
	checkParcel(o)
	o.List("options", services.Items{Min: 1, Max: 3, Unique: true}, member("evening", "saturday", "neighbour"))
	return p
}

// readLabel reads the parts of a label. The part label is its content.
func readLabel(r *fault.Request, report *services.Report) map[string]any {
	_, mediaParameters := report.MediaType(r, "multipart/form-data")
	body := report.Body(r)
	if !report.Empty() {
		return nil
	}
	p, err := readParts(body, mediaParameters["boundary"], report)
	if err != nil {
		report.Add("body", "syntax")
		return nil
	}
	o := report.Object("part", p)
	o.Require("reference", "label")
	o.Text("reference", services.Pattern(reference))
	o.Integer("copies", services.AtLeast("1"), services.AtMost("10"))
	o.Inner("sender", func(sender *services.Object) {
		sender.Require("name")
		sender.Text("name", services.Length(1, 0))
		sender.Text("email", services.Email)
	})
	return p
}

func readParts(body []byte, boundary string, report *services.Report) (services.Parameters, error) {
	p := services.Parameters{}
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return p, nil
		}
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		switch name := part.FormName(); name {
		case "reference":
			p[name] = string(content)
		case "copies":
			p[name] = services.Literal(string(content))
		case "label":
			p[name] = content
			permitted := []string{"", "application/pdf", "image/png"}
			if sent := strings.ToLower(part.Header.Get("Content-Type")); !slices.Contains(permitted, sent) {
				report.Add("part/label", "contentType")
			}
		case "sender":
			value, ok := services.ParseJSON(content)
			if p[name] = value; !ok {
				p[name] = string(content)
			}
		}
	}
}

func readNote(r *fault.Request, report *services.Report) string {
	report.MediaType(r, "text/plain")
	note := string(report.Body(r))
	if !utf8.ValidString(note) {
		report.Add("body", "syntax")
	}
	if utf8.RuneCountInString(note) > 200 && !report.Add("body", "maxLength") {
		note = string([]rune(note)[:200])
	}
	return note
}

// The formats of texts.
var (
	reference = regexp.MustCompile("^[A-Z]{2}[0-9]{6}$")
	postcode  = regexp.MustCompile("^[A-Z]{2}-[0-9]{4,6}$")
	phoneForm = regexp.MustCompile(`^\+[0-9]{6,14}$`)

	scannerForm = regexp.MustCompile("^[a-z]+-[0-9]{1,4}$")
	pathForm    = regexp.MustCompile("^/[^ ]*$")
	localeForm  = regexp.MustCompile("^[a-z]{2}$")
)
