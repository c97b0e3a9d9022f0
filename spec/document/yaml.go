package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// documents returns the YAML documents that are not empty, at most the given number.
func documents(data []byte, most int) (list []*yaml.Node, err error) {
	if bytes.HasPrefix(data, []byte("%YAML 1.")) { // the parser refuses to read 1.2 by name
		data = slices.Concat([]byte("#"), data[1:])
	}
	limits := loaderlimits.New(loaderlimits.DepthFunc(checkDepth), loaderlimits.AliasNone()) // builder counts what aliases stand for
	loader, err := yaml.NewLoader(bytes.NewReader(data), yaml.WithPlugin(limits))
	for err == nil && len(list) < most {
		var document yaml.Node
		if err = loader.Load(&document); err != nil {
			break
		}
		if root := document.Content[0]; root.ShortTag() != "!!null" || root.Value != "" {
			list = append(list, root)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return list, err
}

// errTooDeep is the error of a document that has too many levels.
var errTooDeep = fmt.Errorf("nests deeper than %d levels", maxDepth)

// checkDepth stops the parser, which would read a hostile file to its end.
func checkDepth(depth int, _ *loaderlimits.DepthContext) error {
	if depth > maxDepth+1 { // the outermost level is 0 in a Node
		return errTooDeep
	}
	return nil
}

// wrap returns an error of the parser with its place. The parser has no codes for its errors, so wrap
// recognizes some of them by their texts. No other function does.
func (s *source) wrap(err error) error {
	failed, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return s.error(0, 0, err.Error())
	}
	at, message, hint := s.place(failed), failed.Message, ""
	text := []rune(s.line(at.Line))
	switch {
	case errors.Is(err, errTooDeep):
		return s.error(at.Line, at.Column, message)
	case strings.HasPrefix(message, "unknown anchor"):
		return s.error(at.Line, at.Column, notEarlier)
	case strings.HasPrefix(strings.TrimLeft(string(text), " "), "\t"):
		return s.error(at.Line, at.Column, "a tab cannot indent YAML; use spaces")
	case strings.HasPrefix(message, "found character that cannot start") && 0 < at.Column && at.Column <= len(text):
		message, hint = fmt.Sprintf("a value cannot begin with %q", text[at.Column-1]), "quote it"
	case message == "did not find expected <document start>":
		message = "text after the end of the value"
	case failed.ContextMsg != "":
		message += " " + failed.ContextMsg
	}
	located := s.error(at.Line, at.Column, "not valid YAML or JSON: "+message)
	located.Hint = hint
	return located
}

// place returns the place of an error, or of what is still open at the end of the text.
func (s *source) place(failed *yaml.LoadError) yaml.Mark {
	at := failed.Mark
	if at.Line == 0 { // of a control character, whose line the parser does not count
		isControl := func(r rune) bool {
			return r < ' ' && !strings.ContainsRune("\t\r\n", r) || r == '\ufffe' || r == '\uffff'
		}
		for at.Column = 0; at.Column == 0 && at.Line < len(s.data); {
			at.Line++
			at.Column = 1 + strings.IndexFunc(s.line(at.Line), isControl)
		}
	}
	last := bytes.Count(s.data, []byte("\n")) + bytes.Count(s.data, []byte("\r")) + 1 // or later
	for last > 1 && s.line(last) == "" {
		last--
	}
	if at.Line > last && failed.ContextMark.Line > 0 {
		at = failed.ContextMark
	}
	at.Line = min(at.Line, last)
	return at
}

// hideLineBreaks replaces three characters at which the parser ends a line. In YAML 1.2 they end none
// (§5.4). It replaces them by characters that have no meaning (Unicode §23.7).
func (b *builder) hideLineBreaks(data []byte) []byte {
	var hide, restore []string
	for i, one := range []string{"\u0085", "\u2028", "\u2029"} {
		if hidden := string(rune(0xfdd0 + i)); bytes.Contains(data, []byte(one)) {
			hide, restore = append(hide, one, hidden), append(restore, hidden, one)
		}
	}
	if hide == nil {
		return data
	}
	b.restored = strings.NewReplacer(restore...)
	return []byte(strings.NewReplacer(hide...).Replace(string(data)))
}
