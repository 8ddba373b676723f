package nb_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"eigenbook/nbkernel/nb"
)

func TestComm(t *testing.T) {
	var sent, got []string
	nb.SetComms(func(kind, id, target string, data json.RawMessage) error {
		sent = append(sent, fmt.Sprint(kind, " ", target, " ", string(data)))
		return nil
	})
	t.Cleanup(func() { nb.SetComms(nil); nb.OnComm("slider", nil) })
	nb.OnComm("slider", func(c *nb.Comm, data any) {
		got = append(got, fmt.Sprint("open ", data))
		c.OnMessage(func(data any) {
			got = append(got, fmt.Sprint("message ", data))
			if err := c.Send([]int{1, 2}); err != nil {
				t.Error(err)
			}
		})
		c.OnClose(func(data any) { got = append(got, fmt.Sprint("close ", data)) })
	})
	deliver := func(kind, id, target, data string) error {
		return nb.DeliverComm(kind, id, target, json.RawMessage(data))
	}
	for _, m := range [][4]string{
		{"comm_msg", "1", "", "5"}, // not open yet
		{"comm_open", "1", "slider", `{"a":1}`}, {"comm_msg", "1", "", "5"}, {"comm_close", "1", "", "{}"},
		{"comm_msg", "1", "", "6"}, // not open any more
	} {
		if err := deliver(m[0], m[1], m[2], m[3]); err != nil {
			t.Error(err)
		}
	}
	if err := deliver("comm_open", "2", "widget", ""); !errors.Is(err, nb.ErrNoTarget) {
		t.Errorf("an unknown target: %v", err)
	}
	if want := []string{"open map[a:1]", "message 5", "close map[]"}; !slices.Equal(got, want) {
		t.Errorf("called with %q, want %q", got, want)
	}
	c, err := nb.OpenComm("page", 7)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if want := []string{"comm_msg slider [1,2]", "comm_open page 7", "comm_close page {}"}; !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	nb.SetComms(nil)
	if _, err := nb.OpenComm("page", nil); !errors.Is(err, nb.ErrNoFrontEnd) {
		t.Errorf("in a script: %v", err)
	}
}
