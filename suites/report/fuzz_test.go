package report_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

// words are the fields that hold one word out of a few, by the name of struct
// and field, with those they may hold.
var words = map[string][]string{
	"Report.Schema":    {report.SchemaID},
	"Report.Verdict":   {"conformant", "nonconformant", "inconclusive"},
	"Clause.Level":     {"must", "should", "silent"},
	"Clause.Status":    {"passed", "failed", "waived", "warned", "vacuous", "unexercised"},
	"Outcome.Expect":   {"accepted", "rejected", "either"},
	"Outcome.Level":    {"must", "should", "silent"},
	"Outcome.Status":   {"passed", "failed", "waived", "warned", "unjudged"},
	"Alone.Status":     {"passed", "failed", "warned"},
	"Finding.Severity": {"violation", "warning", "observation"},
	"Body.Encoding":    {"", "base64"},
}

// filled is a report with that text wherever a text may be. The number picks
// what else there is: which of the few words, how far an offset.
func filled(text string, number uint16) report.Report { return filledWith(3, text, number) }

// filledWith does so with that many elements in each list.
func filledWith(elements int, text string, number uint16) report.Report {
	var r report.Report
	f := filling{text, int(number), elements}
	f.fill(reflect.ValueOf(&r).Elem(), "")
	r.Run.Started = time.Date(2026, 11, 21, 8, 21, 9, 0, time.UTC)
	return r
}

type filling struct {
	text     string
	number   int
	elements int
}

func (f *filling) fill(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.text)
		if few := words[name]; few != nil {
			v.SetString(few[f.number%len(few)])
			f.number++
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(f.number - 1))
		if name != "Finding.Offset" {
			v.SetInt(int64(f.number))
		}
	case reflect.Pointer:
		if f.number%3 != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), name)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), f.elements, f.elements))
		for i := range v.Len() {
			f.fill(v.Index(i), name)
		}
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		f.fill(value, name)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(f.text), value)
	case reflect.Struct:
		switch into := v.Addr().Interface().(type) {
		case *time.Time, *judge.Day:
			return
		case *fixtures.Pattern:
			*into = fixtures.NewPattern(f.text)
			return
		}
		for field, value := range v.Fields() {
			f.fill(value, v.Type().Name()+"."+field.Name)
		}
	}
}

// Whatever a report holds, each format is well-formed, and the console shows
// it without obeying it.
func FuzzRenderers(f *testing.F) {
	for i, text := range []string{
		"", "plain", "a/b/c: d", "]]>", `<a b="c">&amp;`, "\x1b[2J\x00\x7f\u009b", "caf\xe9", "\xf0\x9f", "\u202e\u2028\ufffe", "a\r\nb\tc",
		"createPlant/valid/plain", "%s%n", "::set-output name=a::b", "a\n ::stop-commands::b", "##[add-mask]a", "]##vso[b]", strings.Repeat("é", 300), "AAAA====", "https://[", "\x1b[31m",
	} {
		f.Add(text, uint16(i))
	}
	f.Fuzz(func(t *testing.T, text string, number uint16) {
		r := filled(text, number)
		asJSON := written(t, r)
		if !json.Valid(asJSON) || !utf8.Valid(asJSON) {
			t.Errorf("no JSON:\n%q", asJSON)
		}
		validate(t, asJSON)
		checkNoCommands(t, "JSON", string(asJSON))
		asJUnit := writtenJUnit(t, r)
		parseXML(t, asJUnit)
		checkNoCommands(t, "JUnit", string(asJUnit))
		for _, detail := range []report.Detail{report.Quiet, report.Normal, report.Verbose} {
			page := console(t, report.Console{Detail: detail}, r)
			harmless(t, "the page", page)
			checkNoCommands(t, "the page", page)
			coloured := console(t, report.Console{Detail: detail, Color: true}, r)
			if colours.ReplaceAllString(coloured, "") != page {
				t.Errorf("colour changes the text:\n%q", coloured)
			}
		}
	})
}
