package client

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
)

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

// FindSpec returns the kernel specification of the given name. Case does not matter, as in
// Jupyter. The error wraps ErrNoSpec and lists the names that there are, or says what is wrong
// with the specification.
func FindSpec(name string) (Spec, error) {
	var names []string
	for _, dir := range specDirs() {
		for _, found := range subdirs(dir) {
			if strings.EqualFold(found, name) {
				return readSpec(filepath.Join(dir, found))
			}
			names = append(names, found)
		}
	}
	sort.Strings(names)
	known := "there are none"
	if len(names) > 0 {
		known = "there are " + strings.Join(names, ", ")
	}
	return Spec{}, fmt.Errorf("%w as %q; %s (searched %s)", ErrNoSpec, name, known, strings.Join(specDirs(), ", "))
}

// ListSpecs returns all usable kernel specifications, sorted by name. Of several with one name
// it has the one that FindSpec returns.
func ListSpecs() []Spec {
	byName := map[string]Spec{}
	for _, dir := range specDirs() {
		for _, found := range subdirs(dir) {
			key := strings.ToLower(found)
			if _, hidden := byName[key]; hidden {
				continue
			}
			if spec, err := readSpec(filepath.Join(dir, found)); err == nil {
				byName[key] = spec
			}
		}
	}
	specs := make([]Spec, 0, len(byName))
	for _, s := range byName {
		specs = append(specs, s)
	}
	sort.Slice(specs, func(i, j int) bool { return specs[i].Name < specs[j].Name })
	return specs
}

// specDirs returns the folders that hold specifications, first come first served:
// JUPYTER_PATH, the user's, those of active environments, the system's.
func specDirs() []string {
	var data []string
	data = append(data, filepath.SplitList(os.Getenv("JUPYTER_PATH"))...)
	home, _ := os.UserHomeDir()
	switch {
	case os.Getenv("JUPYTER_DATA_DIR") != "":
		data = append(data, os.Getenv("JUPYTER_DATA_DIR"))
	case runtime.GOOS == "darwin" && home != "":
		data = append(data, filepath.Join(home, "Library", "Jupyter"))
	case os.Getenv("XDG_DATA_HOME") != "":
		data = append(data, filepath.Join(os.Getenv("XDG_DATA_HOME"), "jupyter"))
	case home != "":
		data = append(data, filepath.Join(home, ".local", "share", "jupyter"))
	}
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if prefix := os.Getenv(variable); prefix != "" {
			data = append(data, filepath.Join(prefix, "share", "jupyter"))
		}
	}
	data = append(data, "/usr/local/share/jupyter", "/usr/share/jupyter")
	var dirs []string
	for _, d := range data {
		if d != "" {
			dirs = append(dirs, filepath.Join(d, "kernels"))
		}
	}
	return dirs
}

// subdirs returns the names of the folders in dir that have a kernel.json.
func subdirs(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(dir, e.Name(), "kernel.json")); err == nil && info.Mode().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names
}

// readSpec reads dir/kernel.json.
func readSpec(dir string) (Spec, error) {
	path := filepath.Join(dir, "kernel.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return Spec{}, fmt.Errorf("client: %w", err)
	}
	var file struct {
		Argv          []string          `json:"argv"`
		Env           map[string]string `json:"env"`
		DisplayName   string            `json:"display_name"`
		Language      string            `json:"language"`
		InterruptMode string            `json:"interrupt_mode"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return Spec{}, fmt.Errorf("client: %s: %w", path, err)
	}
	spec := Spec{Name: filepath.Base(dir), Argv: file.Argv, Env: file.Env, DisplayName: file.DisplayName,
		Language: file.Language, InterruptMode: file.InterruptMode, Dir: dir}
	if err := spec.validate(); err != nil {
		return Spec{}, fmt.Errorf("%s: %w", path, err)
	}
	return spec, nil
}

// validate fills in what may be left out.
func (s *Spec) validate() error {
	if len(s.Argv) == 0 || s.Argv[0] == "" {
		return fmt.Errorf("%w: kernel %q has no command (argv)", ErrStart, s.Name)
	}
	switch s.InterruptMode {
	case "":
		s.InterruptMode = "signal"
	case "signal", "message":
	default:
		return fmt.Errorf("%w: interrupt_mode of kernel %q is %q, want signal or message", ErrStart, s.Name, s.InterruptMode)
	}
	return nil
}

// command returns the program and its arguments.
func (s *Spec) command(connectionFile string) []string {
	replace := strings.NewReplacer("{connection_file}", connectionFile, "{resource_dir}", s.Dir)
	argv := make([]string, len(s.Argv))
	for i, a := range s.Argv {
		argv[i] = replace.Replace(a)
	}
	return argv
}
