package main

import (
	"io"
	"os"
	"strings"
)

// tokensEnv is the environment variable that holds the accepted tokens.
const tokensEnv = "REFERENCE_TOKENS"

// readTokens returns the tokens in the file (- is stdin) or, when none is
// named, in the environment. A file that is named counts alone: a variable
// that somebody forgot must let nobody in.
func readTokens(file string, stdin io.Reader) ([]string, error) {
	if file == "" {
		tokens, err := parseTokens(strings.Fields(os.Getenv(tokensEnv)), "token", tokensEnv)
		if err == nil && len(tokens) == 0 {
			err = usageErrorf("no client could create a plant without a token: name a file with one token a line in --%s, or set %s", tokenFileFlag, tokensEnv)
		}
		return tokens, err
	}
	source := "--" + tokenFileFlag + " " + file
	text, err := readFile(file, stdin)
	if err != nil {
		return nil, usageErrorf("%s: %v; name a file with one token a line", source, err)
	}
	tokens, err := parseTokens(strings.Split(string(text), "\n"), "line", source)
	if err == nil && len(tokens) == 0 {
		err = usageErrorf("%s holds no token: write one a line", source)
	}
	return tokens, err
}

func readFile(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}

// parseTokens takes the tokens from their lines, leaving out blank ones. One
// that no client could send is an error, which names it by its number: what is
// wrong may be a secret all the same.
func parseTokens(lines []string, unit, source string) ([]string, error) {
	var tokens []string
	for i, line := range lines {
		token := strings.TrimSpace(line)
		if strings.ContainsFunc(token, unsendable) {
			return nil, usageErrorf("%s %d of %s is not a token: use visible ASCII characters without spaces", unit, i+1, source)
		}
		if token != "" {
			tokens = append(tokens, token)
		}
	}
	return tokens, nil
}

// unsendable reports whether a client could not send c in a bearer token.
func unsendable(c rune) bool { return c <= ' ' || c >= 0x7f }
