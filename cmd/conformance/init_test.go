package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/result"
)

// A new user starts in an empty folder. The commands that init prints as next steps work, word for
// word.
func TestInit(t *testing.T) {
	t.Chdir(t.TempDir())
	quickly(t)
	result := conformance(t, "init")
	result.wants(t, exitConformant, "\nnext:\n  conformance run      # tests the bundled reference, until base-url in\n")
	checkWidth(t, result.out)
	want := []string{cli.ConfigName, initialFixture, initialWorkflow}
	var told []string
	for _, m := range regexp.MustCompile(`(?m)^wrote (.*)$`).FindAllStringSubmatch(result.out, -1) {
		told = append(told, filepath.ToSlash(m[1]))
	}
	if slices.Sort(want); !slices.Equal(told, []string{cli.ConfigName, initialFixture, initialWorkflow}) || !slices.Equal(tree(t, "."), want) {
		t.Errorf("it wrote %v and says %v", tree(t, "."), told)
	}
	for _, path := range want {
		if !strings.Contains(conformance(t, "init", "--help").out, "\n     "+path+"\n") {
			t.Errorf("the help does not tell of %s", path)
		}
	}

	all := fmt.Sprintf("all %d fixtures were judged", len(plainest(t))+1)
	conformance(t, "run").wants(t, exitConformant, "bundled reference", all)
	conformance(t, "run", "--only", "createPlant/example", "--verbose").wants(t, exitConformant, "✓ createPlant/example/name-of-many-words  accepted  200")
	conformance(t, "config").wants(t, exitConformant, "# config: conformance.yaml (default)", "\n  - conformance-fixtures\n")

	serve(t, plantStore())
	edited := strings.Replace(string(readFile(t, cli.ConfigName)), "# base-url: https://plants.example.com/api", "base-url: "+os.Getenv("CONFORMANCE_BASE_URL"), 1)
	write(t, cli.ConfigName, edited)
	_ = os.Unsetenv("CONFORMANCE_BASE_URL") // the test restores it
	conformance(t, "run").wants(t, exitConformant, all)
	serve(t, acceptEverything)
	conformance(t, "run").wants(t, exitNonconformant)
}

// plainest returns the bundled fixtures that --quick selects.
func plainest(t *testing.T) []fixtures.Fixture {
	t.Helper()
	return slices.DeleteFunc(bundledFixtures(t), func(f fixtures.Fixture) bool { return !f.Quick() })
}

func bundledFixtures(t *testing.T) []fixtures.Fixture {
	t.Helper()
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	all, err := fixtures.Load(contract, fixtures.Bundled())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// tree returns the paths of all files below a folder, with slashes.
func tree(t *testing.T, folder string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			paths = append(paths, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// The service can be given as a flag, and so can a folder, which need not exist.
func TestInitWithFolderAndURL(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("CONFORMANCE_BASE_URL", "http://environment.example")
	result := conformance(t, "init", "a/b", "--base-url", "https://store.example")
	result.wants(t, exitConformant, "wrote "+filepath.Join("a", "b", cli.ConfigName)+"\n", "\nnext in a/b:\n  export CONFORMANCE_TOKEN=... ", "  conformance run      # tests the service\n")
	if text := string(readFile(t, "a/b/"+cli.ConfigName)); !strings.Contains(text, "\nbase-url: https://store.example\n") || strings.Contains(text, "environment.example") {
		t.Errorf("the file names no service, or that of the environment:\n%s", text)
	}
	conformance(t, "init", "c").wants(t, exitConformant)
	if text := string(readFile(t, "c/"+cli.ConfigName)); !strings.Contains(text, "\n# base-url: ") || strings.Contains(text, "environment.example") {
		t.Errorf("the file names a service:\n%s", text)
	}
}

// The file has all possible settings, and each of its lines can be used unchanged.
func TestInitialConfigShowsEveryKey(t *testing.T) {
	t.Chdir(t.TempDir())
	conformance(t, "init").wants(t, exitConformant)
	text := string(readFile(t, cli.ConfigName))
	_, modeless, _ := strings.Cut(text, "\n")
	checkWidth(t, modeless)

	active := regexp.MustCompile(`(?m)^[^#\n].*$`).FindAllString(text, -1)
	if !slices.Equal(active, []string{"fixtures:", "  - conformance-fixtures"}) {
		t.Errorf("in force is %q", active)
	}
	_, schema := readConfigSchema(t)
	shown := map[string]bool{}
	setting := regexp.MustCompile(`(?m)^(# )?([a-z-]+):(.*\n(?:(?:# )?  - .*\n)*)`)
	for _, m := range setting.FindAllStringSubmatch(modeless, -1) {
		shown[m[2]] = true
		root := parsed(t, cli.ConfigName, []byte(m[2]+":"+strings.ReplaceAll(m[3], "\n# ", "\n")))
		if err := schema.Validate(root.Value()); err != nil {
			t.Errorf("what %s shows is refused: %v", m[2], err)
		}
	}
	for _, f := range newRunOptions().flags() {
		if shown[f.Name] != f.InFile {
			t.Errorf("that %s is shown is %t", f.Name, shown[f.Name])
		}
	}
}

// If any of the files exists, none is overwritten and none is added.
func TestInitWritesNothingOver(t *testing.T) {
	paths := []string{cli.ConfigName, initialFixture, initialWorkflow}
	for mask := 1; mask < 1<<len(paths); mask++ {
		var there []string
		for i, path := range paths {
			if mask&(1<<i) != 0 {
				there = append(there, path)
			}
		}
		t.Run(strings.Join(there, " "), func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, path := range there {
				write(t, path, "mine\n")
			}
			result := conformance(t, "init", ".")
			result.wants(t, exitUsage, "so nothing was written")
			checkOneLine(t, result)
			slices.Sort(there)
			if left := tree(t, "."); !slices.Equal(left, there) {
				t.Errorf("there are %v", left)
			}
			for _, path := range there {
				if !strings.Contains(filepath.ToSlash(result.err), path) || string(readFile(t, path)) != "mine\n" {
					t.Errorf("%s is not named, or is another: %s", path, result.err)
				}
			}
		})
	}
}

func TestMistakesInInit(t *testing.T) {
	checkMistakesWith(t, []mistake{
		{"two folders", "init a b", "", []string{`unexpected argument "b"; conformance init takes one folder`}},
		{"no folder", "init ", "", []string{"the folder is empty; name one, or omit it"}},
		{"a folder that is a file", "init empty", "", []string{"conformance: empty is not a folder, but a folder is needed there; move it away, or name another folder"}},
		{"a folder below a file", "init empty/x", "", []string{"conformance: empty is not a folder, but a folder is needed there"}},
		{"a file in the way", "init blocked", "", []string{"conformance: " + filepath.Join("blocked", ".github") + " is not a folder, but a folder is needed there; move it away, or name another folder"}},
		{"a host without a scheme", "init --base-url store.example", "", []string{`--base-url is "store.example"; it must begin with http:// or https://`}},
		{"a password in the URL", "init --base-url http://u:hunter2@a", "", []string{"--base-url must be a URL without user name and password"}},
		{"a flag of run", "init --strict", "", []string{"unknown flag --strict; see conformance init --help"}},
	}, map[string]string{"blocked/.github": "a file"})
	if left := tree(t, "blocked"); !slices.Equal(left, []string{"blocked/.github"}) {
		t.Errorf("left behind: %v", left)
	}
	if left := filesIn(t, "blocked"); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestInitBelowALinkThatLeadsNowhere(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Symlink("nowhere", ".github"); err != nil {
		t.Skip(err)
	}
	result := conformance(t, "init")
	result.wants(t, exitUsage, "conformance: .github is a broken link, but a folder is needed there; move it away, or name another folder\n")
	checkOneLine(t, result)
	if left := filesIn(t, "."); !slices.Equal(left, []string{".github"}) {
		t.Errorf("left behind: %v", left)
	}
}

// An error names the file with the path that the user gave.
func TestInitWhereNothingCanBeWritten(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc takes no file even of root")
	}
	result := conformance(t, "init", "/proc")
	result.wants(t, exitUsage, "conformance: /proc/conformance.yaml cannot be written: ")
	checkOneLine(t, result)
}

// GitHub runs no workflow in a subfolder of a repository. init prints where to move it, and there
// it finds the settings.
func TestInitWithinARepository(t *testing.T) {
	for _, row := range []struct {
		name  string
		git   []string // files
		dir   string
		below string // path from the root of the repository
	}{
		{"at the root", []string{".git/HEAD"}, ".", ""},
		{"at the root of a worktree", []string{".git"}, ".", ""},
		{"below the root", []string{".git/HEAD"}, "services/my store", "services/my store"},
		{"below the root of a worktree", []string{".git"}, "sub", "sub"},
		{"at the root of a repository in another", []string{".git/HEAD", "sub/.git"}, "sub", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, path := range row.git {
				write(t, path, "")
			}
			result := conformance(t, "init", row.dir)
			result.wants(t, exitConformant)
			root, err := os.Getwd()
			if err != nil {
				t.Fatal(err)
			}
			note := "\nthe workflow works only at the root of the repository: move it to " + filepath.Join(root, ".github", "workflows") + "\n"
			if strings.Contains(result.out, note) != (row.below != "") {
				t.Errorf("it says:\n%s", result.out)
			}
			workflow := parsed(t, initialWorkflow, readFile(t, filepath.Join(row.dir, initialWorkflow)))
			want := ""
			if row.below != "" {
				want = "--config=" + row.below + "/" + cli.ConfigName
			}
			if got := workflow.At("/jobs/conformance/steps/1/with/args").Text(); got != want {
				t.Errorf("the arguments are %q, want %q", got, want)
			}
			if row.below != "" {
				_, path, _ := strings.Cut(want, "=")
				conformance(t, "run", "--config", path, "--only", "createPlant/example").wants(t, exitConformant)
			}
		})
	}
}

// The initial files name the version of this program.
func TestRevision(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	for _, row := range []struct{ version, commit, want string }{
		{"v1.2.3", hash, "v1.2.3"},
		{"v1.2.3", "unknown", "v1.2.3"},
		{"devel", hash, hash},
		{"v1.2.4-0.20261101120000-0123456789ab", hash, hash},
		{"v1.2.4-0.20261101120000-0123456789ab", "unknown", "main"},
		{"v1.2.3+dirty", hash, hash},
		{"devel", "unknown", "main"},
		{"devel", "abc; x", "main"},
	} {
		if got := cmp.Or(result.Harness{Version: row.version, Commit: row.commit}.Revision(), "main"); got != row.want {
			t.Errorf("%s at %s is %s, want %s", row.version, row.commit, got, row.want)
		}
	}
	files, err := initialFiles(result.Harness{Version: "v1.2.3"}, beginning{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"conformance/v1.2.3/cmd/conformance/conformance.schema.json\n",
		"conformance/v1.2.3/fixtures/fixture.schema.json\n",
		"uses: plantstore/conformance/.github/actions/conformance@v1.2.3\n",
	} {
		text := string(files[i].Data)
		if !strings.Contains(text, want) || strings.Contains(text, "/main/") || strings.Contains(text, "@main") {
			t.Errorf("%s does not say %s, or speaks of main:\n%s", files[i].Path, want, text)
		}
	}
	files, err = initialFiles(result.Harness{Version: "v1.2.3", Commit: hash}, beginning{})
	if want := "/actions/conformance@" + hash + " # v1.2.3\n"; err != nil || !strings.Contains(string(files[2].Data), want) {
		t.Errorf("the workflow does not say %s: %v\n%s", want, err, files[2].Data)
	}
	for _, path := range []string{"cmd/conformance/conformance.schema.json", "fixtures/fixture.schema.json"} {
		if _, err := os.Stat(filepath.Join("..", "..", path)); err != nil {
			t.Errorf("the schema that the files name has moved: %v", err)
		}
	}
}

// The workflow sets only inputs that the action has, and all required ones. Its only permission is
// to read.
func TestInitialWorkflow(t *testing.T) {
	files, err := initialFiles(result.Harness{Version: "v1.2.3"}, beginning{})
	if err != nil {
		t.Fatal(err)
	}
	workflow := parsed(t, initialWorkflow, files[2].Data)
	if got := string(workflow.Get("permissions").JSON()); got != `{"contents":"read"}` {
		t.Errorf("its permissions are %s", got)
	}
	steps := workflow.At("/jobs/conformance/steps").Items
	checkout, step := steps[0], steps[1]
	if ci := string(readFile(t, "../../.github/workflows/ci.yml")); !strings.Contains(ci, checkout.Get("uses").Text()+" #") {
		t.Errorf("it uses %s, and ci.yml another", checkout.Get("uses").Text())
	}
	given := map[string]string{}
	for _, m := range step.Get("with").Members {
		given[m.Key] = m.Value.Text()
	}
	if given["token"] != "${{ secrets.CONFORMANCE_TOKEN }}" || given["base-url"] != "${{ vars.CONFORMANCE_BASE_URL }}" {
		t.Errorf("it says %v", given)
	}
	folder, _, _ := strings.Cut(strings.TrimPrefix(step.Get("uses").Text(), "plantstore/conformance/"), "@")
	path := filepath.Join("..", "..", folder, "action.yml")
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skip("there is no action yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	action := parsed(t, path, data)
	for key := range given {
		if action.Get("inputs").Get(key) == nil {
			t.Errorf("the action has no input %s", key)
		}
	}
	for _, m := range action.Get("inputs").Members {
		if m.Value.Get("required").True() && given[m.Key] == "" {
			t.Errorf("the action wants %s", m.Key)
		}
	}
}

// TestInitForAContract: the files that init writes for another contract can be run.
func TestInitForAContract(t *testing.T) {
	document, err := filepath.Abs("../../spec/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	quickly(t)
	server := serve(t, plantStore())
	conformance(t, "init", "service", "--spec", document, "--base-url", server.URL).wants(t, exitConformant, "createPlant/example/plainest.yaml")
	t.Chdir("service")
	conformance(t, "run").wants(t, exitConformant, "conformant: ")
	conformance(t, "run", "--only", "createPlant/example", "--verbose").wants(t, exitConformant, "createPlant/example/plainest")
	conformance(t, "init", "other", "--spec", "missing.yaml").wants(t, exitUsage, "--spec missing.yaml cannot be read")
	write(t, "images.yaml", `{openapi: 3.0.3, info: {title: T, version: "1"}, paths: {/a: {post: {operationId: send, responses: {"200": {description: x}}, requestBody: {required: true, content: {"image/*": {}}}}}}}`)
	conformance(t, "init", "other", "--spec", "images.yaml").wants(t, exitUsage, "no valid request can be derived from the contract: send: no body in the media type image/* can be written")
	if _, err := os.Stat("other"); err == nil {
		t.Error("something was written")
	}
}
