package command

import (
	"encoding/xml"
	"fmt"
	"path/filepath"
	"strings"

	"eigenbook/nbkernel/notebook"
)

// The elements of a JUnit report, as CI systems read them: a suite for every notebook and a
// case for every code cell.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"`
	Skipped *struct{}     `xml:"skipped"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit returns the report on the executions.
func junit(executions []*execution) ([]byte, error) {
	var all junitSuites
	total := 0.0
	for _, e := range executions {
		suite := e.suite()
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		total += e.elapsed.Seconds()
		all.Suites = append(all.Suites, suite)
	}
	all.Time = seconds(total)
	data, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(append([]byte(xml.Header), data...), '\n'), nil
}

func (e *execution) suite() junitSuite {
	suite := junitSuite{Name: e.path, Time: seconds(e.elapsed.Seconds())}
	class := strings.TrimSuffix(filepath.Base(e.path), ".ipynb")
	add := func(c junitCase) {
		suite.Tests++
		if c.Failure != nil {
			suite.Failures++
		}
		if c.Skipped != nil {
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
	}
	reported := map[int]bool{}
	for i, c := range e.notebook.Cells {
		if c.Type != notebook.Code || strings.TrimSpace(c.Source) == "" {
			continue
		}
		first, _, _ := strings.Cut(strings.TrimLeft(c.Source, "% \t\r\n"), "\n")
		result := junitCase{Name: fmt.Sprintf("cell %d: %s", i+1, printableXML(first)), Class: class}
		took, ran := e.times[c]
		result.Time = seconds(took.Seconds())
		if !ran {
			result.Skipped = &struct{}{}
		}
		for _, f := range e.failures {
			if f.cell == i+1 {
				reported[f.cell] = true
				result.Failure = f.junit()
			}
		}
		add(result)
	}
	for _, f := range e.failures {
		if !reported[f.cell] {
			add(junitCase{Name: "notebook", Class: class, Time: seconds(0), Failure: f.junit()})
		}
	}
	return suite
}

func (f failure) junit() *junitFailure {
	return &junitFailure{Message: printableXML(f.String()), Text: printableXML(f.detail)}
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

// printableXML drops the characters that XML cannot hold; encoding/xml would replace them.
func printableXML(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, s)
}
