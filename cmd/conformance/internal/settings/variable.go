package settings

import (
	"fmt"
	"os"
	"strings"
)

// expand puts the environment's values in the place of ${NAME}.
func expand(text string) (string, error) {
	return replaceVariables(text, func(name string) (string, error) {
		value := os.Getenv(name)
		if value == "" {
			return "", fmt.Errorf("the environment variable %s is not set, or is empty", name)
		}
		return value, nil
	})
}

// WithoutVariables is what a text holds itself, each ${NAME} in it left out.
func WithoutVariables(text string) string {
	rest, err := replaceVariables(text, func(string) (string, error) { return "", nil })
	if err != nil {
		return text
	}
	return rest
}

// HasVariables reports whether a file would take a part of the text for a
// variable.
func HasVariables(text string) bool { return strings.Contains(text, "${") }

func replaceVariables(text string, value func(name string) (string, error)) (string, error) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			return "", fmt.Errorf("${ has no } after it")
		}
		with, err := value(name)
		if err != nil {
			return "", err
		}
		b.WriteString(with)
		text = after
	}
}
