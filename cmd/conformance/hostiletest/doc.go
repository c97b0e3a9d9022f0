// Package hostiletest runs the binary against targets that mean it harm: its
// tests show that none of them makes it hang, fills its memory, breaks its
// reports or gets a credential into anything that it writes. They take
// minutes: -tags long asks for them.
package hostiletest
