package kernel

import (
	"reflect"
	"strings"
	"testing"
)

func TestComms(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	send := func(kind, id, target string, data any) []string {
		t.Helper()
		return f.outputs(f.send(f.shell, kind, map[string]any{"comm_id": id, "target_name": target, "data": data}))
	}
	info := func(target string) any {
		t.Helper()
		reply, _ := f.request("comm_info_request", map[string]any{"target_name": target})
		return reply["comms"]
	}
	wantOutputs(t, send("comm_open", "1", "jupyter.widget", map[string]any{}), "comm_close 1 map[]")
	wantOutputs(t, send("comm_msg", "1", "", map[string]any{})) // it is closed
	if got := info(""); !reflect.DeepEqual(got, map[string]any{}) {
		t.Errorf("open comms %v, want none", got)
	}

	wantOutputs(t, send("comm_open", "2", "echo", 1), "stdout comm_open\n")
	wantOutputs(t, send("comm_msg", "2", "", []int{7}), "comm_msg 2 [7]", "stdout comm_msg\n")
	_, outputs := f.request("execute_request", code("comm comm_open 3"))
	wantOutputs(t, outputs, "in[1] comm comm_open 3", "comm_open 3 [1]")
	target := func(name string) map[string]any { return map[string]any{"target_name": name} }
	if got, want := info(""), (map[string]any{"2": target("echo"), "3": target("page")}); !reflect.DeepEqual(got, any(want)) {
		t.Errorf("open comms %v, want %v", got, want)
	}
	if got, want := info("page"), (map[string]any{"3": target("page")}); !reflect.DeepEqual(got, any(want)) {
		t.Errorf("open comms to page %v, want %v", got, want)
	}
	wantOutputs(t, send("comm_open", "2", "echo", 1)) // it is open
	wantOutputs(t, send("comm_open", "", "echo", 1))  // it has no name
	wantOutputs(t, send("comm_close", "2", "", map[string]any{}), "stdout comm_close\n")
	wantOutputs(t, send("comm_msg", "2", "", []int{7}))
	for _, want := range []string{`"2" is open`, "comm_id is missing"} {
		if !strings.Contains(f.log.String(), want) {
			t.Errorf("the log does not say %q:\n%s", want, f.log)
		}
	}

	// The other ends of comms end with the worker.
	_, outputs = f.request("execute_request", code("die"))
	wantOutputs(t, outputs, "in[2] die", "comm_close 3 map[]", "error worker died: kerneltest: died")
	if got := info(""); !reflect.DeepEqual(got, map[string]any{}) {
		t.Errorf("open comms %v, want none", got)
	}
}
