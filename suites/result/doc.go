// Package result is the model of a run: what is known before it, the result of each fixture, and
// the verdict over all.
//
// A [Recording] has what is known before a run, the separate result of each fixture, and the
// results of controls. [Conclude] computes the verdict over all of them, and returns the [Report].
// It does so for a run that has just ended, for a run that was killed ([Read] reads the events that
// it left), for a saved report, and for the shards of a run ([Merge]).
//
// JSON is the stable format: report.schema.json describes it, and "schema" in
// each report names the version. Within a version keys are only added, and added
// keys are optional. NDJSON has one [Event] in each line while the run goes on.
//
// Secrets are redacted before a result gets here. Text from a target is untrusted: the code that
// shows it must escape it.
package result
