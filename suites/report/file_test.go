package report_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/result"
)

var (
	asJSON = report.Format{Name: "json", Write: result.WriteJSON}
	// cutOff fails after it has written a part.
	cutOff = report.Format{Name: "cut-off", Write: func(w io.Writer, _ result.Report) error {
		if _, err := io.WriteString(w, strings.Repeat("x", 1<<20)); err != nil {
			return err
		}
		return reporttest.ErrFull
	}}
)

// folder returns the names of the files in a folder, including hidden ones.
func folder(t *testing.T, path string) string {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func create(t *testing.T, format report.Format, path string) *report.File {
	t.Helper()
	f, err := report.Open(format, path, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Discard)
	return f
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestFileAppearsWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report.json")
	f := create(t, asJSON, path)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is there before it is written: %v", err)
	}
	if err := f.Write(reporttest.Conformant().Report()); err != nil {
		t.Fatal(err)
	}
	if !json.Valid([]byte(content(t, path))) {
		t.Error("it is no JSON")
	}
	f.Discard() // does nothing after Write
	if got := folder(t, dir); got != "report.json" {
		t.Errorf("left are %s", got)
	}
}

// An existing file stays until the report replaces it. The report gets the same permissions.
func TestFileReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report.json")
	if err := os.WriteFile(path, []byte("before"), 0o640); err != nil {
		t.Fatal(err)
	}
	create(t, asJSON, path).Discard()
	if err := create(t, cutOff, path).Write(result.Report{}); err == nil {
		t.Error("the failure to write is lost")
	}
	if got := content(t, path); got != "before" {
		t.Errorf("after a run that failed it is %q", got)
	}
	if err := create(t, asJSON, path).Write(reporttest.Conformant().Report()); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got == "before" {
		t.Error("it was not replaced")
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("its permissions are %v", info.Mode())
	}
	if got := folder(t, dir); got != "report.json" {
		t.Errorf("left are %s", got)
	}
}

// A new file has the usual permissions.
func TestFilePermissions(t *testing.T) {
	dir := t.TempDir()
	usual := filepath.Join(dir, "usual")
	f, err := os.Create(usual)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	path := filepath.Join(dir, "report.json")
	if err := create(t, asJSON, path).Write(reporttest.Conformant().Report()); err != nil {
		t.Fatal(err)
	}
	got, _ := os.Stat(path)
	want, _ := os.Stat(usual)
	if got.Mode() != want.Mode() {
		t.Errorf("got %v, want %v", got.Mode(), want.Mode())
	}
}

// A link stays a link, and its target is replaced.
func TestFileBehindLink(t *testing.T) {
	dir := t.TempDir()
	path, target := filepath.Join(dir, "latest.json"), filepath.Join(dir, "reports", "7.json")
	if err := os.Mkdir(filepath.Dir(target), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(target, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Skip(err)
	}
	if err := create(t, asJSON, path).Write(reporttest.Conformant().Report()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if content(t, target) == "before" {
		t.Error("what it leads to was not replaced")
	}
}

// A device is written in place. If a file replaced it, root would lose the device.
func TestFileIsDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	if err := create(t, asJSON, "/dev/null").Write(reporttest.Conformant().Report()); err != nil {
		t.Error(err)
	}
	err := create(t, asJSON, "/dev/full").Write(reporttest.Conformant().Report())
	if want := "report path /dev/full cannot be written: no space left on device"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, path := range []string{"/dev/null", "/dev/full"} {
		if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeCharDevice == 0 {
			t.Fatalf("%s is no device any more", path)
		}
	}
}

func TestFileThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ path, says string }{
		"a folder":           {".", "is a directory; name a file"},
		"a name of a folder": {"no/", "is a directory; name a file"},
		"a file as a folder": {"file/report.json", "cannot be written: not a directory"},
		"too long a name":    {strings.Repeat("x", 300), "cannot be written: file name too long"},
	} {
		t.Run(name, func(t *testing.T) {
			path := dir + "/" + c.path
			_, err := report.Open(asJSON, path, false)
			if want := "report path " + path + " " + c.says; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
			if got := folder(t, dir); got != "file" {
				t.Errorf("left are %s", got)
			}
		})
	}
}

// Missing folders are created with the file, and removed if the file is not written.
func TestFileMakesFolders(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b", "report.json")
	for _, written := range []bool{false, true} {
		f, err := report.Open(asJSON, path, false)
		if err != nil {
			t.Fatal(err)
		}
		if written {
			err = f.Write(result.Report{})
		}
		f.Discard()
		if _, there := os.Stat(path); err != nil || written != (there == nil) {
			t.Errorf("written %t: %v, %v", written, err, there)
		}
		if got := folder(t, dir); written != (got == "a") {
			t.Errorf("left are %s", got)
		}
	}
}

func TestFileWithoutName(t *testing.T) {
	if _, err := report.Open(asJSON, "", false); err == nil || err.Error() != "report path is empty; name a file" {
		t.Error(err)
	}
}

func TestFileInReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "report.json")
	_, err := report.Open(asJSON, path, false)
	if want := "report path " + path + " cannot be written: permission denied"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestFileBehindLinkThatLeadsNowhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "latest.json")
	if err := os.Symlink("nowhere.json", path); err != nil {
		t.Skip(err)
	}
	_, err := report.Open(asJSON, path, false)
	if want := "report path " + path + " is a symbolic link that leads nowhere"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// If writing fails, no partial file remains.
func TestFileCutOff(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report.json")
	err := create(t, cutOff, path).Write(result.Report{})
	if want := "report path " + path + " cannot be written: no space left"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if got := folder(t, dir); got != "" {
		t.Errorf("left are %s", got)
	}

	f := create(t, asJSON, path)
	if err := os.Mkdir(path, 0o755); err != nil { // after the file was opened
		t.Fatal(err)
	}
	if err := f.Write(reporttest.Conformant().Report()); err == nil || strings.Contains(err.Error(), ".report-") {
		t.Errorf("got %v", err)
	}
	if got := folder(t, dir); got != "report.json" {
		t.Errorf("left are %s", got)
	}
}

// Existing text stays, and the report begins on a new line.
func TestFileAppended(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "summary")
	line := report.Format{Name: "line", Write: func(w io.Writer, r result.Report) error {
		_, err := io.WriteString(w, r.Reason+"\n")
		return err
	}}
	unused, err := report.Append(line, path)
	if err != nil {
		t.Fatal(err)
	}
	if unused.Discard(); folder(t, dir) != "" {
		t.Errorf("left is %s of what nothing was written to", folder(t, dir))
	}
	for _, reason := range []string{"first", "second"} {
		f, err := report.Append(line, path)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Write(result.Report{Reason: reason}); err != nil {
			t.Fatal(err)
		}
		f.Discard() // does nothing after Write
	}
	f, err := report.Append(line, path)
	if err != nil {
		t.Fatal(err)
	}
	f.Discard()
	if got := content(t, path); got != "first\n\nsecond\n" {
		t.Errorf("it holds %q", got)
	}
	if got := folder(t, dir); got != "summary" {
		t.Errorf("left are %s", got)
	}
	_, err = report.Append(line, dir)
	if want := "report path " + dir + " cannot be written: is a directory"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
