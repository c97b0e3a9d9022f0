package reporttest

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// hostileTexts returns texts that any field of a report may contain, by the reason why
// they are hard to display.
func hostileTexts() map[string]string {
	return map[string]string{
		"nothing":       "",
		"markup":        `<script>alert(1)</script><img src=x onerror="alert(1)">&lt;!--]]>`,
		"Markdown":      "| a | `b` ``` ~~~ **c** [d](https://evil.example) ![e](f) # @everyone </details> \\| \\",
		"control":       "a\x00b\x1b[31m\x07\x08\x7f\u009b31m",
		"lines":         "a\r\nb\n\n```\n# c\n\u2028d\u0085e",
		"direction":     "\u202eabc\u2066\u200b",
		"no UTF-8":      "caf\xe9\xff\xfe\xf0\x9f",
		"no characters": "\ufffe\uffff\U0010ffff",
		"commands":      "::error file=a,line=1::b ##[set-output name=c]d\n::stop-commands::e",
		"placeholders":  `{0} {{1}} %s %d %25 ${{ secrets.TOKEN }} $TOKEN`,
		"one long word": strings.Repeat("x", 1<<16+1),
		"a colon":       "::",
		"end of markup": strings.Repeat("0", 48) + "</details>",
		"long markup":   strings.Repeat("<`|é", 1<<17/10),
	}
}

// EachHostile runs a test with reports that contain a hostile text in every text field. For
// short texts it repeats this with different words in the fields of words: two variants, or
// six if LONG_TESTS is set.
func EachHostile(t *testing.T, check func(t *testing.T, text string, r result.Report)) {
	t.Helper()
	words := uint16(2)
	if os.Getenv("LONG_TESTS") != "" {
		words = 6
	}
	for name, text := range hostileTexts() {
		t.Run(name, func(t *testing.T) {
			if len(text) > 1<<15 {
				check(t, text, Filled(1, text, 1))
				return
			}
			for number := range words {
				check(t, text, Filled(3, text, number))
			}
		})
	}
}

// Fuzz runs a test with reports that contain the same text in every text field. It starts
// with the hostile texts.
func Fuzz(f *testing.F, check func(t *testing.T, r result.Report)) {
	for _, text := range hostileTexts() {
		if len(text) < 1<<10 {
			f.Add(text, uint16(len(text)))
		}
	}
	f.Fuzz(func(t *testing.T, text string, number uint16) { check(t, Filled(2, text, number)) })
}

// words are the permitted words of the fields that hold one word, by the names of struct
// and field.
var words = map[string][]string{
	"Report.Schema":    {result.SchemaID},
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

// Filled returns a report with the text in every text field and this number of elements in each
// list. The number determines the other values, such as words and offsets.
func Filled(elements int, text string, number uint16) (r result.Report) {
	Fill(&r, elements, text, number)
	r.Run.Started = time.Date(2026, 11, 21, 8, 21, 9, 0, time.UTC)
	return r
}

// Fill fills the value that into points to.
func Fill(into any, elements int, text string, number uint16) {
	f := filling{text, int(number), elements}
	f.fill(reflect.ValueOf(into).Elem(), "")
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
		case *time.Time, *verdict.Day:
			return
		case *fixtures.Pattern:
			*into = fixtures.NewPattern(f.text[:min(len(f.text), 100)]) // long patterns compile slowly
			return
		}
		for field, value := range v.Fields() {
			f.fill(value, v.Type().Name()+"."+field.Name)
		}
	}
}
