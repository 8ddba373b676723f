package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"eigenbook/nbkernel/wire"
	"eigenbook/nbkernel/worker"
)

// deliver passes a message of a comm to the worker, as if it were a cell. A comm to a target
// that the session does not know is closed at once, as the protocol has it; messages for comms
// that are not open are dropped.
func (k *kernel) deliver(ctx context.Context, m wire.Message) error {
	var content wire.Comm
	if err := m.Read(&content); err != nil {
		return err
	}
	message := &worker.Comm{Kind: m.Type(), ID: content.CommID, Target: content.TargetName, Data: content.Data}
	target, open := k.comms[message.ID]
	switch {
	case message.ID == "":
		return fmt.Errorf("%s: comm_id is missing", m.Type())
	case message.Kind == worker.CommOpen && open:
		return fmt.Errorf("comm_open: %q is open, to target %q", message.ID, target)
	case message.Kind == worker.CommOpen:
		k.comms[message.ID] = message.Target
	case !open:
		return nil
	case message.Kind == worker.CommClose:
		delete(k.comms, message.ID)
	}
	c := &cell{kernel: k, request: m, count: k.count, ctx: ctx}
	c.streams = newStreams(func(name, text string) {
		k.publish(m, "stream", wire.Stream{Name: name, Text: text}, false)
	})
	refused := false
	outcome, err := k.runner.execute(ctx, "", k.count, worker.ExecOptions{Comm: message}, func(e worker.Event) {
		if e.Kind == worker.Error && e.Failure != nil && e.Failure.Name == worker.NoTarget {
			refused = true
			return
		}
		c.emit(e)
	})
	c.streams.flush()
	if err != nil || outcome.Restarted {
		k.closeComms(m)
	} else if refused {
		k.publishComm(m, &worker.Comm{Kind: worker.CommClose, ID: message.ID})
	}
	return nil
}

// publishComm sends a message of a comm to the front ends and remembers which are open.
func (k *kernel) publishComm(parent wire.Message, m *worker.Comm) {
	content := wire.Comm{CommID: m.ID, Data: m.Data}
	if len(content.Data) == 0 {
		content.Data = json.RawMessage("{}")
	}
	switch m.Kind {
	case worker.CommOpen:
		content.TargetName = m.Target
		k.comms[m.ID] = m.Target
	case worker.CommClose:
		delete(k.comms, m.ID)
	}
	k.publish(parent, m.Kind, content, true)
}

// closeComms closes all comms: the process that held their other ends is no more.
func (k *kernel) closeComms(parent wire.Message) {
	for _, id := range slices.Sorted(maps.Keys(k.comms)) {
		k.publishComm(parent, &worker.Comm{Kind: worker.CommClose, ID: id})
	}
}

// commInfo answers comm_info_request.
func (k *kernel) commInfo(m wire.Message) error {
	var request wire.CommInfoRequest
	if err := m.Read(&request); err != nil {
		return err
	}
	list := map[string]any{}
	for id, target := range k.comms {
		if request.TargetName == "" || request.TargetName == target {
			list[id] = map[string]string{"target_name": target}
		}
	}
	k.reply(k.shell, m, "comm_info_reply", wire.CommInfoReply{Status: wire.StatusOK, Comms: list})
	return nil
}
