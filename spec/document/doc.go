// Package document reads the YAML and JSON files a person writes for this
// project (contracts, clause overlays, fixtures) into a tree that forgets
// nothing a careful reader needs: where each value stands, the order of keys,
// and numbers exactly as they were written.
//
// YAML libraries decode `9223372036854775808` into a float, `200.5` into the
// integer 200 and ignore a second document. For a harness that judges
// integers to the last digit none of that will do, so scalars keep their
// literal and every surprise is an [Error] with file, line and excerpt.
//
//	root, err := document.Parse("fixtures/x.yaml", data)
//	fields := root.Fields("title", "clause")
//	title := fields.String("title")
//	clause := fields.Required("clause")
//	err = fields.Err() // the first
package document
