// Package settings reads configuration files: the keys are the names of flags, the values are their
// texts.
//
//	base-url: https://plants.example.com
//	token-file: secrets/token
//	header:
//	  - 'X-Tenant: ${PLANTS_TENANT}'
//
// Values are parsed later, in the same way as those of the command line, so that errors are the
// same. This package handles what only a file has: the place of each value, paths relative to the
// file's folder, and variables that keep a secret out of the file.
package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
)

// Key is a setting that a file may contain.
type Key struct {
	Name       string
	Repeatable bool // it may be a list
	Expand     bool // ${NAME} in it is replaced by the environment variable NAME

	// Locate turns a path relative to the folder into one that can be opened. It is nil if the text
	// is not a path. See [Beside].
	Locate func(folder, text string) string
}

// Value is one text of a setting, and its place.
type Value struct {
	Text    string
	Place   string // file and line, such as conformance.yaml:3
	Written string // the text before variables were expanded and paths located
	Fault   error  // why a variable could not be expanded; an error only if the value is used
}

// Settings holds the values of each key, in the order of the file.
type Settings map[string][]Value

// Unknown returns the text that follows the name of an unknown key in an error.
type Unknown func(key string, known []string) string

// LoadFile reads a file with one mapping of settings. An empty file has none. The error is a
// [fs.PathError], or a [document.Error] with file, line and column. It does not quote the file: a
// credential in the wrong place must not get into a log.
func LoadFile(path string, known []Key, unknown Unknown) (s Settings, err error) {
	defer func() { err = withoutExcerpt(err) }()
	root, err := load(path)
	if err != nil || root == nil {
		return Settings{}, err
	}
	return decode(root, known, unknown)
}

// LoadList reads a file with a list of mappings under one key. The list must not be empty. Errors
// are those of [LoadFile].
func LoadList(path, under string, known []Key, unknown Unknown) (all []Settings, err error) {
	defer func() { err = withoutExcerpt(err) }()
	root, err := load(path)
	if err != nil {
		return nil, err
	}
	if root == nil {
		return nil, &document.Error{File: path, Message: fmt.Sprintf("is empty; it must hold a list under %s", under)}
	}
	fields := root.Fields(under)
	if err := fields.Err(); err != nil {
		return nil, err
	}
	list := fields.Get(under)
	if list == nil || list.Kind != document.Array || len(list.Items) == 0 {
		return nil, root.Errorf("%s must be a list with at least one item", under)
	}
	for _, item := range list.Items {
		s, err := decode(item, known, unknown)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// load returns nil for a file that is empty or contains only comments.
func load(path string) (*document.Node, error) {
	data, err := document.ReadFile(os.Open(path))
	if err != nil {
		return nil, fmt.Errorf("reading the settings: %w", err)
	}
	if !content.Match(data) {
		return nil, nil
	}
	return parse(path, data)
}

// content matches a line that has something other than a comment.
var content = regexp.MustCompile(`(?m)^\s*[^#\s]`)

func decode(node *document.Node, known []Key, unknown Unknown) (Settings, error) {
	if node.Kind != document.Object {
		return nil, node.Errorf("must be a mapping of settings, each as `key: value`; found %s", node.Kind)
	}
	names := lists.Map(known, func(k Key) string { return k.Name })
	s := Settings{}
	for _, member := range node.Members {
		i := slices.Index(names, member.Key)
		if i < 0 {
			return nil, member.Errorf("unknown key %q%s", member.Key, unknown(member.Key, names))
		}
		values, err := known[i].values(member.Value)
		if err != nil {
			return nil, err
		}
		s[member.Key] = values
	}
	return s, nil
}

func (k Key) values(node *document.Node) ([]Value, error) {
	if node.Kind == document.Array && !k.Repeatable {
		return nil, node.Errorf("%s must be one value, found a list", k.Name)
	}
	var all []Value
	for _, item := range node.List() {
		v, err := k.value(item)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

func (k Key) value(node *document.Node) (Value, error) {
	switch node.Kind {
	case document.String, document.Number, document.Bool:
	case document.Null:
		return Value{}, node.Errorf("%s has no value; give it one or omit the key", k.Name)
	case document.Object:
		return Value{}, node.Errorf("%s must be written as for the flag, found %s; put the whole value in quotes", k.Name, node.Kind)
	case document.Array:
		return Value{}, node.Errorf("%s must be written as for the flag, found %s", k.Name, node.Kind)
	}
	v := Value{Text: node.Literal, Place: fmt.Sprintf("%s:%d", node.File(), node.Line), Written: node.Literal}
	if k.Expand {
		var err error
		if v.Text, err = expand(v.Text); err != nil {
			v.Fault = withoutExcerpt(node.Errorf("%s: %s", k.Name, err))
		}
	}
	if k.Locate != nil {
		v.Text = k.Locate(filepath.Dir(node.File()), v.Text)
	}
	return v, nil
}

// Beside joins a folder and a path relative to it. It does not change an absolute path, or the path
// -, which is a standard stream.
func Beside(folder, path string) string {
	if path == "" || path == "-" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// NamedBeside is [Beside] for NAME=PATH. It does not change a text without a path.
func NamedBeside(folder, text string) string {
	name, path, ok := strings.Cut(text, "=")
	if !ok {
		return text
	}
	return name + "=" + Beside(folder, path)
}
