// Package report turns what a run found into what people and programs read.
//
// A [Recording] is what a report follows from: what is known before the run,
// and a result for each fixture, as it is by itself. [Conclude] holds them
// against each other, has the judge give the verdict, and makes the [Report].
// It does so for a run that just ended, for one that was killed ([Read] takes
// the events that it left), for a report that is shown again, and for the
// shards of a run ([Merge]).
//
// There is one result model, and every format is a view of it. JSON is the
// stable one: report.schema.json describes it, and "schema" in each report
// names the version. NDJSON is the same as it happens, one [Event] in each line.
// The other views are the console, which tells a
// person what to mend first and to replay it; HTML, a page that says all; JUnit and CTRF, for CI systems;
// Markdown, for the conversation of a pull request; annotations for GitHub
// Actions; SARIF, for tools that show findings on lines of files; HAR, for tools
// that show exchanges; and a badge.
//
// Everything in the model is free of secrets before it gets here, and
// everything in it that came from a target is untrusted: each view makes it
// harmless for its medium, see [Visible].
package report
