package command

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
)

var versionCommand = &command{
	name:  "version",
	short: "print the versions of nbkernel, Go and what cells can import",
	flags: func(*flag.FlagSet) func(Streams, []string) int {
		return func(s Streams, args []string) int {
			if len(args) > 0 {
				s.errorf("version takes no arguments, not %q", args[0])
				return ExitUsage
			}
			fmt.Fprintf(s.Out, "nbkernel %s\n", Version())
			fmt.Fprintf(s.Out, "%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
			for _, path := range []string{"github.com/traefik/yaegi", "gonum.org/v1/gonum", "gonum.org/v1/plot", "github.com/janpfeifer/gonb"} {
				if v := moduleVersion(path); v != "" {
					fmt.Fprintf(s.Out, "%s %s\n", path, v)
				}
			}
			return ExitDone
		}
	},
}

// Version returns the version of Eigenbook this program was built from: the module's
// version, else the commit, else "(devel)".
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return "(devel) " + setting.Value[:12]
		}
	}
	return "(devel)"
}

// moduleVersion returns the version of a dependency this program was linked with, or "".
func moduleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, dep := range info.Deps {
		if dep.Path == path {
			if dep.Replace != nil {
				return dep.Replace.Version
			}
			return dep.Version
		}
	}
	return ""
}
