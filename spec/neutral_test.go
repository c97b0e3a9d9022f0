package spec_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheHarnessKnowsNoContractByName: any OpenAPI document can replace the bundled one. So no Go
// file may contain its words, except for the reference, the commands, which offer it, and tests.
// The path of the module and the name of the embedded document are allowed.
func TestTheHarnessKnowsNoContractByName(t *testing.T) {
	allowed := regexp.MustCompile(`github\.com/plantstore/conformance|\b(PlantStore|plantStoreDocument|plantStoreOverlay)\b`)
	subject := regexp.MustCompile(`(?i)plant`)
	files := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel("..", path)
		switch {
		case entry.IsDir() && (name == "reference" || name == "cmd" || name == filepath.Join("suites", "internal", "reporttest") || entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && name != "."):
			return fs.SkipDir
		case entry.IsDir(), !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		for i, line := range strings.Split(allowed.ReplaceAllString(string(data), ""), "\n") {
			if subject.MatchString(line) {
				t.Errorf("%s:%d: %s", name, i+1, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Errorf("only %d files were looked at", files)
	}
}
