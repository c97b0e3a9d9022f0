// Package report turns the results of a run into reports for people and programs.
//
// Every format is a view of [result.Report]: the console; HTML; JUnit and CTRF,
// for CI systems; Markdown, for pull requests; annotations for GitHub Actions;
// SARIF, for tools that show findings on lines of files; HAR, for tools that
// show exchanges; and a badge. [Formats] lists those that a file can have.
//
// The views count faults, not fixtures. A fault is a cause: findings with the
// same clause, place and message. Each is shown by its plainest fixture.
//
// What came from a target is untrusted: each view makes it harmless for its
// medium, see [Visible].
package report
