package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"eigenbook/lib/dataset"
	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
	"eigenbook/lib/ppca"

	"gonum.org/v1/gonum/mat"
)

// latent is the number of leading pairs in the fits, scikit-learn's n_components too.
const latent = 10

// A problem is one data set with an RBF kernel exp(−γ‖x−y‖²), γ = 1/(d·variance).
type problem struct {
	name  string
	n, d  int
	gamma float64
}

var problems = []problem{
	{"digits", 1797, 64, 0.0004},
	{"gaussian", 2000, 50, 0.02},
	{"gaussian", 5000, 50, 0.02},
}

// tasks lists what is measured. nbkernel is our program, dir a folder for files.
func tasks(nbkernel, dir string) []task {
	var list []task
	for _, p := range problems {
		list = append(list, task{
			group: "gram", name: "gram rbf " + p.name, n: p.n, d: p.d,
			ours:  ourServer("gram", p),
			peers: []peer{{"scikit-learn", peerServer("gram", p)}},
		})
	}
	for _, fit := range []string{"kpca", "ppca"} {
		for _, p := range problems {
			list = append(list, task{
				group: "kpca", name: fmt.Sprintf("%s rbf %s top %d", fit, p.name, latent), n: p.n, d: p.d,
				ours: ourServer(fit, p),
				peers: []peer{
					{"KernelPCA arpack", peerServer("arpack", p)},
					{"KernelPCA randomized", peerServer("randomized", p)},
				},
			})
		}
	}
	list = append(list, task{
		group: "kpca", name: fmt.Sprintf("ppca rbf gaussian top %d", latent), n: 10000, d: 50,
		ours: ourServer("ppca", problem{"gaussian", 10000, 50, 0.02}),
	})
	list = append(list, task{
		group: "startup", name: "startup to first line",
		ours:  startProgram(nbkernel, "run", "-e", "fmt.Println(1)"),
		peers: []peer{{"python3 import numpy", startProgram(python(), "-c", "import numpy; print(1)")}},
	})
	list = append(list, kernelTasks(nbkernel, dir)...)
	return list
}

func ourServer(task string, p problem) func() (contestant, error) {
	return func() (contestant, error) {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		return startServer(self, "-serve", fmt.Sprintf("%s %s %d %d %g", task, p.name, p.n, p.d, p.gamma))
	}
}

func peerServer(task string, p problem) func() (contestant, error) {
	return func() (contestant, error) {
		return startServer(python(), "-c", peerProgram, task, strconv.Itoa(p.n), strconv.Itoa(p.d), fmt.Sprint(p.gamma))
	}
}

// serveTask is our side of a comparison: peer.py in Go.
func serveTask(spec string, in io.Reader, out io.Writer) error {
	var task string
	var p problem
	if _, err := fmt.Sscanf(spec, "%s %s %d %d %g", &task, &p.name, &p.n, &p.d, &p.gamma); err != nil {
		return fmt.Errorf("task %q: %w", spec, err)
	}
	x := dataset.Digits().X
	if p.name != "digits" {
		var err error
		if x, err = dataset.GaussianMatrix(p.n, p.d, 1); err != nil {
			return err
		}
	}
	run, err := libraryTask(task, x, kernel.RBFGamma(p.gamma))
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "ready")
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		answer := 0.0
		if lines.Text() == "run" {
			start := time.Now()
			if err := run(); err != nil {
				return err
			}
			answer = time.Since(start).Seconds()
		} else if answer, err = peakMB(); err != nil {
			return err
		}
		fmt.Fprintln(out, answer)
	}
	return lines.Err()
}

func libraryTask(task string, x *mat.Dense, k kernel.Kernel) (func() error, error) {
	ctx := context.Background()
	switch task {
	case "gram":
		return func() error { _, err := gram.Compute(ctx, k, x); return err }, nil
	case "kpca":
		return func() error { _, err := kpca.Fit(ctx, x, k, kpca.Config{Latent: latent}); return err }, nil
	case "ppca":
		return func() error { _, err := ppca.FitDual(ctx, x, k, ppca.Config{Latent: latent}); return err }, nil
	}
	return nil, fmt.Errorf("no task %q", task)
}

// build builds the program from the module this command is run in.
func build(to string) error {
	cmd := exec.Command("go", "build", "-o", to, "eigenbook/nbkernel")
	if text, err := cmd.CombinedOutput(); err != nil {
		return errors.Join(err, errors.New(string(text)))
	}
	return nil
}
