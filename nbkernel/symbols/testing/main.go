package testing

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"eigenbook/lib/check"
	"eigenbook/nbkernel/nb"
)

// An InternalTest is a test by its name.
type InternalTest struct {
	Name string
	F    func(*T)
}

// An InternalBenchmark is a benchmark by its name.
type InternalBenchmark struct {
	Name string
	F    func(b *B)
}

// settings are the flags of a run.
type settings struct {
	verbose, short, failFast, allocs bool
	run, skip, bench                 pattern
	count                            int
	time                             time.Duration // of a benchmark
	times                            int           // b.N of a benchmark, 0 if its time tells
}

// present are the settings of the run that is going on, or of the last one.
var present = &settings{time: time.Second}

// Short reports whether -test.short is set.
func Short() bool { return present.short }

// Verbose reports whether -test.v is set.
func Verbose() bool { return present.verbose }

// Testing returns true.
func Testing() bool { return true }

// CoverMode returns "": coverage is not measured.
func CoverMode() string { return "" }

// Main runs tests and benchmarks with the flags in os.Args, and panics if one fails. It is what
// %test calls.
func Main(tests []InternalTest, benchmarks []InternalBenchmark) {
	s, err := parseFlags(os.Args[1:])
	if err != nil {
		panic(fmt.Errorf("test: %w", err))
	}
	present = s
	failed, ran := runTests(tests, s)
	if len(failed) == 0 {
		var measured bool
		failed, measured = runBenchmarks(benchmarks, s)
		ran = ran || measured
	}
	if len(failed) > 0 {
		fmt.Println("FAIL")
		panic(check.Failure{Claim: "the tests pass", Detail: strings.Join(failed, ", ") + " failed"})
	}
	if !ran {
		fmt.Fprintln(os.Stderr, "testing: warning: no tests to run")
	}
	fmt.Println("PASS")
}

func runTests(tests []InternalTest, s *settings) (failed []string, ran bool) {
	for range s.count {
		root := &T{}
		root.begin("", s)
		for _, test := range tests {
			if nb.Context().Err() != nil || s.failFast && len(failed) > 0 || !s.wanted(s.run, test.Name) {
				continue
			}
			ran = true
			if !root.child(test.Name, test.F) {
				failed = append(failed, test.Name)
			}
		}
		root.cancel()
	}
	return failed, ran
}

func runBenchmarks(benchmarks []InternalBenchmark, s *settings) (failed []string, ran bool) {
	for _, b := range benchmarks {
		if nb.Context().Err() != nil || len(s.bench) == 0 || !s.wanted(s.bench, b.Name) {
			continue
		}
		if !ran {
			fmt.Printf("goos: %s\ngoarch: %s\n", runtime.GOOS, runtime.GOARCH)
		}
		ran = true
		sub := &B{}
		sub.begin(b.Name, s)
		if !sub.measure(b.F) {
			failed = append(failed, b.Name)
		}
	}
	return failed, ran
}

// parseFlags reads the flags of go test, with "test." before them or without, and those that the
// session has declared.
func parseFlags(args []string) (*settings, error) {
	s := &settings{}
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flag.VisitAll(func(f *flag.Flag) { flags.Var(f.Value, f.Name, f.Usage) })
	var run, skip, bench, benchTime string
	for _, prefix := range []string{"test.", ""} {
		boolVar := func(p *bool, name string) {
			if flags.Lookup(prefix+name) == nil {
				flags.BoolVar(p, prefix+name, false, "")
			}
		}
		stringVar := func(p *string, name, value string) {
			if flags.Lookup(prefix+name) == nil {
				flags.StringVar(p, prefix+name, value, "")
			}
		}
		boolVar(&s.verbose, "v")
		boolVar(&s.short, "short")
		boolVar(&s.failFast, "failfast")
		boolVar(&s.allocs, "benchmem")
		stringVar(&run, "run", "")
		stringVar(&skip, "skip", "")
		stringVar(&bench, "bench", "")
		stringVar(&benchTime, "benchtime", "1s")
		if flags.Lookup(prefix+"count") == nil {
			flags.IntVar(&s.count, prefix+"count", 1, "")
		}
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	var err error
	for _, p := range []struct {
		to   *pattern
		text string
	}{{&s.run, run}, {&s.skip, skip}, {&s.bench, bench}} {
		if *p.to, err = parsePattern(p.text); err != nil {
			return nil, err
		}
	}
	if times, ok := strings.CutSuffix(benchTime, "x"); ok {
		if s.times, err = strconv.Atoi(times); err != nil || s.times < 1 {
			return nil, fmt.Errorf("benchtime is %q, want a duration as 1s or a count as 100x", benchTime)
		}
	} else if s.time, err = time.ParseDuration(benchTime); err != nil || s.time <= 0 {
		return nil, fmt.Errorf("benchtime is %q, want a duration as 1s or a count as 100x", benchTime)
	}
	return s, nil
}

// A pattern selects tests: its parts, which slashes separate, must match those of a name.
type pattern []*regexp.Regexp

func parsePattern(text string) (pattern, error) {
	var p pattern
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, "/") {
		re, err := regexp.Compile(strings.ReplaceAll(part, " ", "_"))
		if err != nil {
			return nil, err
		}
		p = append(p, re)
	}
	return p, nil
}

// match reports whether the parts of name and pattern match as far as there are both, and
// whether name has all the parts.
func (p pattern) match(name string) (matches, whole bool) {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if i < len(p) && !p[i].MatchString(part) {
			return false, false
		}
	}
	return true, len(parts) >= len(p)
}

// wanted reports whether a test or benchmark is to run, if only for its subtests.
func (s *settings) wanted(p pattern, name string) bool {
	if len(s.skip) > 0 {
		if skipped, whole := s.skip.match(name); skipped && whole {
			return false
		}
	}
	matches, _ := p.match(name)
	return matches
}
