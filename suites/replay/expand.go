package replay

import (
	"encoding/base64"
	"strings"

	"github.com/plantstore/conformance/fixtures"
)

// expand puts the credential where a message leaves room for it; the mask
// takes the same places.
func expand(value, token string) string {
	if !strings.Contains(value, fixtures.TokenPlaceholder) {
		return value
	}
	encoded, password, user := mask, mask, mask
	if token != mask {
		encoded = base64.StdEncoding.EncodeToString([]byte(token))
		password = base64.StdEncoding.EncodeToString([]byte(fixtures.PasswordUser + ":" + token))
		user = base64.StdEncoding.EncodeToString([]byte(token + ":"))
	}
	return strings.NewReplacer(
		fixtures.BasicPlaceholder, encoded,
		fixtures.PasswordPlaceholder, password,
		fixtures.UserPlaceholder, user,
		fixtures.TokenPlaceholder, token,
	).Replace(value)
}
