package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The manifests that users copy.
const (
	exampleJob      = "../../.github/examples/kubernetes/job.yaml"
	exampleWorkflow = "../../.github/examples/targets-matrix.yml"
)

// manifests returns the documents of a YAML file.
func manifests(t *testing.T, path string) []any {
	t.Helper()
	var list []any
	for text := range strings.SplitSeq(string(readFile(t, path)), "\n---\n") {
		root := parsed(t, path, []byte(text))
		list = append(list, root.Value())
	}
	return list
}

// under returns the value at a path of keys and list indexes.
func under(t *testing.T, value any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch at := value.(type) {
		case map[string]any:
			value = at[fmt.Sprint(step)]
		case []any:
			value = at[step.(int)]
		}
		if value == nil {
			t.Fatalf("there is no %v in %v", step, path)
		}
	}
	return value
}

// kubernetes compiles the schema of one kind of object. It is strict: undeclared properties are
// invalid, which the original schema leaves to the server.
func kubernetes(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	const file = "testdata/kubernetes-1.30.json"
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(readFile(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, schema := range under(t, parsed, "components", "schemas").(map[string]any) {
		object := schema.(map[string]any)
		if object["properties"] != nil && object["additionalProperties"] == nil {
			object["additionalProperties"] = false
		}
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("kubernetes.json", parsed); err != nil {
		t.Fatal(err)
	}
	return compiler.MustCompile("kubernetes.json#/components/schemas/" + name)
}

func TestExampleJobIsValid(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for kind, name := range map[string]string{
		"v1 ConfigMap":             "io.k8s.api.core.v1.ConfigMap",
		"v1 PersistentVolumeClaim": "io.k8s.api.core.v1.PersistentVolumeClaim",
		"batch/v1 Job":             "io.k8s.api.batch.v1.Job",
	} {
		schemas[kind] = kubernetes(t, name)
	}
	for _, object := range manifests(t, exampleJob) {
		kind := fmt.Sprint(under(t, object, "apiVersion"), " ", under(t, object, "kind"))
		schema, known := schemas[kind]
		if !known {
			t.Errorf("there is no schema for %s", kind)
			continue
		}
		if err := schema.Validate(object); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	// Kubernetes uses the first rule that matches: an evicted pod may end with 1.
	if rule := under(t, manifests(t, exampleJob)[2], "spec", "podFailurePolicy", "rules", 0, "action"); rule != "Ignore" {
		t.Errorf("an evicted pod comes second to %v", rule)
	}
	// The schema must reject invalid manifests.
	text := string(readFile(t, exampleJob))
	for _, row := range []struct{ old, new string }{
		{"backoffLimitPerIndex: 1", "backOffLimitPerIndex: 1"},
		{"restartPolicy: Never", "restartPolicy: [Never]"},
		{"readOnlyRootFilesystem: true", "readOnlyRootFilesystem: 'yes'"},
		{"claimName: conformance-results", "claim: conformance-results"},
		{"completions: 2", "completions: 2.5"},
	} {
		path := filepath.Join(t.TempDir(), "job.yaml")
		write(t, path, strings.Replace(text, row.old, row.new, 1))
		all := manifests(t, path)
		if err := schemas["batch/v1 Job"].Validate(all[len(all)-1]); err == nil {
			t.Errorf("%s is accepted", row.new)
		}
	}
}

// testExampleJob does for every index what Kubernetes does with the manifest. It mounts the
// volumes, which are folders here, puts the index into the arguments, and runs the container. The
// second index is restarted.
func (p program) testExampleJob(t *testing.T) {
	objects := manifests(t, exampleJob)
	list := under(t, objects[0], "data", "targets.yaml").(string)
	job := under(t, objects[2], "spec")
	container := under(t, job, "template", "spec", "containers", 0)
	root := t.TempDir()
	mounts := []string{}
	for _, mount := range under(t, container, "volumeMounts").([]any) {
		path := under(t, mount, "mountPath").(string)
		mounts = append(mounts, path+"/", root+path+"/")
	}
	for _, host := range []string{"greenhouse.example.com/api", "nursery.example.com", "orangery.example.com"} {
		server := httptest.NewServer(plantStore())
		t.Cleanup(server.Close)
		mounts = append(mounts, "https://"+host, server.URL)
		write(t, filepath.Join(root, "secrets", strings.Split(host, ".")[0]), testToken)
	}
	mounted := strings.NewReplacer(mounts...)
	write(t, filepath.Join(root, "config", "targets.yaml"), mounted.Replace(list))
	write(t, filepath.Join(root, "results", ".keep"), "")
	run := func(index int) {
		var args []string
		for _, arg := range under(t, container, "args").([]any) {
			args = append(args, mounted.Replace(strings.NewReplacer("$(JOB_COMPLETION_INDEX)", fmt.Sprint(index), "$(JOB_UID)", "uid").Replace(arg.(string))))
		}
		p.run(t, args...).wants(t, exitConformant)
	}
	completions, err := under(t, job, "completions").(json.Number).Int64()
	if err != nil {
		t.Fatal(err)
	}
	for index := range int(completions) {
		run(index)
	}
	run(1)
	if got, want := filesIn(t, filepath.Join(root, "results", "uid")), []string{"greenhouse.json", "nursery.json", "orangery.json"}; !slices.Equal(got, want) {
		t.Errorf("the results are %v, want %v", got, want)
	}
}

// testExampleWorkflow runs the steps of the workflow as a runner does. Each job has a separate
// folder. The reports are copied from one to the other.
func (p program) testExampleWorkflow(t *testing.T) {
	workflow := manifests(t, exampleWorkflow)[0]
	layOutTargets(t, listed{"a", plantStore(), []string{"token-variable: GREENHOUSE_TOKEN"}}, listed{"b", plantStore(), []string{"token-variable: NURSERY_TOKEN"}},
		listed{"c", differing(t, "fails-without-name"), nil}, listed{"d", nil, nil}, listed{"e", plantStore(), nil})
	parts := under(t, workflow, "jobs", "part", "strategy", "matrix", "part").([]any)
	whole := t.TempDir()
	var codes []int
	for _, part := range parts {
		folder := t.TempDir()
		write(t, filepath.Join(folder, "targets.yaml"), string(readFile(t, "targets.yaml")))
		codes = append(codes, p.step(t, folder, stepNamed(t, workflow, "part", "run"),
			"PART="+fmt.Sprint(part), "PARTS="+fmt.Sprint(len(parts)), "GREENHOUSE_TOKEN="+testToken, "NURSERY_TOKEN="+testToken))
		for _, name := range filesIn(t, filepath.Join(folder, "reports")) {
			write(t, filepath.Join(whole, "reports", name), string(readFile(t, filepath.Join(folder, "reports", name))))
		}
	}
	if want := []int{exitConformant, exitConformant, exitNonconformant, exitInconclusive}; !slices.Equal(codes, want) {
		t.Errorf("the parts ended with %v, want %v", codes, want)
	}
	if code := p.step(t, whole, stepNamed(t, workflow, "matrix", "compare")); code != exitConformant {
		t.Errorf("the comparison ended with %d", code)
	}
	if got, want := filesIn(t, whole), []string{"matrix.html", "matrix.json", "reports"}; !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
}

// stepNamed returns the script of a step.
func stepNamed(t *testing.T, workflow any, job, name string) string {
	t.Helper()
	for _, step := range under(t, workflow, "jobs", job, "steps").([]any) {
		if step.(map[string]any)["name"] == name {
			return under(t, step, "run").(string)
		}
	}
	t.Fatalf("%s has no step %s", job, name)
	return ""
}

// step runs a script as a runner does by default, and returns its exit code.
func (p program) step(t *testing.T, folder, script string, env ...string) int {
	t.Helper()
	c, out, stderr := p.command(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	c.Path, c.Args, c.Dir = bash, []string{"bash", "-e", "-c", script}, folder
	c.Env = append(os.Environ(), append(env, "PATH="+filepath.Dir(string(p))+string(os.PathListSeparator)+os.Getenv("PATH"))...)
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	t.Logf("%s%s", out, stderr)
	return c.ProcessState.ExitCode()
}
