package command

import (
	"bytes"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestLogo(t *testing.T) {
	for _, side := range []int{32, 64} {
		data, err := logoPNG(side)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil || img.Bounds().Dx() != side || img.Bounds().Dy() != side {
			t.Fatalf("%v, %v", img.Bounds(), err)
		}
		if _, _, _, a := img.At(0, 0).RGBA(); a != 0 {
			t.Error("the corner is not transparent")
		}
		if r, _, _, _ := img.At(side/2, side/2).RGBA(); r < 0xf000 {
			t.Error("the middle is not on the letter")
		}
	}
}

func TestPlaces(t *testing.T) {
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("CONDA_PREFIX", "/opt/conda")
	t.Setenv("JUPYTER_DATA_DIR", "/data/jupyter")
	for _, tc := range []struct {
		p    places
		want string
	}{
		{places{}, "/data/jupyter/kernels"},
		{places{user: true}, "/data/jupyter/kernels"},
		{places{prefix: "/p"}, "/p/share/jupyter/kernels"},
		{places{sysPrefix: true}, "/opt/conda/share/jupyter/kernels"},
	} {
		if got, err := tc.p.folder(nil); err != nil || got != filepath.FromSlash(tc.want) {
			t.Errorf("%+v: %q, %v; want %q", tc.p, got, err, tc.want)
		}
	}
	t.Setenv("CONDA_PREFIX", "")
	if _, err := (&places{sysPrefix: true}).folder(nil); err == nil {
		t.Error("-sys-prefix without an environment is no error")
	}
}

func TestProgramsOfGoRunVanish(t *testing.T) {
	t.Setenv("GOCACHE", "/cache/go")
	for program, want := range map[string]bool{
		"/tmp/go-build1/b001/exe/nbkernel":                 true,
		"/home/a/.cache/go-build/ab/abcdef-d/nbkernel":     true,
		"/cache/go/ab/abcdef-d/nbkernel":                   true,
		filepath.Join(os.TempDir(), "nbkernel"):            true,
		"/home/a/go/bin/nbkernel":                          false,
		"/usr/local/bin/nbkernel":                          false,
		filepath.Join(os.TempDir()+"-not", "bin/nbkernel"): false,
	} {
		if got := vanishes(program); got != want {
			t.Errorf("vanishes(%s) = %v", program, got)
		}
	}
}

func TestGoWrapper(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("GoNB does not run on Windows")
	}
	dir := t.TempDir()
	// A Go tool that knows all imports if the file "resolved" is there.
	tool := filepath.Join(dir, "it's go")
	script := "#!/bin/sh\nif [ \"$1\" = list ]; then test -e '" + dir + "/resolved'; exit; fi\necho real \"$@\"\n"
	if err := os.WriteFile(tool, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	wrapper := filepath.Join(dir, "go")
	if err := os.WriteFile(wrapper, []byte(goWrapper(tool)), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		resolved bool
		args     string
		want     string
	}{
		{false, "get", "real get\n"},
		{false, "build -o x", "real build -o x\n"},
		{true, "get", ""},
		{true, "get -t", ""},
		{true, "build", "real build\n"},
	} {
		if tc.resolved {
			if err := os.WriteFile(filepath.Join(dir, "resolved"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := exec.Command(wrapper, strings.Fields(tc.args)...).Output()
		if err != nil || string(got) != tc.want {
			t.Errorf("resolved %v, go %s: %q, %v; want %q", tc.resolved, tc.args, got, err, tc.want)
		}
	}
}

func TestModuleRoot(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "clone", "notebooks")
	other := filepath.Join(dir, "clone", "other", "x")
	for _, d := range []string{inside, other} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "clone", "go.mod"), "// comment\nmodule eigenbook\n\ngo 1.26\n")
	write(filepath.Join(dir, "clone", "other", "go.mod"), "module other\n")
	t.Chdir(dir)
	for _, d := range []string{inside, other} {
		if got, err := moduleRoot(d); err != nil || got != filepath.Join(dir, "clone") {
			t.Errorf("moduleRoot(%s) = %q, %v", d, got, err)
		}
	}
	if got, err := moduleRoot(dir); err == nil {
		t.Errorf("a folder outside of a clone has the root %q", got)
	}
}

func TestUninstallRemovesOnlyOurs(t *testing.T) {
	prefix := t.TempDir()
	kernels := filepath.Join(prefix, "share", "jupyter", "kernels")
	for _, name := range []string{"eigenbook", "eigenbook-gonb", "python3"} {
		if err := os.MkdirAll(filepath.Join(kernels, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(kernels, name, "kernel.json"), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, out, stderr := nbkernel("uninstall", "-prefix", prefix)
	if code != ExitDone || strings.Count(out, "removed") != 2 {
		t.Errorf("exit code %d, %q, %q", code, out, stderr)
	}
	entries, err := os.ReadDir(kernels)
	if err != nil || len(entries) != 1 || entries[0].Name() != "python3" {
		t.Errorf("left are %v, %v", entries, err)
	}
	if code, out, _ := nbkernel("uninstall", "-prefix", prefix); code != ExitDone || !strings.Contains(out, "no kernel of ours") {
		t.Errorf("a second time: exit code %d, %q", code, out)
	}
}

// Without HOME, without programs and without kernels there is nothing broken.
func TestDoctorInAnEmptyEnvironment(t *testing.T) {
	for _, name := range []string{"HOME", "PATH", "XDG_CACHE_HOME", "XDG_DATA_HOME", "EIGENBOOK_DATA", "JUPYTER_PATH", "JUPYTER_DATA_DIR"} {
		t.Setenv(name, "")
	}
	code, out, stderr := nbkernel("doctor")
	if code != ExitDone || !strings.Contains(out, "– cache") || stderr != "" {
		t.Errorf("exit code %d, stderr %q:\n%s", code, stderr, out)
	}
}
