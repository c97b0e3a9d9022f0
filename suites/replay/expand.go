package replay

import (
	"encoding/base64"
	"strings"

	"github.com/plantstore/conformance/fixtures"
)

// expand puts the credential where a message leaves room for it.
func expand(value, token string) string {
	if !strings.Contains(value, "$") {
		return value
	}
	encoded := token
	if token != mask {
		encoded = base64.StdEncoding.EncodeToString([]byte(token))
	}
	return strings.NewReplacer(fixtures.BasicPlaceholder, encoded, fixtures.TokenPlaceholder, token).Replace(value)
}
