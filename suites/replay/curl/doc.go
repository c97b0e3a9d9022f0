// Package curl writes a message as a command that anybody can paste into a POSIX
// shell to send the same request again.
//
// The command contains no secret: the credential comes from a variable of the
// environment, which the shell puts in, encoded where the message wants it
// encoded. Everything else is quoted so that the shell changes no byte. A body
// that a shell cannot pass on as an argument goes through a pipe from printf.
package curl
