// Package spectest has what the tests of spec and of spec/check share: small contracts, and
// responses to check against them.
package spectest
