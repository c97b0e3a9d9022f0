package spec

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/plantstore/conformance/spec/advice"
	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/document/swagger"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/notes"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/repository"
	"github.com/plantstore/conformance/spec/schema"
)

// overlayName is the name of the overlay file, which is in the folder of the contract.
const overlayName = "clauses.yaml"

// Contract is an OpenAPI document and the clauses that it states.
type Contract struct {
	File           string       // the document's name, as it was given
	Title, Version string       // the document's info
	SHA256         string       // of the document's bytes, in hexadecimal
	Operations     []*Operation // in the document's order
	Notes          []*Note      // the flaws that do not prevent reading the document, sorted by place
	Schemes        []Scheme     // the document's security schemes, in its order
	ServerPaths    []string     // the paths of the document's servers, escaped; "" is the root

	reader *reader
}

// Source is the content of a document and its name in errors.
type Source struct {
	Name string
	Data []byte

	document.Others // the files and addresses that $refs of the document may name
}

//go:embed openapi.yaml
var plantStoreDocument []byte

//go:embed clauses.yaml
var plantStoreOverlay []byte

// PlantStore returns the built-in contract. All callers share one copy: do not change it.
func PlantStore() (*Contract, error) { return builtIn() }

//nolint:gochecknoglobals // what is built in never changes
var builtIn = sync.OnceValues(func() (*Contract, error) {
	return Load(context.Background(), Source{Name: "spec/openapi.yaml", Data: plantStoreDocument}, &Source{Name: "spec/" + overlayName, Data: plantStoreOverlay})
})

// LoadFile loads the OpenAPI document at that path, and the clauses.yaml in the same folder if
// there is one. Its $refs may name other files below its folder or in its repository. Symbolic
// links that lead out of these are not followed. If fetch is given, $refs may also name http(s)
// addresses, see [document.Others].
func LoadFile(ctx context.Context, path string, fetch ...func(address string) ([]byte, error)) (*Contract, error) {
	data, err := document.ReadFile(os.Open(path))
	if err != nil {
		return nil, fmt.Errorf("reading the contract: %w", err)
	}
	source := Source{Name: path, Data: data}
	top, within, err := home(path)
	if err != nil {
		return nil, fmt.Errorf("reading the contract: %w", err)
	}
	defer func() { _ = top.Close() }()
	source.Files, source.Path = top.FS(), within
	if len(fetch) > 0 {
		source.Fetch = fetch[0]
	}
	beside := filepath.Join(filepath.Dir(path), overlayName)
	overlay, err := document.ReadFile(os.Open(beside))
	if errors.Is(err, fs.ErrNotExist) {
		return Load(ctx, source, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the contract's clauses: %w", err)
	}
	return Load(ctx, source, &Source{Name: beside, Data: overlay})
}

// home opens the folder that contains all files of a document: the root of its repository, or else
// the folder of the document. within is the path of the document in it.
func home(path string) (top *os.Root, within string, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, "", err
	}
	folder := filepath.Dir(path)
	if root, ok := repository.Root(folder); ok {
		folder = root
	}
	if within, err = filepath.Rel(folder, path); err == nil {
		top, err = os.OpenRoot(folder)
	}
	return top, filepath.ToSlash(within), err
}

// Load reads an OpenAPI 3 or Swagger 2.0 document and applies the overlay, which may be nil,
// to its clauses. It returns an error that names the place if the overlay has a flaw, or if
// the document cannot be read: malformed YAML or JSON, a duplicate key, an unknown version,
// no operation. Other flaws of the document become notes.
func Load(ctx context.Context, contract Source, overlay *Source) (*Contract, error) {
	c, err := read(ctx, contract)
	if err != nil {
		return nil, fmt.Errorf("reading the contract: %w", err)
	}
	if overlay != nil {
		if err := c.apply(*overlay); err != nil {
			return nil, fmt.Errorf("reading the clauses: %w", err)
		}
	}
	return c, nil
}

func read(ctx context.Context, contract Source) (*Contract, error) {
	root, err := document.ParseFiles(contract.Name, contract.Data, contract.Others)
	if err != nil {
		return nil, err
	}
	defer document.Seal(root)
	top := document.Top(root)
	if err := checkVersion(top); err != nil {
		return nil, err
	}
	var flaws, harmless []error
	if top.Get("swagger") != nil {
		root, flaws, harmless = swagger.Translate(root)
		top = document.Top(root)
	}
	found, err := notes.Survey(ctx, top)
	if err != nil {
		return nil, err
	}
	written := map[*Note]bool{} // notes whose pointers already refer to the original document
	for _, flaw := range flaws {
		written[found.Add(flaw)] = true
	}
	for _, flaw := range harmless {
		written[found.AddHarmless(flaw)] = true
	}
	sum := sha256.Sum256(contract.Data)
	r := newReader(top, found)
	c := &Contract{
		File:    contract.Name,
		Title:   root.At("/info/title").Text(),
		Version: root.At("/info/version").Text(),
		SHA256:  hex.EncodeToString(sum[:]),

		Operations:  r.operations(),
		Schemes:     r.schemes,
		ServerPaths: serverPaths(top),

		reader: r,
	}
	if len(c.Operations) == 0 {
		if note, ok := lists.First(found.All(), func(note *Note) bool { return strings.HasPrefix(note.Pointer, "/paths") }); ok {
			return nil, note.Err()
		}
		return nil, top.Errorf("the document declares no operation")
	}
	found.Trace(ctx, r.made)
	for _, op := range c.Operations {
		op.trace()
	}
	c.Notes = found.All()
	for _, note := range c.Notes {
		if !written[note] {
			note.Pointer = top.Follow(note.Pointer).Origin()
		}
		slices.SortFunc(note.Operations, func(a, b string) int { // into the document's order
			return slices.Index(c.Operations, r.byID[a]) - slices.Index(c.Operations, r.byID[b])
		})
	}
	return c, ctx.Err()
}

// checkVersion returns an error unless the document is OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0.
func checkVersion(at document.Place) error {
	version := at.Get("openapi")
	switch older := at.To("swagger"); {
	case older.Node != nil && older.Literal != "2.0":
		return older.Errorf("Swagger %s is not supported; Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 are", older.Literal)
	case older.Node != nil:
		return nil
	case version == nil:
		return at.Errorf("not an OpenAPI document: the key openapi is missing; give the document itself, not a page or a collection made from it")
	case version.Kind != document.String:
		return at.To("openapi").Errorf("openapi must be a string such as '3.0.3', found %s", version.Kind)
	case !isVersion(version.Literal, "3.0") && !isVersion(version.Literal, "3.1") && !isVersion(version.Literal, "3.2"):
		return at.To("openapi").Errorf("OpenAPI %s is not supported; 3.0, 3.1 and 3.2 are, and Swagger 2.0", version.Literal)
	}
	return nil
}

func isVersion(literal, minor string) bool {
	return literal == minor || strings.HasPrefix(literal, minor+".")
}

// Advice returns the Notes and all other known flaws: schemas that cannot be compiled and,
// for an OpenAPI 3.0 or 3.1 document of one file, what kin-openapi reports. It takes longer
// than loading the document. The error is that of the context.
func (c *Contract) Advice(ctx context.Context) ([]*Note, error) {
	list := slices.Clone(c.Notes)
	seen := map[*document.Node]bool{}
	add := func(err error) {
		flaw, isFlaw := errors.AsType[*document.Error](err)
		isThere := func(note *Note) bool {
			return note.Line == flaw.Line && note.Column == flaw.Column && note.File == flaw.File
		}
		if isFlaw && !slices.ContainsFunc(list, isThere) {
			list = append(list, notes.Of(flaw))
		}
	}
	for _, op := range c.Operations {
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		op.eachSchema(func(s *schema.Schema, d schema.Direction) {
			add(s.Compile(d))
			wrongExamples(s, seen, add)
		})
	}
	for _, one := range c.reader.given {
		one.check(add)
	}
	if version := c.reader.top.Get("openapi").Text(); c.IsOneFile() && (isVersion(version, "3.0") || isVersion(version, "3.1")) {
		for _, err := range advice.Of(c.reader.top) {
			add(err)
		}
	}
	return list, ctx.Err()
}

// given is an example and its schema.
type given struct {
	of *schema.Schema
	at document.Place
}

// examples returns the examples next to a schema. It skips those that cannot be resolved or have no
// value (OpenAPI 3.0.3, Example Object).
func (r *reader) examples(at document.Place, of *schema.Schema) (list []any) {
	add := func(one document.Place) {
		list = append(list, one.Value())
		r.given = append(r.given, given{of, one})
	}
	if one := at.To("example"); one.Node != nil {
		add(one)
	}
	for _, m := range at.To("examples").All() {
		if one, err := at.To("examples", m.Key).Resolve(); err == nil && one.Get("value") != nil {
			add(one.To("value"))
		}
	}
	return list
}

// check reports an example that is invalid both in requests and in responses.
func (g given) check(tell func(error)) {
	sent, err := g.of.Faults(schema.Request, g.at.Value())
	received, failed := g.of.Faults(schema.Response, g.at.Value())
	if err == nil && failed == nil && len(sent) > 0 && len(received) > 0 {
		tell(g.at.Errorf("the example does not meet its schema: %s", strings.TrimSpace(received[0].Pointer()+" "+received[0].Message)))
	}
}

// wrongExamples checks the examples in a schema and in the schemas of its properties and items.
func wrongExamples(s *schema.Schema, seen map[*document.Node]bool, tell func(error)) {
	at, err := s.Place.Resolve()
	if err != nil || seen[at.Node] {
		return
	}
	seen[at.Node] = true
	for _, one := range append(at.To("examples").List(), at.To("example")) {
		if one.Node != nil {
			given{s, one}.check(tell)
		}
	}
	for _, p := range s.Shape().Properties {
		wrongExamples(s.Of(p), seen, tell)
	}
	if items := at.To("items"); items.Node != nil {
		wrongExamples(s.At(items), seen, tell)
	}
}

// IsOneFile reports whether no reference leads to another file.
func (c *Contract) IsOneFile() bool { return document.IsOneFile(c.reader.top.Node) }

// JSON returns the document as OpenAPI 3, even if it is written in Swagger 2.0. It is
// complete only if [Contract.IsOneFile] is true.
func (c *Contract) JSON() []byte { return c.reader.top.JSON() }

// Clauses returns the clauses of all operations in the order of the document, silences last.
// They are derived on first use. If you need only some operations, [Operation.Clauses] is
// faster.
func (c *Contract) Clauses() []Clause {
	return slices.Concat(lists.Map(c.Operations, (*Operation).Clauses)...)
}

// Clause returns the clause with that id.
func (c *Contract) Clause(id ClauseID) (Clause, bool) {
	if op := c.reader.byID[id.Operation()]; op != nil {
		if i := op.clause(id); i >= 0 {
			return op.clauses[i], true
		}
	}
	return Clause{}, false
}

// At returns the operations on a path, by method. The names of path parameters do not
// matter.
func (c *Contract) At(path string) map[string]*Operation { return c.reader.paths[barePath(path)] }

// Operation returns the operation with that id.
func (c *Contract) Operation(id string) (*Operation, bool) {
	op, ok := c.reader.byID[id]
	return op, ok
}

// barePath returns the stem of a path without the names of its parameters.
func barePath(path string) string { return placeholder().ReplaceAllString(Stem(path), "{}") }

// Stem returns a path in its most common form: without a slash or .json at the end, and with
// a separate segment for the parameter of /books/{book}:rate and of /Products({id}), which
// are the forms of Google and OData.
func Stem(path string) string {
	path = strings.TrimSuffix(strings.TrimSuffix(path, "/"), ".json")
	if !strings.ContainsAny(path, ":(") {
		return path
	}
	return keyed().ReplaceAllString(custom().ReplaceAllString(path, "$1/$2"), "$1/$2")
}

var (
	custom = pattern.Lazy(`(/\{[^{}/]+\}):([A-Za-z]+)$`)
	keyed  = pattern.Lazy(`(/[A-Za-z]+)\((?:[A-Za-z_]+=)?'?(\{[^{}/]+\})'?\)`)
)
