package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/plantstore/conformance/cmd/conformance/internal/built"
	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
)

// program is the path of the binary as users have it.
type program string

// These tests need a process: signals, terminals, pipes, and the environment of a shell.
func TestProgram(t *testing.T) {
	if !long {
		t.Skip("runs the program in processes of its own; LONG_TESTS=1 asks for it")
	}
	path, err := built.Program(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := program(path)
	quickly(t)
	t.Run("verdicts are exit codes", p.testVerdicts)
	t.Run("completion scripts are accepted by bash", p.testCompletion)
	t.Run("an empty folder is enough to begin", p.testInit)
	t.Run("a broken pipe is no panic", p.testBrokenPipe)
	if runtime.GOOS == "windows" {
		t.Skip("no signals and no script(1)")
	}
	t.Run("an interrupt ends the run in good order", p.testInterrupt)
	t.Run("a second interrupt ends it at once", p.testSecondInterrupt)
	t.Run("a kill leaves what was found", p.testKill)
	t.Run("a kill leaves what was created, and says what", p.testKillAndCleanup)
	t.Run("200 targets in 8 processes, one of them killed, come to what they come to in one", p.testFleet)
	t.Run("a terminal shows progress", p.testProgress)
	t.Run("help fits a narrow terminal", p.testNarrowTerminal)
	t.Run("colours are for terminals", p.testColors)
	t.Run("a proxy of the environment is used", p.testProxy)
	t.Run("the example of a workflow runs", p.testExampleWorkflow)
	t.Run("the example of a job for Kubernetes runs", p.testExampleJob)
}

// hangGuard is the time after which a process hangs. It limits a broken test, and is not a limit on
// speed.
const hangGuard = time.Minute

// command returns the program with these arguments, and with the variables that t.Setenv set.
func (p program) command(t *testing.T, args ...string) (c *exec.Cmd, out, err *bytes.Buffer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hangGuard)
	t.Cleanup(cancel)
	out, err = new(bytes.Buffer), new(bytes.Buffer)
	c = exec.CommandContext(ctx, string(p), args...)
	c.Stdout, c.Stderr = out, err
	return c, out, err
}

func (p program) run(t *testing.T, args ...string) outcome {
	t.Helper()
	c, out, stderr := p.command(t, args...)
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{c.ProcessState.ExitCode(), out.String(), stderr.String()}
}

func (p program) testVerdicts(t *testing.T) {
	p.run(t, "run").wants(t, exitConformant, "conformant: ")
	p.run(t, "frobnicate").wants(t, exitUsage, "unknown command")
	serve(t, acceptEverything)
	p.run(t, "run").wants(t, exitNonconformant, "nonconformant: ")
	serve(t, busy)
	p.run(t, "run").wants(t, exitInconclusive, "inconclusive: ")
}

func (p program) testCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "pwsh"} {
		result := p.run(t, "completion", shell)
		result.wants(t, exitConformant, "--generate-shell-completion")
		if shell != "bash" {
			continue
		}
		check := exec.CommandContext(t.Context(), "bash", "-n")
		check.Stdin = strings.NewReader(result.out)
		if said, err := check.CombinedOutput(); err != nil && !errors.Is(err, exec.ErrNotFound) {
			t.Errorf("bash refuses it: %v %s", err, said)
		}
	}
	p.run(t, "--generate-shell-completion").wants(t, exitConformant, "run:", "init:", "config:", "list:", "explain:", "version:")
	p.run(t, "config", "--base", "--generate-shell-completion").wants(t, exitConformant, "--base-url:")
	p.run(t, "run", "--re", "--generate-shell-completion").wants(t, exitConformant, "--report:")
	p.run(t, "run", "--only", "--generate-shell-completion").wants(t, exitConformant, "createPlant/valid/plain\n", "createPlant/accepts\n")
	p.run(t, "explain", "--generate-shell-completion").wants(t, exitConformant, "createPlant/valid/plain\n", "createPlant/accepts\n")
	p.run(t, "run", "--report", "--generate-shell-completion").wants(t, exitConformant, "json=\n", "github\n")
	p.run(t, "list", "--generate-shell-completion").wants(t, exitConformant, "fixtures:", "clauses:")
}

// The output of config is also a valid configuration file.
func (p program) testInit(t *testing.T) {
	t.Chdir(t.TempDir())
	p.run(t, "init").wants(t, exitConformant, "wrote "+cli.ConfigName)
	p.run(t, "run").wants(t, exitConformant, "bundled reference", "conformant: ")
	printed := p.run(t, "config", "--concurrency", "3")
	printed.wants(t, exitConformant, "# --concurrency\nconcurrency: 3\n")
	write(t, "printed.yaml", printed.out)
	p.run(t, "config", "--config", "printed.yaml").wants(t, exitConformant, "concurrency: 3\n", "# printed.yaml:")
	p.run(t, "run", "--config", "printed.yaml", "--only", "createPlant/example").wants(t, exitConformant, "1 fixture: 1 passed")
	p.run(t, "init").wants(t, exitUsage, "nothing was written")
}

func (p program) testBrokenPipe(t *testing.T) {
	c, _, stderr := p.command(t, "list", "fixtures")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = read.Close()
	c.Stdout = write
	err = c.Run()
	_ = write.Close()
	if err == nil || stderr.Len() > 0 {
		t.Errorf("it ended with %v and said %q", err, stderr)
	}
}

func (p program) testInterrupt(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Chdir(t.TempDir())
			asked := hang(t)
			c, out, stderr := p.command(t, "run", "--timeout", "1h", "--deadline", "0s", "--report", "json=report.json", "--report", "junit=report.xml")
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			<-asked
			if err := c.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			outcome{c.ProcessState.ExitCode(), out.String(), stderr.String()}.wants(t, exitInconclusive, "inconclusive: ", "interrupted")
			if r := readReport(t, readFile(t, "report.json")); r.Run.Complete || r.Verdict != "inconclusive" {
				t.Errorf("complete %v, %s", r.Run.Complete, r.Verdict)
			}
			checkJUnit(t, readFile(t, "report.xml"), 0)
			if files := filesIn(t, "."); len(files) != 2 {
				t.Errorf("the files are %v", files)
			}
		})
	}
}

// A process that is blocked, here because its output is not read, can still be ended.
func (p program) testSecondInterrupt(t *testing.T) {
	asked := hang(t)
	c, _, stderr := p.command(t, "run", "--timeout", "1h", "--deadline", "0s", "--only", "createPlant/valid/plain")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	fill(t, write)
	c.Stdout = write
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	<-asked
	for range 2 { // two signals at once may arrive as one, so another one follows below
		_ = c.Process.Signal(os.Interrupt)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
	}()
	for {
		select {
		case <-ended:
			outcome{c.ProcessState.ExitCode(), "", stderr.String()}.wants(t, exitInconclusive)
			return
		case <-time.After(100 * time.Millisecond):
			_ = c.Process.Signal(os.Interrupt)
		}
	}
}

// fill fills a pipe, so that the next writer blocks.
func fill(t *testing.T, pipe *os.File) {
	t.Helper()
	if err := pipe.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := pipe.Write(make([]byte, 4096)); err != nil {
			return
		}
	}
}
