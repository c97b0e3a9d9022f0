package target

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
)

const (
	// TokenVariable holds the credential itself.
	TokenVariable = "CONFORMANCE_TOKEN"
	// MaxTokenFile is how long a file with a credential may be, in bytes.
	MaxTokenFile = 64 << 10
)

// ReadToken gives the credential: from the file that a flag or a variable
// names, or else from the environment, or else from the file that the
// configuration names.
func ReadToken(file cli.Given, stdin io.Reader) (string, error) {
	token := environmentToken()
	if !readsToken(file) {
		return token, CheckToken(TokenVariable, token)
	}
	return readCredential(file, stdin)
}

// readCredential reads a file that contains a credential and nothing else.
func readCredential(file cli.Given, stdin io.Reader) (string, error) {
	data, err := readTokenFile(file, stdin)
	if err != nil {
		return "", err
	}
	name := file.Name + " " + file.Text
	token := strings.TrimSpace(string(data))
	switch {
	case len(data) > MaxTokenFile:
		return "", cli.Usagef("%s is longer than %d bytes; it must hold the credential and nothing else", name, MaxTokenFile)
	case token == "":
		return "", cli.Usagef("%s is empty; it must hold the credential", name)
	}
	return token, CheckToken(name, token)
}

func environmentToken() string { return strings.TrimSpace(os.Getenv(TokenVariable)) }

// readsToken reports whether the credential is in the file, and not in the
// environment.
func readsToken(file cli.Given) bool {
	return file.Text != "" && (file.From != cli.ByFile || environmentToken() == "")
}

// hideTokenFile hides what names no file: it may be the credential itself.
func hideTokenFile(file cli.Given) string {
	if _, err := os.Stat(file.Text); err != nil && file.Text != output.Stdin {
		return "(hidden)"
	}
	return ""
}

// CheckToken refuses a credential that no header can carry.
func CheckToken(name, token string) error {
	if strings.ContainsFunc(token, unicode.IsControl) {
		return cli.Usagef("%s has a line break or a control character in it; it must hold the credential and nothing else", name)
	}
	return nil
}

// readTokenFile reads one byte more than a token may have, at most.
func readTokenFile(file cli.Given, stdin io.Reader) ([]byte, error) {
	if file.Text == output.Stdin {
		data, err := io.ReadAll(io.LimitReader(stdin, MaxTokenFile+1))
		if err != nil {
			return nil, fmt.Errorf("reading the credential from standard input: %w", err)
		}
		return data, nil
	}
	f, err := os.Open(file.Text)
	if reason, ok := errors.AsType[*fs.PathError](err); ok {
		// Who confuses the flag with one for the token itself must not find it
		// in a log.
		return nil, cli.Usagef("%s names a file that cannot be read: %w; the path is hidden in case it is the credential itself", file.Name, reason.Err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, MaxTokenFile+1))
	if err != nil {
		return nil, file.Unreadable(err)
	}
	return data, nil
}
