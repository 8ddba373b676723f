package client

// A Spec is a kernel specification.
type Spec struct {
	Name          string            // of its directory, such as "eigenbook"
	Argv          []string          // command; {connection_file} and {resource_dir} are replaced
	Env           map[string]string // added to the environment; ${NAME} is replaced
	DisplayName   string
	Language      string
	InterruptMode string // "signal" or "message"
	Dir           string // where it was found; empty if it was made by a program
}

// FindSpec returns the kernel specification of the given name.
func FindSpec(name string) (Spec, error) { return Spec{}, ErrNoSpec }

// ListSpecs returns all kernel specifications, sorted by name.
func ListSpecs() []Spec { return nil }
