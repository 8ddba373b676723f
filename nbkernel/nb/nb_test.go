package nb_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"eigenbook/nbkernel/nb"
)

func TestParam(t *testing.T) {
	t.Setenv(nb.ParamsEnv, `{"q":"5","gamma":"0.25","name":"digits","plot":"TRUE","n":1000,"ok":false}`)
	if got := nb.ParamInt("q", 2); got != 5 {
		t.Errorf("q = %d, want 5", got)
	}
	if got := nb.ParamInt("n", 2); got != 1000 {
		t.Errorf("n = %d, want 1000 from a JSON number", got)
	}
	if got := nb.ParamFloat("gamma", 2); got != 0.25 {
		t.Errorf("gamma = %g, want 0.25", got)
	}
	if got := nb.ParamString("name", "toy"); got != "digits" {
		t.Errorf("name = %q, want digits", got)
	}
	if !nb.ParamBool("plot", false) || nb.ParamBool("ok", true) {
		t.Error("plot, ok: want true, false")
	}
	if nb.ParamInt("x", 7) != 7 || nb.ParamFloat("x", 7.5) != 7.5 || nb.ParamString("x", "d") != "d" || !nb.ParamBool("x", true) {
		t.Error("a parameter that was not given does not have its default")
	}
	if err := os.Unsetenv(nb.ParamsEnv); err != nil {
		t.Fatal(err)
	}
	if got := nb.ParamInt("q", 2); got != 2 {
		t.Errorf("without the variable q = %d, want 2", got)
	}
}

func TestParamRefused(t *testing.T) {
	for _, tc := range []struct {
		params string
		read   func()
		want   string
	}{
		{`{"q":"five"}`, func() { nb.ParamInt("q", 2) }, `q is "five", want an integer such as 2`},
		{`{"q":"2.5"}`, func() { nb.ParamInt("q", 2) }, `q is "2.5"`},
		{`{"g":"x"}`, func() { nb.ParamFloat("g", 0.5) }, `g is "x", want a number such as 0.5`},
		{`{"b":"yes"}`, func() { nb.ParamBool("b", true) }, `b is "yes", want true or false`},
		{`{"q":[1]}`, func() { nb.ParamInt("q", 2) }, `q is [1]`},
		{`{"q":null}`, func() { nb.ParamInt("q", 2) }, `q is null`},
		{`q=5`, func() { nb.ParamInt("q", 2) }, `EIGENBOOK_PARAMS is "q=5"`},
	} {
		t.Run(tc.params, func(t *testing.T) {
			t.Setenv(nb.ParamsEnv, tc.params)
			defer func() {
				err, _ := recover().(error)
				if !errors.Is(err, nb.ErrParameter) || !strings.Contains(fmt.Sprint(err), tc.want) {
					t.Errorf("panic value %v, want an ErrParameter with %q", err, tc.want)
				}
			}()
			tc.read()
			t.Error("no panic")
		})
	}
}

func TestCached(t *testing.T) {
	t.Cleanup(func() { nb.Forget() })
	var calls atomic.Int32
	compute := func() any { calls.Add(1); time.Sleep(time.Millisecond); return calls.Load() }
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if v := nb.Cached("k", compute); v != int32(1) {
				t.Errorf("Cached = %v, want the first value 1", v)
			}
		})
	}
	wg.Wait()
	if v := nb.Cached("other", compute); v != int32(2) {
		t.Errorf("another key = %v, want a new value 2", v)
	}
	nb.Forget("k")
	if v := nb.Cached("k", compute); v != int32(3) {
		t.Errorf("after Forget = %v, want a new value 3", v)
	}
	if v := nb.Cached("other", compute); v != int32(2) {
		t.Errorf("Forget of one key touched another: %v, want 2", v)
	}
}

func TestCachedPanicStoresNothing(t *testing.T) {
	t.Cleanup(func() { nb.Forget() })
	func() {
		defer func() { _ = recover() }()
		nb.Cached("p", func() any { panic("first") })
	}()
	if v := nb.Cached("p", func() any { return "second" }); v != "second" {
		t.Errorf("Cached = %v, want second", v)
	}
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	nb.SetContext(ctx)
	//lint:ignore SA1012 nil restores the default
	t.Cleanup(func() { nb.SetContext(nil) })
	if nb.Context() != ctx {
		t.Error("Context is not the one that was set")
	}
	cancel()
	if nb.Context().Err() == nil {
		t.Error("Context does not end with the cell")
	}
	//lint:ignore SA1012 nil restores the default
	nb.SetContext(nil)
	if err := nb.Context().Err(); err != nil {
		t.Errorf("default context: %v", err)
	}
}
