// Package report turns the summary of a run into what people and programs
// read.
//
// There is one result model, [Report], and every format is a view of it. JSON
// is the stable one: report.schema.json describes it, and "schema" in each
// report names the version. The other views are the console, which tells a
// person what to mend first and to replay it; JUnit and CTRF, for CI systems;
// Markdown, for the conversation of a pull request; annotations for GitHub
// Actions; SARIF, for tools that show findings on lines of files; HAR, for tools
// that show exchanges; and a badge.
//
// Everything in the model is free of secrets before it gets here, and
// everything in it that came from a target is untrusted: each view makes it
// harmless for its medium, see [Visible].
package report
