package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"eigenbook/nbkernel/client"
)

// A notebook is a kernel and the cells that it is measured with.
type notebook struct {
	name  string
	spec  client.Spec
	few   bool   // compiles every cell: fewer of them have to do
	first string // defines x
	cell  string // changes x
	lines string // prints 20,000 lines
	loop  string // prints a line and never ends
	build func() error
}

// notebooks returns ours and its peers. nbkernel is our program, dir a folder for files.
func notebooks(nbkernel, dir string) (ours notebook, peers []notebook) {
	const goLines, goLoop = "for i := 0; i < 20000; i++ {\n\tfmt.Println(\"line\", i)\n}", "fmt.Println(1)\nfor {\n}"
	ours = notebook{name: "eigenbook", spec: client.Spec{Name: "eigenbook", Language: "go", InterruptMode: "message",
		Argv: []string{nbkernel, "kernel", "-f", "{connection_file}"}},
		first: "x := 0", cell: "x = x + 1", lines: goLines, loop: goLoop}
	ipykernel := notebook{name: "ipykernel", spec: client.Spec{Name: "python3", Language: "python", InterruptMode: "signal",
		Argv: []string{python(), "-m", "ipykernel_launcher", "-f", "{connection_file}"}},
		first: "x = 0", cell: "x = x + 1", lines: "for i in range(20000): print('line', i)", loop: "print(1)\nwhile True: pass"}
	gonb := notebook{name: "GoNB", few: true, spec: client.Spec{Name: "gonb", Language: "go", InterruptMode: "message",
		Env:  map[string]string{"PATH": dir + string(filepath.ListSeparator) + os.Getenv("PATH")},
		Argv: []string{filepath.Join(dir, "gonb"), "--kernel", "{connection_file}", "-raw_error=true"}},
		first: "%noautoget\nvar x = 0", cell: "%%\nx = x + 1", lines: "%%\n" + goLines, loop: "%%\n" + goLoop,
		build: sync.OnceValue(func() error {
			// As `nbkernel exec -kernel gonb` does: from this module.
			build := exec.Command("go", "build", "-o", dir+string(filepath.Separator),
				"github.com/janpfeifer/gonb", "golang.org/x/tools/cmd/goimports")
			if text, err := build.CombinedOutput(); err != nil {
				return fmt.Errorf("%w: %s", err, text)
			}
			return nil
		})}
	return ours, []notebook{ipykernel, gonb}
}

// kernelTasks lists what is measured of a running kernel, as its client sees it.
func kernelTasks(nbkernel, dir string) []task {
	ours, peers := notebooks(nbkernel, dir)
	var list []task
	for _, m := range []struct {
		name string
		open func(notebook) func() (contestant, error)
	}{
		{"start to ready (MB: idle)", openStarts},
		{"median of 1000 cells (MB: grown)", openCells(0.5)},
		{"99th percentile of 1000 cells", openCells(0.99)},
		{"20000 lines", openOnce(notebook.printLines)},
		{"interrupt to reply", openOnce(notebook.interrupt)},
	} {
		t := task{group: "kernel", name: m.name, ours: m.open(ours)}
		for _, p := range peers {
			t.peers = append(t.peers, peer{p.name, m.open(p)})
		}
		list = append(list, t)
	}
	return list
}

func (n notebook) start() (*client.Client, error) {
	if n.build != nil {
		if err := n.build(); err != nil {
			return nil, err
		}
	}
	return client.Start(context.Background(), n.spec, client.Options{GoNB: n.few})
}

// execute runs a cell that must not fail.
func execute(c *client.Client, code string, emit func(client.Output)) error {
	reply, err := c.Execute(context.Background(), code, client.ExecOptions{}, emit)
	if err == nil && reply.Status != client.OK {
		err = fmt.Errorf("cell %q: %s: %s", code, reply.EName, reply.EValue)
	}
	return err
}

// starts measures the time to the first answer, and the memory of an idle kernel.
type starts struct {
	notebook
	idle float64
}

func openStarts(n notebook) func() (contestant, error) {
	return func() (contestant, error) {
		s := &starts{notebook: n}
		_, err := s.Run()
		return s, err
	}
}

func (s *starts) Run() (float64, error) {
	begin := time.Now()
	c, err := s.start()
	if err != nil {
		return 0, err
	}
	defer c.Close()
	seconds := time.Since(begin).Seconds()
	if err := execute(c, s.first, nil); err != nil {
		return 0, err
	}
	time.Sleep(pause)
	s.idle, err = treeMB(c.PID(), "VmRSS:")
	return seconds, err
}

func (s *starts) PeakMB() (float64, error) { return s.idle, nil }
func (s *starts) Close()                   {}

// cells measures cells one after the other, and what they add to the memory.
type cells struct {
	notebook
	c        *client.Client
	quantile float64
	before   float64 // MB
}

func openCells(quantile float64) func(notebook) func() (contestant, error) {
	return func(n notebook) func() (contestant, error) {
		return func() (contestant, error) {
			c, err := n.start()
			if err != nil {
				return nil, err
			}
			k := &cells{notebook: n, c: c, quantile: quantile}
			for _, code := range []string{n.first, n.cell, n.cell} {
				if err == nil {
					err = execute(c, code, nil)
				}
			}
			if err == nil {
				k.before, err = treeMB(c.PID(), "VmRSS:")
			}
			if err != nil {
				c.Close()
				return nil, err
			}
			return k, nil
		}
	}
}

func (k *cells) Run() (float64, error) {
	times := make([]float64, 1000)
	if k.few {
		times = times[:5]
	}
	for i := range times {
		begin := time.Now()
		if err := execute(k.c, k.cell, nil); err != nil {
			return 0, err
		}
		times[i] = time.Since(begin).Seconds()
	}
	slices.Sort(times)
	return times[min(len(times)-1, int(k.quantile*float64(len(times))))], nil
}

func (k *cells) PeakMB() (float64, error) {
	now, err := treeMB(k.c.PID(), "VmRSS:")
	return now - k.before, err
}

func (k *cells) Close() { k.c.Close() }

// once measures one thing a run.
type once struct {
	notebook
	c   *client.Client
	run func(notebook, *client.Client) (float64, error)
}

func openOnce(run func(notebook, *client.Client) (float64, error)) func(notebook) func() (contestant, error) {
	return func(n notebook) func() (contestant, error) {
		return func() (contestant, error) {
			c, err := n.start()
			if err != nil {
				return nil, err
			}
			return &once{n, c, run}, nil
		}
	}
}

func (o *once) Run() (float64, error)    { return o.run(o.notebook, o.c) }
func (o *once) PeakMB() (float64, error) { return treeMB(o.c.PID(), "VmHWM:") }
func (o *once) Close()                   { o.c.Close() }

// printLines runs a cell of 20,000 lines, of which none may be missing.
func (n notebook) printLines(c *client.Client) (float64, error) {
	size := 0
	begin := time.Now()
	err := execute(c, n.lines, func(o client.Output) { size += len(o.Text) })
	seconds := time.Since(begin).Seconds()
	const want = 20000*len("line \n") + 10 + 2*90 + 3*900 + 4*9000 + 5*10000
	if err == nil && size != want {
		err = fmt.Errorf("%s: 20000 lines came as %d bytes, want %d", n.name, size, want)
	}
	return seconds, err
}

// interrupt stops an endless loop and measures until the cell has ended.
func (n notebook) interrupt(c *client.Client) (float64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var begin time.Time
	asked := make(chan error, 1)
	_, err := c.Execute(ctx, n.loop, client.ExecOptions{}, func(o client.Output) {
		if begin.IsZero() && o.Type == client.Stream {
			begin = time.Now()
			go func() { asked <- c.Interrupt(ctx) }()
		}
	})
	seconds := time.Since(begin).Seconds()
	if err == nil {
		err = <-asked
	}
	return seconds, err
}
