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
	encode := func(text string) string {
		if token == mask {
			return mask
		}
		return base64.StdEncoding.EncodeToString([]byte(text))
	}
	// The longer names first, for they begin with the shorter one.
	value = strings.ReplaceAll(value, fixtures.BasicPlaceholder, encode(token))
	value = strings.ReplaceAll(value, fixtures.PasswordPlaceholder, encode(fixtures.PasswordUser+":"+token))
	value = strings.ReplaceAll(value, fixtures.UserPlaceholder, encode(token+":"))
	return strings.ReplaceAll(value, fixtures.TokenPlaceholder, token)
}
