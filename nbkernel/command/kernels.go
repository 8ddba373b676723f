package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"eigenbook/nbkernel/client"
)

// The names of the kernels that need not be installed.
const (
	defaultKernel = "eigenbook"
	gonbKernel    = "gonb"
)

// A kernelChoice is a kernel and how to talk to it.
type kernelChoice struct {
	spec    client.Spec
	options client.Options
	first   string // a cell that runs before all others, silently
}

// prepare runs the first cell.
func (k kernelChoice) prepare(ctx context.Context, c *client.Client) error {
	if k.first == "" {
		return nil
	}
	reply, err := c.Execute(ctx, k.first, client.ExecOptions{Silent: true, NoHistory: true}, nil)
	if err == nil && reply.Status != client.OK {
		err = errors.New(reply.EName + ": " + reply.EValue)
	}
	if err != nil {
		return fmt.Errorf("the kernel %s refused %q: %w", k.spec.Name, k.first, err)
	}
	return nil
}

// findKernel returns the kernel of the given name. Dir is where the module's source is looked
// for if the kernel has to be built from it; w receives what a build says.
func findKernel(ctx context.Context, name, dir string, w io.Writer) (kernelChoice, error) {
	switch name {
	case defaultKernel:
		self, err := os.Executable()
		if err != nil {
			return kernelChoice{}, fmt.Errorf("this program does not find itself: %w", err)
		}
		return kernelChoice{spec: eigenbookSpec(self)}, nil
	case gonbKernel:
		root, err := moduleRoot(dir)
		if err != nil {
			return kernelChoice{}, err
		}
		bin, err := buildGoNB(ctx, root, w)
		if err != nil {
			return kernelChoice{}, err
		}
		return kernelChoice{spec: gonbSpec(bin, root), options: client.Options{GoNB: true}, first: "%noautoget"}, nil
	}
	spec, err := client.FindSpec(name)
	if err != nil && !errors.Is(err, client.ErrNoSpec) {
		return kernelChoice{}, err
	}
	if err != nil {
		var known []string
		for _, s := range client.ListSpecs() {
			known = append(known, s.Name)
		}
		return kernelChoice{}, fmt.Errorf("there is no kernel %q; always there: %s, %s; installed: %s", name, defaultKernel, gonbKernel, orNone(known))
	}
	k := kernelChoice{spec: spec}
	if len(spec.Argv) > 0 && strings.TrimSuffix(filepath.Base(spec.Argv[0]), ".exe") == "gonb" {
		k.options.GoNB = true
	}
	return k, nil
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// eigenbookSpec describes this program's kernel, run from the given binary.
func eigenbookSpec(binary string) client.Spec {
	return client.Spec{
		Name:          defaultKernel,
		Argv:          []string{binary, "kernel", "-f", "{connection_file}"},
		DisplayName:   "Go (Eigenbook)",
		Language:      "go",
		InterruptMode: "message",
	}
}
