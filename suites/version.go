package suites

import (
	"runtime/debug"

	"github.com/plantstore/conformance/suites/result"
)

const modulePath = "github.com/plantstore/conformance"

// Version returns the version and the commit of this module, as far as the build recorded
// them.
func Version() result.Harness {
	h := result.Harness{Version: "devel", Commit: "unknown"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return h
	}
	modules := append([]*debug.Module{&info.Main}, info.Deps...)
	for _, m := range modules {
		if m.Path == modulePath && m.Version != "" && m.Version != "(devel)" {
			h.Version = m.Version
		}
	}
	if info.Main.Path != modulePath {
		return h
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			h.Commit = setting.Value
		}
	}
	return h
}
