// Package curl writes a message as a command that you can paste into a POSIX
// shell to send the same request again.
//
// The command contains no secret: the shell inserts the credential from an
// environment variable, and encodes it if the message requires that. Everything
// else is quoted so that the shell changes no byte. A body that cannot be a shell
// argument goes through a pipe from printf.
package curl
