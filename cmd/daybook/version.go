package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// release and commit are set by the build (see Makefile); without them the module's own build information is used.
var release, commit string

func version() string {
	if release != "" {
		return release
	}
	return "development"
}

func revision() string {
	if commit != "" {
		return commit
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return "unknown"
}

type versionCommand struct{}

// Help implements kong.HelpProvider.
func (versionCommand) Help() string {
	return `Example:

  daybook version`
}

// Run implements the command.
func (versionCommand) Run(s streams) error {
	_, err := fmt.Fprintf(s.out, "daybook %s, commit %s, %s\n", version(), revision(), runtime.Version())
	return err
}
