package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"eigenbook/display"
	"eigenbook/nbkernel/nb"
	"eigenbook/nbkernel/symbols/gonbui"
)

// The test binary is also the child, with a language whose words are the faults and outputs
// that tests need.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "worker" {
		os.Exit(serve(language{
			start: func() (evaluator, error) { return &fake{values: map[string]string{}}, nil },
			parse: parseFake,
		}))
	}
	if len(os.Args) == 2 && os.Args[1] == "go" {
		os.Exit(Main())
	}
	os.Exit(m.Run())
}

// parseFake takes lines that begin with % or ! as special lines.
func parseFake(code string) (plan, *Failure) {
	p := plan{parse: -1}
	if name, rest, _ := strings.Cut(code, "\n"); strings.HasPrefix(name, "%%") {
		name, text, _ := strings.Cut(name, " ")
		p.magics = []magic{{name: name, text: text, body: rest, line: 1}}
		return p, nil
	}
	for i, line := range strings.Split(code, "\n") {
		switch {
		case strings.HasPrefix(line, "!"):
			p.magics = append(p.magics, magic{name: "!", text: line[1:], line: i + 1})
		case strings.HasPrefix(line, "%"):
			name, text, _ := strings.Cut(line[1:], " ")
			p.magics = append(p.magics, magic{name: name, text: text, line: i + 1})
			if name == "args" {
				p.args = strings.Fields(text)
			}
		default:
			p.source += line + "\n"
		}
	}
	return p, nil
}

// A fake is a session of the language of tests: one word and its arguments a line.
type fake struct {
	declarations []string
	values       map[string]string
	args         []string
}

func (f *fake) Run(ctx context.Context, source string, count int) (v evaluation, failure *Failure) {
	for i, line := range strings.Split(source, "\n") {
		word, arg, _ := strings.Cut(line, " ")
		if word == "" {
			continue
		}
		v = evaluation{}
		err := f.word(ctx, word, arg, &v)
		if err != nil {
			return v, &Failure{Name: "error", Value: err.Error(), Line: i + 1}
		}
	}
	return v, nil
}

func (f *fake) word(ctx context.Context, word, arg string, v *evaluation) error {
	n, _ := strconv.Atoi(arg)
	switch word {
	case "out":
		fmt.Println(arg)
	case "err":
		fmt.Fprintln(os.Stderr, arg)
	case "flood": // bytes of output without newline
		block := bytes.Repeat([]byte{'x'}, 1<<20)
		for ; n > 0; n -= len(block) {
			os.Stdout.Write(block[:min(n, len(block))])
		}
	case "lines":
		for i := range n {
			fmt.Println("line", i)
		}
	case "mix": // lines on both streams and displays, by turns that only the order of writes tells
		for i := range n {
			switch i * i % 7 {
			case 0, 4:
				fmt.Fprintln(os.Stderr, i)
			case 1:
				fmt.Println(i)
			default:
				display.Show(display.Markdown(strconv.Itoa(i)))
			}
		}
	case "binary":
		for i := range 256 {
			os.Stdout.Write([]byte{byte(i), 0, 0xff})
		}
	case "show":
		display.Show(display.Markdown(arg))
	case "comms": // answer what the page sends, and say so
		nb.OnComm("echo", func(c *nb.Comm, data any) {
			fmt.Println("open", data)
			c.OnMessage(func(data any) {
				if data == "panic" {
					panic(data)
				}
				c.Send(data)
			})
		})
	case "ask":
		line, err := nb.Input(arg)
		fmt.Printf("%q %v\n", line, err)
	case "clear":
		display.Clear(arg == "wait")
	case "gonbui":
		gonbui.UpdateHTML("id", arg)
	case "value":
		*v = evaluation{value: arg, hasValue: true}
	case "mute":
		*v = evaluation{value: arg, hasValue: true, mute: true}
	case "errorvalue":
		*v = evaluation{value: errors.New(arg), hasValue: true}
	case "fail":
		return errors.New(arg)
	case "declare":
		f.declarations = append(f.declarations, "declare "+arg)
	case "set":
		name, value, _ := strings.Cut(arg, " ")
		f.values[name] = value
	case "names":
		fmt.Println(f.declarations, len(f.values))
	case "args":
		fmt.Println(f.args)
	case "getenv":
		fmt.Println(os.Getenv(arg))
	case "getwd":
		dir, err := os.Getwd()
		fmt.Println(dir)
		return err
	case "panic":
		panic(arg)
	case "gopanic":
		go func() { panic(arg) }()
		select {}
	case "latepanic":
		time.AfterFunc(50*time.Millisecond, func() { panic(arg) })
	case "late":
		time.AfterFunc(50*time.Millisecond, func() { fmt.Println(arg) })
	case "exit":
		os.Exit(n)
	case "fatal": // concurrent use of a mutex that is not locked
		var mu sync.Mutex
		mu.Unlock()
	case "overflow":
		debug.SetMaxStack(4 << 20) // the default takes seconds to fill
		fmt.Println(deep(n))
	case "kill":
		syscall.Kill(os.Getpid(), syscall.Signal(n))
		select {}
	case "closestdout":
		os.Stdout.Close()
	case "closereports":
		syscall.Close(4)
		select {}
	case "wait": // until interrupted
		<-ctx.Done()
		return ctx.Err()
	case "hang":
		select {}
	case "sleep":
		time.Sleep(time.Duration(n) * time.Millisecond)
	case "orphan":
		cmd := exec.Command("sleep", "1000")
		cmd.Stdout = os.Stdout
		if err := cmd.Start(); err != nil {
			return err
		}
		fmt.Println(cmd.Process.Pid)
	case "read":
		var line string
		_, err := fmt.Scanln(&line)
		fmt.Printf("got %q %v\n", line, err)
	default:
		return fmt.Errorf("unknown word %q", word)
	}
	return nil
}

// deep overflows the stack of every machine.
func deep(n int) int {
	if n < 0 {
		return 0
	}
	return deep(n+1) + n
}

func (f *fake) SetArgs(args []string)  { f.args = args }
func (f *fake) HasFlags() bool         { return false }
func (f *fake) Declarations() []string { return f.declarations }
func (f *fake) Variables() (v []variable) {
	for _, name := range []string{"a", "b", "c"} {
		if value, ok := f.values[name]; ok {
			v = append(v, variable{name, "string " + value})
		}
	}
	return v
}

func (f *fake) Forget(name string) bool {
	_, ok := f.values[name]
	delete(f.values, name)
	return ok
}

func (f *fake) Complete(code string, cursor int) Completion {
	return Completion{Start: 0, End: cursor, Matches: []string{code[:cursor] + "x"}, Types: []string{"variable"}}
}
func (f *fake) Inspect(code string, cursor int) string { return strings.TrimSpace(code[:cursor]) }

// start starts a process that ends with the test.
func start(t testing.TB, cfg Config) *Process {
	t.Helper()
	p, err := Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// A record is what a cell gave.
type record struct {
	Outcome
	events []Event
}

// text returns the text of a stream.
func (r record) text(kind string) string {
	var b strings.Builder
	for _, e := range r.events {
		if e.Kind == kind {
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

// story returns the events in order, with texts of one kind joined.
func (r record) story() string {
	var parts []string
	last := ""
	for _, e := range r.events {
		switch {
		case e.Kind == last && e.Text != "":
			parts[len(parts)-1] += e.Text
		case e.Text != "":
			parts = append(parts, e.Kind+" "+e.Text)
		case e.Data["text/markdown"] != nil:
			parts = append(parts, fmt.Sprintf("%s %v", e.Kind, e.Data["text/markdown"]))
		case e.Data != nil:
			parts = append(parts, fmt.Sprintf("%s %v", e.Kind, e.Data["text/plain"]))
		default:
			parts = append(parts, e.Kind)
		}
		last = e.Kind
	}
	return strings.Join(parts, "|")
}

// runCell runs a cell and fails the test if that takes longer than a minute.
func runCell(t testing.TB, p *Process, code string) record {
	t.Helper()
	return runWith(t, p, context.Background(), code, ExecOptions{}, nil)
}

func runWith(t testing.TB, p *Process, ctx context.Context, code string, opts ExecOptions, also func(Event)) record {
	t.Helper()
	timer := time.AfterFunc(time.Minute, func() { panic("the cell hangs: " + code) })
	defer timer.Stop()
	var r record
	var err error
	r.Outcome, err = p.Execute(ctx, code, 1, opts, func(e Event) {
		r.events = append(r.events, e)
		if also != nil {
			also(e)
		}
	})
	if err != nil {
		t.Fatalf("Execute(%q): %v", code, err)
	}
	return r
}
