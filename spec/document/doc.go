// Package document reads the YAML and JSON files that people write for this project (contracts,
// clause overlays, fixtures) into a tree. The tree keeps the position of each value, the order of
// keys, and numbers exactly as they are written.
//
// YAML libraries decode `9223372036854775808` into a float, `200.5` into the integer 200 and ignore
// a second document. This harness judges integers to the last digit. So scalars keep their literal,
// and anything unexpected is an [Error] with file, line and excerpt.
//
//	root, err := document.Parse("fixtures/x.yaml", data)
//	fields := root.Fields("title", "clause")
//	title := fields.String("title")
//	clause := fields.Required("clause")
//	err = fields.Err() // the first error
package document
