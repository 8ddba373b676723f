package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A page is a browser's only tab. Its methods fail the test if what they are asked to do
// cannot be done within their limit.
type page struct {
	t     *testing.T
	ctx   context.Context
	shots string // folder of the screenshots; "" keeps none
	taken int
}

// openBrowser starts chromium without a window. It ends with the test.
func openBrowser(t *testing.T) *page {
	t.Helper()
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath("chromium"), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
		chromedp.DisableGPU, chromedp.WindowSize(1100, 900), chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-background-networking", true),
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }),
	}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // chromium's sandbox refuses root
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ := chromedp.NewContext(allocator)
	p := &page{t: t, ctx: ctx, shots: os.Getenv("EIGENBOOK_SCREENSHOTS")}
	t.Cleanup(func() {
		limited, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		if err := chromedp.Cancel(limited); err != nil {
			t.Errorf("close the browser: %v", err)
		}
		stop()
	})
	// The browser lives as long as the context of its first use, which has no time limit.
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1100, 900)); err != nil {
		t.Fatalf("start chromium: %v", err)
	}
	return p
}

// of returns the page for a part of the test. If that fails, a picture is left.
func (p *page) of(t *testing.T) *page {
	part := *p
	part.t = t
	t.Cleanup(func() {
		if t.Failed() {
			part.keep()
		}
	})
	return &part
}

// do runs steps within ten seconds.
func (p *page) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
}

// wait lets the page ask itself until an expression is true.
func (p *page) wait(what string, limit time.Duration, expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, limit+5*time.Second)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Poll[bool]("!!("+expression+")",
		chromedp.WithPollingInterval(30*time.Millisecond), chromedp.WithPollingTimeout(limit)))
	if err != nil {
		p.t.Fatalf("%s: not within %v: %v", what, limit, err)
	}
}

// click waits until an element can be seen, and clicks on it.
func (p *page) click(selector string) {
	p.t.Helper()
	p.do("click on "+selector, chromedp.Click(chromedp.CSS(selector)))
}

// choose opens one of the menus at the top and clicks on its entry.
func (p *page) choose(menu, entry string) {
	p.t.Helper()
	p.click(menu)
	p.click(entry)
}

// press presses and releases a key that types nothing, with modifiers held. A real Enter
// types a line only if the page did not take the key; chromedp's own event would always.
func (p *page) press(key string, modifiers ...kb.Modifier) {
	p.t.Helper()
	p.do(fmt.Sprintf("press %q", key), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, r := range key {
			for _, event := range kb.Encode(r) {
				if event.Type == kb.KeyChar {
					continue
				}
				chromedp.KeyModifiers(modifiers...)(event)
				if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *event); err != nil {
					return err
				}
			}
		}
		return nil
	}))
}

// get evaluates an expression in the page.
func get[T any](p *page, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// shot keeps a picture of what a user sees now.
func (p *page) shot(name string) {
	p.t.Helper()
	p.taken++
	if p.shots == "" {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.MkdirAll(p.shots, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(p.shots, fmt.Sprintf("%s-%02d-%s.png", path.Base(p.t.Name()), p.taken, name)), picture, 0o644)
	}
	if err != nil {
		p.t.Errorf("screenshot %s: %v", name, err)
	}
}

// keep leaves a picture of a test that failed, where it can still be found afterwards.
func (p *page) keep() {
	if p.shots == "" {
		dir, err := os.MkdirTemp("", "eigenbook-browser-")
		if err != nil {
			p.t.Error(err)
			return
		}
		p.shots = dir
	}
	p.shot("failed")
	p.t.Logf("screenshots are in %s", p.shots)
}

// quote returns text as a string of JavaScript.
func quote(text string) string { return strings.ReplaceAll(strconv.QuoteToASCII(text), `\U`, `\u`) }
