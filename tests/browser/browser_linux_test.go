package browser

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// installed skips the test if a program is not on this machine, except where everything has
// to run.
func installed(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not installed", name)
		}
		t.Skipf("%s is not installed (a Debian package of this name): no real front end was tried", name)
	}
}

// TestFrontEnd opens notebooks in one browser on one server.
func TestFrontEnd(t *testing.T) {
	installed(t, "chromium", "jupyter-notebook")
	adopt(t)
	s := startServer(t)
	p := openBrowser(t)
	for _, tc := range []struct {
		name string
		text func() ([]byte, error)
		use  func(*page)
	}{
		{"tour", func() ([]byte, error) { return os.ReadFile(filepath.FromSlash(root + "/notebooks/00-tour.ipynb")) }, tour},
		{"outputs", func() ([]byte, error) { return []byte(emptyNotebook), nil }, outputs},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text, err := tc.text()
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(s.dir, tc.name+".ipynb"), text, 0o644); err != nil {
				t.Fatal(err)
			}
			p := p.of(t)
			p.open(s, tc.name+".ipynb")
			p.shot("opened")
			tc.use(p)
			p.save()
			if saved, err := os.ReadFile(filepath.Join(s.dir, tc.name+".ipynb")); err != nil || !bytes.Contains(saved, []byte(`"execution_count": 1,`)) {
				t.Errorf("the saved notebook has no cell with the number 1 (%v)", err)
			}
		})
	}
}

// tour does what a newcomer does with the first notebook.
func tour(p *page) {
	p.runAll()
	p.indent()
	p.complete()
	p.readTooltip()
	p.interrupt()
	p.restart()
}

// save saves the notebook through the toolbar.
func (p *page) save() {
	p.t.Helper()
	p.click("button[data-jupyter-action='jupyter-notebook:save-notebook']")
	p.wait("the notebook is saved", 10*time.Second, "!Jupyter.notebook.dirty")
}

// runAll runs the notebook through the menu, after its stored outputs were cleared.
func (p *page) runAll() {
	p.t.Helper()
	p.do("clear all outputs", chromedp.Evaluate[chromedp.Void]("Jupyter.notebook.clear_all_output()"))
	if n := get[int](p, "document.querySelectorAll('.output img').length"); n != 0 {
		p.t.Fatalf("%d figures are left after the outputs were cleared", n)
	}
	p.choose("#celllink", "#run_all_cells a")
	p.wait("every cell has its number", 60*time.Second, `Jupyter.notebook.get_cells().every(
		c => c.cell_type !== 'code' || typeof c.input_prompt_number === 'number')`)
	p.idle(10 * time.Second)
	p.wait("figures are drawn", 5*time.Second, "[...document.querySelectorAll('.output img')].every(i => i.complete)")

	type figure struct{ Width, Height, Natural, Room float64 }
	figures := get[[]figure](p, `[...document.querySelectorAll('.output img')].map(i => ({
		Width: i.clientWidth, Height: i.clientHeight, Natural: i.naturalWidth, Room: i.closest('.output_subarea').clientWidth}))`)
	if len(figures) < 7 {
		p.t.Errorf("%d figures, want at least 7", len(figures))
	}
	for i, f := range figures {
		if f.Natural == 0 || f.Width < 100 || f.Height < 50 || f.Width > f.Room {
			p.t.Errorf("figure %d is %v×%v of a picture %v wide in a column of %v", i, f.Width, f.Height, f.Natural, f.Room)
		}
	}
	if errors := get[[]string](p, "[...document.querySelectorAll('.output_error, .output_stderr')].map(e => e.innerText)"); len(errors) != 0 {
		p.t.Errorf("the tour fails: %q", errors)
	}
	if n := get[int](p, "$('.output_stdout').text().split('✓').length - 1"); n < 5 {
		p.t.Errorf("%d claims are checked in what can be seen, want at least 5", n)
	}
	for i := range get[int](p, "document.querySelectorAll('.output img').length") {
		p.do("scroll to a figure", chromedp.Evaluate[chromedp.Void](
			fmt.Sprintf("document.querySelectorAll('.output img')[%d].scrollIntoView({block: 'center', behavior: 'instant'})", i)))
		p.shot(fmt.Sprintf("figure-%d", i))
	}
}

// indent starts a new line within a block, which the editor indents as gofmt does, and looks
// for the arrows that it draws for tabs.
func (p *page) indent() {
	p.t.Helper()
	i := p.write("for range 3 {")
	p.press(kb.Enter)
	p.wait("a line with a tab", 5*time.Second, fmt.Sprintf("Jupyter.notebook.get_cell(%d).get_text().startsWith('for range 3 {\\n\\t')", i))
	for _, style := range get[[]string](p, "[...document.querySelectorAll('.cm-tab')].map(e => getComputedStyle(e).backgroundImage)") {
		if style != "none" {
			p.t.Fatalf("a tab is drawn as %.40s", style)
		}
	}
}

// complete lets Tab offer names, takes one that is not the first, and lets Tab finish a name
// that only one continues.
func (p *page) complete() {
	p.t.Helper()
	i := p.write("display.S")
	p.press(kb.Tab)
	p.wait("a menu of names", 5*time.Second, "document.querySelectorAll('#complete option').length > 1")
	p.shot("completion")
	names := get[[]string](p, "[...document.querySelectorAll('#complete option')].map(o => o.textContent)")
	at := slices.Index(names, "Spectrum")
	if at < 1 {
		p.t.Fatalf("display.S offers %q, want Spectrum among them", names)
	}
	for range at {
		p.press(kb.ArrowDown)
	}
	p.press(kb.Enter)
	p.wait("the name is in the cell", 5*time.Second, fmt.Sprintf("Jupyter.notebook.get_cell(%d).get_text() === 'display.Spectrum'", i))

	i = p.write("digits.Lab")
	p.press(kb.Tab)
	p.wait("Tab finishes the only name there is", 5*time.Second, fmt.Sprintf("Jupyter.notebook.get_cell(%d).get_text() === 'digits.Labels'", i))
}

// readTooltip asks for a function of the library with Shift-Tab.
func (p *page) readTooltip() {
	p.t.Helper()
	p.write("ppca.FitDual")
	p.press(kb.Tab, kb.ModifierShift)
	p.wait("a tooltip", 5*time.Second, `$('#tooltip').is(':visible') && $('#tooltip').css('opacity') === '1' &&
		$('#tooltip .tooltiptext').text() !== ''`)
	p.shot("tooltip")
	text := get[string](p, "$('#tooltip .tooltiptext').text()")
	for _, want := range []string{"func ppca.FitDual(ctx context.Context, ", "*ppca.DualModel, error)", "\n\nFitDual returns", "N×d"} {
		if !strings.Contains(text, want) {
			p.t.Errorf("the tooltip lacks %q:\n%s", want, text)
		}
	}
	p.press(kb.Tab, kb.ModifierShift)
	p.wait("a larger tooltip", 5*time.Second, "$('#tooltip .tooltiptext').hasClass('bigtooltip') && !$('#tooltip, #tooltip *').is(':animated')")
	p.shot("tooltip-twice")
	p.press(kb.Escape)
	p.wait("no tooltip", 5*time.Second, "!$('#tooltip').is(':visible')")
}

// interrupt ends endless loops through the menu and through the toolbar. What was assigned
// before stays.
func (p *page) interrupt() {
	p.t.Helper()
	for _, by := range []struct {
		name string
		stop func()
	}{
		{"menu", func() { p.choose("#kernellink", "#int_kernel a") }},
		{"toolbar", func() { p.click("button[data-jupyter-action='jupyter-notebook:interrupt-kernel']") }},
	} {
		i := p.start("rounds := 0\nfmt.Println(\"running\")\nfor {\n\trounds++\n}")
		p.wait("the loop runs", 5*time.Second, cellOutput(i)+".innerText.includes('running')")
		began := time.Now()
		by.stop()
		p.wait("the interrupted cell says so", 5*time.Second, cellOutput(i)+".innerText.includes('interrupt')")
		p.idle(5 * time.Second)
		p.t.Logf("interrupted through the %s: done after %v", by.name, time.Since(began).Round(time.Millisecond))
		p.shot("interrupted-by-" + by.name)
		if text := p.run("fmt.Println(rounds > 1000, len(digits.Labels))"); strings.TrimSpace(text) != "true 600" {
			p.t.Errorf("after an interrupt through the %s values are %q, want \"true 600\"", by.name, text)
		}
	}
}

// restart starts the kernel anew through the menu: it answers, and the values are gone.
func (p *page) restart() {
	p.t.Helper()
	p.choose("#kernellink", "#restart_kernel a")
	p.wait("the question whether to restart", 5*time.Second, "$('.modal-dialog .btn-danger').is(':visible')")
	p.click(".modal-dialog .btn-danger")
	p.wait("the dialog is gone", 5*time.Second, "document.querySelector('.modal-backdrop') === null")
	p.wait("the kernel is back", 15*time.Second, "Jupyter.notebook.kernel.is_connected() && !Jupyter.notebook.kernel_busy")
	if text := p.run(`fmt.Println("again", 6*7)`); strings.TrimSpace(text) != "again 42" {
		p.t.Errorf("a cell after the restart shows %q, want \"again 42\"", text)
	}
	if text := p.run("digits.Labels"); !strings.Contains(text, "undefined: digits") {
		p.t.Errorf("a value from before the restart shows %q", text)
	}
	p.shot("restarted")
}
