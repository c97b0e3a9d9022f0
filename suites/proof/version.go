package proof

import (
	"fmt"
	"hash/crc32"
	"net/http"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
)

// version returns the ETag of a resource. It is weak if responses show the same resource in
// several ways.
func (s *service) version(resource map[string]any) string {
	tag := strong(instance.Compact(resource))
	if s.inTurn {
		return "W/" + tag
	}
	return tag
}

// ofVersion returns the status of the rejection of a change for that version, or 0.
func (s *service) ofVersion(op *operation, path, version string) int {
	isCurrent := version == "*" || version == s.version(s.resources[path]) || version == s.tags[path]
	switch {
	case !op.states(op.ClauseIDs().State(spec.StatePrecondition)) || s.ignoresCheck(op, spec.StatePrecondition):
	case version == "" && op.NeedsVersion():
		return http.StatusPreconditionRequired
	case version != "" && !isCurrent:
		return http.StatusPreconditionFailed
	}
	return 0
}

// strong returns the strong ETag of a text. It has only digits, because a document may forbid others.
func strong(text string) string {
	return fmt.Sprintf(`"%08d"`, crc32.ChecksumIEEE([]byte(text))%100_000_000)
}
