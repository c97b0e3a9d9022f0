package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode"
)

const (
	tokenVariable = "CONFORMANCE_TOKEN"
	maxTokenFile  = 64 << 10 // bytes
)

// readToken gives the credential: from the file that a flag or a variable
// names, or else from the environment, or else from the file that the
// configuration names.
func readToken(file given, stdin io.Reader) (string, error) {
	token := environmentToken()
	if !readsToken(file) {
		return token, checkToken(tokenVariable, token)
	}
	data, err := readTokenFile(file, stdin)
	if err != nil {
		return "", err
	}
	name := file.name + " " + file.text
	token = strings.TrimSpace(string(data))
	switch {
	case len(data) > maxTokenFile:
		return "", usagef("%s is longer than %d bytes; it must hold the credential and nothing else", name, maxTokenFile)
	case token == "":
		return "", usagef("%s is empty; it must hold the credential", name)
	}
	return token, checkToken(name, token)
}

func environmentToken() string { return strings.TrimSpace(os.Getenv(tokenVariable)) }

// readsToken says whether the credential is in the file, and not in the
// environment.
func readsToken(file given) bool {
	return file.text != "" && (file.from != byFile || environmentToken() == "")
}

// hideTokenFile hides what names no file: it may be the credential itself.
func hideTokenFile(file given) string {
	if _, err := os.Stat(file.text); err != nil && file.text != stdinPath {
		return "(hidden)"
	}
	return ""
}

func checkToken(name, token string) error {
	if strings.ContainsFunc(token, unicode.IsControl) {
		return usagef("%s has a line break or a control character in it; it must hold the credential and nothing else", name)
	}
	return nil
}

// readTokenFile reads one byte more than a token may have, at most.
func readTokenFile(file given, stdin io.Reader) ([]byte, error) {
	if file.text == stdinPath {
		data, err := io.ReadAll(io.LimitReader(stdin, maxTokenFile+1))
		if err != nil {
			return nil, fmt.Errorf("reading the credential from standard input: %w", err)
		}
		return data, nil
	}
	f, err := os.Open(file.text)
	if reason, ok := errors.AsType[*fs.PathError](err); ok {
		// Who confuses the flag with one for the token itself must not find it
		// in a log.
		return nil, usagef("%s names no file that can be read: %w; what was given is not shown, lest it be the credential itself", file.name, reason.Err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxTokenFile+1))
	if err != nil {
		return nil, file.unreadable(err)
	}
	return data, nil
}
