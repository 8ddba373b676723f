package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"eigenbook/nbkernel/notebook"
)

// TestNumericOnBothKernels runs the numerical programs as cells of one notebook, with our
// kernel and with GoNB, and compares what each cell writes with the compiled program.
func TestNumericOnBothKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("GoNB compiles every cell: it takes a minute")
	}
	var programs []*program
	for _, p := range readPrograms(t) {
		if strings.HasPrefix(p.name, "numeric/") {
			programs = append(programs, p)
		}
	}
	reference := compile(t, programs)
	bin := filepath.Join(t.TempDir(), "nbkernel")
	if out, err := exec.Command("go", "build", "-o", bin, "eigenbook/nbkernel").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, kernel := range []string{"eigenbook", "gonb"} {
		t.Run(kernel, func(t *testing.T) {
			nb := notebook.New()
			at := map[*notebook.Cell]*program{}
			for _, p := range programs {
				nb.Append(notebook.Code, "%reset")
				decls := strings.TrimPrefix(p.decls, "package main\n\n")
				at[nb.Append(notebook.Code, decls+"\n%%\n"+p.body)] = p
			}
			text, err := nb.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "numeric.ipynb")
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(bin, "exec", "-kernel", kernel, "-keep-going", "-inplace", file)
			cmd.Dir = "../.."
			log, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, log)
			}
			done, err := notebook.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range nb.Cells {
				p, ok := at[c]
				if !ok {
					continue
				}
				var stdout strings.Builder
				for _, o := range done.Cells[i].Outputs {
					if o.Type == notebook.Stream && o.Name == "stdout" {
						stdout.WriteString(o.Text)
					}
				}
				if want := reference(t, p).stdout; stdout.String() != want {
					t.Errorf("%s writes\n%s\nwant\n%s", p.name, stdout.String(), want)
				}
			}
		})
	}
}
