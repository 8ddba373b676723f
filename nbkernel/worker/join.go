package worker

import "errors"

// golang is Go as cells know it.
var golang = language{
	start: func() (evaluator, error) { return nil, errors.New("no interpreter is linked in") },
	parse: func(code string) (plan, *Failure) { return plan{source: code}, nil },
}

// IsComplete says whether code is "complete", "incomplete" or "invalid", and for incomplete
// code how the next line should be indented. It does not need the child.
func (p *Process) IsComplete(code string) (status, indent string) { return "complete", "" }
