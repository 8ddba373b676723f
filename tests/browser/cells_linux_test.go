package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// open goes to a notebook of the server and waits until its kernel has answered.
func (p *page) open(s *server, name string) {
	p.t.Helper()
	// A page that a failed part left with changes would ask whether it may be left.
	p.do("open "+name, chromedp.Evaluate[chromedp.Void]("window.onbeforeunload = null"), chromedp.Navigate(s.address(name)))
	p.wait("the notebook is there", 20*time.Second, "window.Jupyter && Jupyter.notebook && Jupyter.notebook._fully_loaded")
	p.wait("the kernel has said what it is", 20*time.Second,
		"Jupyter.notebook.kernel && Jupyter.notebook.kernel.is_connected() && Jupyter.notebook.kernel.info_reply.banner")
	p.idle(10 * time.Second)
}

// idle waits until no cell waits for its number and the kernel has said that it is idle.
func (p *page) idle(limit time.Duration) {
	p.t.Helper()
	p.wait("all cells are done", limit, `!Jupyter.notebook.kernel_busy &&
		!Jupyter.notebook.get_cells().some(c => c.input_prompt_number === '*')`)
}

// write adds a cell with this text at the end of the notebook and returns its number.
func (p *page) write(source string) int {
	p.t.Helper()
	i := get[int](p, `(() => {
		const n = Jupyter.notebook;
		n.command_mode();
		n.insert_cell_below('code', n.ncells() - 1);
		n.select(n.ncells() - 1);
		n.edit_mode();
		n.scroll_to_bottom();
		return n.ncells() - 1;
	})()`)
	p.insert(source)
	p.wait("the cell holds what was typed, indented its way", 5*time.Second, fmt.Sprintf(
		`Jupyter.notebook.get_cell(%d).get_text().replace(/\s/g, '') === %s.replace(/\s/g, '')`, i, quote(source)))
	return i
}

// insert puts text where the cursor is, as a paste does.
func (p *page) insert(text string) {
	p.t.Helper()
	p.do(fmt.Sprintf("insert %q", text), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}

// start writes a cell and runs it with Control-Enter.
func (p *page) start(source string) int {
	p.t.Helper()
	i := p.write(source)
	p.press(kb.Enter, kb.ModifierCtrl)
	p.wait("the cell was sent", 5*time.Second, fmt.Sprintf("Jupyter.notebook.get_cell(%d).input_prompt_number", i))
	return i
}

// run writes a cell, runs it, waits until it is done, and returns the text below it.
func (p *page) run(source string) string {
	p.t.Helper()
	i := p.start(source)
	p.idle(20 * time.Second)
	return p.output(i)
}

// output returns the text that is to be seen below a cell.
func (p *page) output(i int) string {
	p.t.Helper()
	return get[string](p, cellOutput(i)+".innerText")
}

func cellOutput(i int) string {
	return fmt.Sprintf("Jupyter.notebook.get_cell(%d).element.find('.output')[0]", i)
}
