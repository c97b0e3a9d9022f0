// Package result is the model of a run: what was known before it, the result of
// each fixture, and what they come to.
//
// A [Recording] holds what is known before a run, a result for each fixture by
// itself, and the results of controls. [Conclude] asks the judge for the verdict
// over all of them, and makes the [Report]. It does so for a run that has just
// ended, for a run that was killed ([Read] takes the events that it left), for a
// saved report, and for the shards of a run ([Merge]).
//
// JSON is the stable format: report.schema.json describes it, and "schema" in
// each report names the version. Within a version keys are only added, and added
// keys are optional. NDJSON has one [Event] in each line while the run goes on.
//
// Secrets are redacted before a result gets here. What came from a target is
// untrusted: whoever shows it makes it harmless.
package result
