// Package report lists the formats of a report, and writes report files.
//
// Every format is a view of [result.Report] in a separate package. console and html are for
// people, junit and ctrf for CI systems, markdown for pull requests, and github for annotations.
// sarif is for tools that show findings on lines of files, har for tools that show exchanges,
// and badge for a README. JSON and NDJSON are the model itself, see package result. To add a
// format, write a package with a function Write(io.Writer, result.Report) error, and add it to
// [Formats]. Most formats are tested in this package, because one test program builds faster
// than one per format.
//
// Console, html, markdown, github and sarif group findings by cause: the same clause, place and
// message. Console, markdown and github also group causes that are one fault. Each group is
// shown by its plainest fixture. Text from a target is untrusted: each format makes it harmless
// for its medium, see [Visible].
package report
