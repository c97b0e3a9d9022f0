package spec

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/plantstore/conformance/spec/document"
)

// overlayName is the file beside a contract that names its clauses.
const overlayName = "clauses.yaml"

// Contract is an OpenAPI document and the clauses it states.
type Contract struct {
	File           string       // the document's name, as it was given
	Title, Version string       // the document's info
	SHA256         string       // of the document's bytes, in hexadecimal
	Operations     []*Operation // in the document's order
	Clauses        []Clause     // by operation, in the order of Clause's grammar, silences last
	Schemes        []Scheme     // the document's security schemes, in its order
	ServerPaths    []string     // the paths of the document's servers, escaped; "" is the root
	byID           map[string]int
}

// Source is a document's bytes and the name they go by in errors.
type Source struct {
	Name string
	Data []byte
}

//go:embed openapi.yaml
var plantStoreDocument []byte

//go:embed clauses.yaml
var plantStoreOverlay []byte

// PlantStore is the contract that is built in. It is read once, and every caller
// gets the same one: do not change it.
func PlantStore() (*Contract, error) { return builtIn() }

//nolint:gochecknoglobals // what is built in never changes
var builtIn = sync.OnceValues(func() (*Contract, error) {
	return Load(Source{"spec/openapi.yaml", plantStoreDocument}, &Source{"spec/" + overlayName, plantStoreOverlay})
})

// LoadFile loads the OpenAPI document at that path, and the clauses.yaml
// beside it where there is one.
func LoadFile(path string) (*Contract, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the contract: %w", err)
	}
	beside := filepath.Join(filepath.Dir(path), overlayName)
	overlay, err := os.ReadFile(beside)
	if errors.Is(err, fs.ErrNotExist) {
		return Load(Source{path, data}, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the contract's clauses: %w", err)
	}
	return Load(Source{path, data}, &Source{beside, overlay})
}

// Load validates an OpenAPI 3 document, derives its clauses and lays the
// overlay, which may be nil, over them. A flaw in either is an error that
// names the place.
func Load(contract Source, overlay *Source) (*Contract, error) {
	c, err := read(contract)
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

func read(contract Source) (*Contract, error) {
	root, err := document.Parse(contract.Name, contract.Data)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the place
	}
	top := document.Top(root)
	if err := checkVersion(top); err != nil {
		return nil, err
	}
	if err := checkReferences(top, false); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(contract.Data)
	c := &Contract{
		File:    contract.Name,
		Title:   root.At("/info/title").Text(),
		Version: root.At("/info/version").Text(),
		SHA256:  hex.EncodeToString(sum[:]),

		ServerPaths: serverPaths(top),
	}
	if c.Operations, err = newReader(root).operations(); err != nil {
		return nil, err
	}
	if err := validateDocument(top); err != nil {
		return nil, err
	}
	if c.Schemes, err = schemes(top); err != nil {
		return nil, err
	}
	if len(c.Operations) == 0 {
		return nil, top.Errorf("the document declares no operation")
	}
	for _, op := range c.Operations {
		c.Clauses = append(c.Clauses, op.clauses...)
	}
	c.reindex()
	return c, nil
}

func (c *Contract) reindex() {
	c.byID = make(map[string]int, len(c.Clauses))
	for i, clause := range c.Clauses {
		c.byID[clause.ID] = i
	}
}

// Clause gives the clause with that id.
func (c *Contract) Clause(id string) (Clause, bool) {
	i, ok := c.byID[id]
	if !ok {
		return Clause{}, false
	}
	return c.Clauses[i], true
}

// Operation gives the operation with that id.
func (c *Contract) Operation(id string) (*Operation, bool) {
	for _, op := range c.Operations {
		if op.ID == id {
			return op, true
		}
	}
	return nil, false
}
