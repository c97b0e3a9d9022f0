// Package report turns the results of a run into reports for people and programs.
//
// A [Recording] is the input of a report: what is known before the run, a result
// for each fixture by itself, and the results of controls. [Conclude] lets the
// judge give the verdict over all of them, and makes the [Report]. It does so
// for a run that has just ended, for a run that was killed ([Read] takes the
// events that it left), for a saved report, and for the shards of a run
// ([Merge]).
//
// There is one result model, and every format is a view of it. JSON is the
// stable format: report.schema.json describes it, and "schema" in each report
// names the version. Within a version keys are only added, and added keys are
// optional. NDJSON has one [Event] in each line while the run goes on. The other
// views are the console; HTML; JUnit and CTRF, for CI systems; Markdown, for
// pull requests; annotations for GitHub Actions; SARIF, for tools that show
// findings on lines of files; HAR, for tools that show exchanges; and a badge.
//
// The views count faults, not fixtures. A fault is a cause: findings with the
// same clause, place and message. Each is shown by its plainest fixture.
//
// Secrets are redacted before a result gets here. What came from a target is
// untrusted: each view makes it harmless for its medium, see [Visible].
package report
