// Package report lists the formats of a report, and writes report files.
//
// Every format is a view of [result.Report], in a package of its own: console;
// html; junit and ctrf, for CI systems; markdown, for pull requests; github, for
// annotations; sarif, for tools that show findings on lines of files; har, for
// tools that show exchanges; and badge. JSON and NDJSON are the model itself,
// see package result. To add a format, write a package with a function
// Write(io.Writer, result.Report) error, and name it in [Formats]. Most
// formats are tested in this package, because one test program builds faster than one
// for each.
//
// They count faults, not fixtures. A fault is a cause: findings with the same clause,
// place and message. Each is shown by its plainest fixture. What came from a target is
// untrusted: each format makes it harmless for its medium, see [Visible].
package report
