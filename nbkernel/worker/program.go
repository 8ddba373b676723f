package worker

import (
	"slices"
	"strings"

	"eigenbook/nbkernel/cell"
)

// program returns the Go that a plan means in this session, and its arguments.
func (c *child) program(p plan) (source string, args []string) {
	if p.test {
		return c.tests(p)
	}
	var calls []string // before the body of main, or at the end
	for _, name := range cell.Inits(p.source) {
		calls = append(calls, name+"()")
	}
	if p.parse >= 0 && (len(p.args) > 0 || c.session.HasFlags() || cell.UsesFlags(p.source)) {
		calls = append(calls, "flag.Parse()")
	}
	switch text := strings.Join(calls, "; "); {
	case text == "":
		return p.source, p.args
	case p.parse >= 0:
		return p.source[:p.parse] + text + p.source[p.parse:], p.args
	default:
		return p.source + "\n" + text, p.args
	}
}

// tests returns the Go of a cell that ends with running tests. Without flags these are the tests
// and benchmarks of the cell, or the tests of the session if it has none; with flags, which may
// be an empty one, they are chosen by the flags from all.
func (c *child) tests(p plan) (source string, args []string) {
	tests, benchmarks := cell.Tests(p.source)
	args = []string{"-test.v", "-test.bench=."}
	if len(p.args) > 0 || len(tests)+len(benchmarks) == 0 {
		earlierTests, earlierBenchmarks := cell.Tests(strings.Join(c.session.Declarations(), "\n"))
		tests, benchmarks = union(earlierTests, tests), union(earlierBenchmarks, benchmarks)
		args = []string{"-test.v"}
		if len(p.args) > 0 {
			args = slices.DeleteFunc(p.args, func(arg string) bool { return arg == "" })
		}
	}
	var b strings.Builder
	b.WriteString(p.source + "\ntesting.Main([]testing.InternalTest{")
	for _, name := range tests {
		b.WriteString("{\"" + name + "\", " + name + "}, ")
	}
	b.WriteString("}, []testing.InternalBenchmark{")
	for _, name := range benchmarks {
		b.WriteString("{\"" + name + "\", " + name + "}, ")
	}
	b.WriteString("})\n")
	return b.String(), args
}

// union returns the names of both lists, those of the first one first.
func union(a, b []string) []string {
	for _, name := range b {
		if !slices.Contains(a, name) {
			a = append(a, name)
		}
	}
	return a
}
