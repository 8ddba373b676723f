package kernel

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// maxDepth bounds how deep kernels may be nested in what Unmarshal reads.
const maxDepth = 64

// encoded is the JSON form of a kernel. Type names the kernel and with it the meaning of the
// other fields; a kernel whose parameters change gets a new name.
type encoded struct {
	Type        string            `json:"type"`
	LengthScale *float64          `json:"lengthScale,omitempty"`
	Nu          *float64          `json:"nu,omitempty"`
	Degree      *int              `json:"degree,omitempty"`
	Scale       *float64          `json:"scale,omitempty"`
	Offset      *float64          `json:"offset,omitempty"`
	Factor      *float64          `json:"factor,omitempty"`
	Kernels     []json.RawMessage `json:"kernels,omitempty"`
}

// Marshal returns k as JSON, for instance {"type":"RBF","lengthScale":2}. The error wraps
// ErrParameter if k is not valid and ErrEncoding if k or a part of it is not a kernel of this
// package or is a Func.
func Marshal(k Kernel) ([]byte, error) {
	if k == nil {
		return nil, fmt.Errorf("%w: the kernel is nil", ErrEncoding)
	}
	if err := k.Validate(); err != nil {
		return nil, err
	}
	var e encoded
	switch k := k.(type) {
	case Linear:
		e = encoded{Type: "Linear"}
	case Cosine:
		e = encoded{Type: "Cosine"}
	case Polynomial:
		e = encoded{Type: "Polynomial", Degree: &k.Degree, Scale: &k.Scale, Offset: &k.Offset}
	case Sigmoid:
		e = encoded{Type: "Sigmoid", Scale: &k.Scale, Offset: &k.Offset}
	case RBF:
		e = encoded{Type: "RBF", LengthScale: &k.LengthScale}
	case Laplacian:
		e = encoded{Type: "Laplacian", LengthScale: &k.LengthScale}
	case Matern:
		e = encoded{Type: "Matern", Nu: &k.Nu, LengthScale: &k.LengthScale}
	case InverseMultiquadric:
		e = encoded{Type: "InverseMultiquadric", LengthScale: &k.LengthScale}
	case Sum:
		e = encoded{Type: "Sum"}
	case Product:
		e = encoded{Type: "Product"}
	case Scaled:
		e = encoded{Type: "Scaled", Factor: &k.Factor}
	default:
		return nil, fmt.Errorf("%w: %v (%T) cannot be saved, only kernels of package kernel other than Func can",
			ErrEncoding, k, k)
	}
	if c, ok := k.(composed); ok {
		for _, p := range c.parts() {
			raw, err := Marshal(p)
			if err != nil {
				return nil, err
			}
			e.Kernels = append(e.Kernels, raw)
		}
	}
	return json.Marshal(e)
}

// Unmarshal returns the kernel that Marshal wrote. The error wraps ErrEncoding if the JSON is
// not of that form and ErrParameter if a parameter is out of range.
func Unmarshal(data []byte) (Kernel, error) { return unmarshal(data, maxDepth) }

func unmarshal(data []byte, depth int) (Kernel, error) {
	if depth == 0 {
		return nil, fmt.Errorf("%w: kernels nested deeper than %d", ErrEncoding, maxDepth)
	}
	var e encoded
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEncoding, err)
	}
	if dec.More() {
		return nil, fmt.Errorf("%w: text after the kernel", ErrEncoding)
	}
	var parts []Kernel
	for _, raw := range e.Kernels {
		p, err := unmarshal(raw, depth-1)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	k, err := e.kernel(parts)
	if err != nil {
		return nil, err
	}
	if err := k.Validate(); err != nil {
		return nil, err
	}
	return k, nil
}

// kernel returns the kernel that e describes. A parameter that is missing counts as 0, which
// Validate refuses wherever it is not a meaningful value.
func (e encoded) kernel(parts []Kernel) (Kernel, error) {
	switch e.Type {
	case "Linear":
		return Linear{}, nil
	case "Cosine":
		return Cosine{}, nil
	case "Polynomial":
		return Polynomial{Degree: value(e.Degree), Scale: value(e.Scale), Offset: value(e.Offset)}, nil
	case "Sigmoid":
		return Sigmoid{Scale: value(e.Scale), Offset: value(e.Offset)}, nil
	case "RBF":
		return RBF{LengthScale: value(e.LengthScale)}, nil
	case "Laplacian":
		return Laplacian{LengthScale: value(e.LengthScale)}, nil
	case "Matern":
		return Matern{Nu: value(e.Nu), LengthScale: value(e.LengthScale)}, nil
	case "InverseMultiquadric":
		return InverseMultiquadric{LengthScale: value(e.LengthScale)}, nil
	case "Sum":
		return Sum{Kernels: parts}, nil
	case "Product":
		return Product{Kernels: parts}, nil
	case "Scaled":
		if len(parts) != 1 {
			return nil, fmt.Errorf("%w: Scaled has %d kernels, want 1", ErrEncoding, len(parts))
		}
		return Scaled{Factor: value(e.Factor), Kernel: parts[0]}, nil
	}
	return nil, fmt.Errorf("%w: unknown kernel type %q", ErrEncoding, e.Type)
}

func value[T int | float64](p *T) T {
	if p == nil {
		return 0
	}
	return *p
}
