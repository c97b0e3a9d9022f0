package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/report"
)

// finds writes what exploration finds, as soon as it is found.
type finds struct {
	dir string

	mu   sync.Mutex // several targets can be explored at a time
	said []string   // a line for each
}

// exploreFlags ask for exploration.
func exploreFlags(c *suites.Config, f *finds) []cli.Flag {
	const folder = "explored"
	f.dir, c.Found = folder, f.keep
	return []cli.Flag{
		cli.Value("explore", "N", "send N random requests to each operation as well, drawn from --seed, and up to N more, at least 200, to simplify what they find", cli.Count(&c.Explore)).Or("none"),
		cli.Value("explore-out", "DIR", "write what --explore finds as fixtures below DIR, for --fixtures", func(g cli.Given) error { f.dir = g.Text; return nil }).Path().DefaultsTo(folder),
	}
}

// keep writes one find. A file that is there already stays as it is.
func (f *finds) keep(text fixtures.Text) {
	path := filepath.Join(f.dir, filepath.FromSlash(text.ID)+".yaml")
	err := func() error {
		data, err := derive.File(text)
		if err != nil {
			return err //nolint:wrapcheck // names the fixture
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // for everybody who works on the repository
			return err //nolint:wrapcheck // names the folder
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // as above
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		if err != nil {
			return err //nolint:wrapcheck // names the file
		}
		_, err = file.Write(data)
		return errors.Join(err, file.Close())
	}()
	line := "found by exploration: " + report.Visible(path)
	if err != nil {
		line = fmt.Sprintf("found by exploration: %s, which cannot be written to --explore-out: %s", text.ID, report.Visible(err.Error()))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said = append(f.said, line)
}

// tell says which files there are.
func (f *finds) tell(w io.Writer) {
	for _, line := range f.said {
		fmt.Fprintln(w, line)
	}
}
