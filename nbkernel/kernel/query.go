package kernel

import (
	"unicode/utf8"

	"eigenbook/nbkernel/wire"
)

// complete answers complete_request. Without a worker there are no names, which is no error.
func (k *kernel) complete(m wire.Message) error {
	var request wire.CompleteRequest
	if err := m.Read(&request); err != nil {
		return err
	}
	cursor := byteOffset(request.Code, request.CursorPos)
	answer := wire.CompleteReply{Status: wire.StatusOK, Matches: []string{}, Metadata: map[string]any{},
		CursorStart: pointOffset(request.Code, cursor), CursorEnd: pointOffset(request.Code, cursor)}
	w, err := k.runner.get()
	if err == nil {
		found, err := w.Complete(request.Code, cursor)
		if err != nil {
			k.log.printf("complete: %v", err)
		} else if len(found.Matches) > 0 {
			answer.Matches = found.Matches
			answer.CursorStart = pointOffset(request.Code, found.Start)
			answer.CursorEnd = pointOffset(request.Code, found.End)
			types := make([]map[string]any, 0, len(found.Types))
			for i, t := range found.Types[:min(len(found.Types), len(found.Matches))] {
				entry := map[string]any{"text": found.Matches[i], "type": t,
					"start": answer.CursorStart, "end": answer.CursorEnd}
				if i < len(found.Signatures) && found.Signatures[i] != "" {
					entry["signature"] = found.Signatures[i]
				}
				types = append(types, entry)
			}
			answer.Metadata["_jupyter_types_experimental"] = types
		}
	}
	k.reply(k.shell, m, "complete_reply", answer)
	return nil
}

// inspect answers inspect_request.
func (k *kernel) inspect(m wire.Message) error {
	var request wire.InspectRequest
	if err := m.Read(&request); err != nil {
		return err
	}
	answer := wire.InspectReply{Status: wire.StatusOK, Data: map[string]any{}, Metadata: map[string]any{}}
	w, err := k.runner.get()
	if err == nil {
		data, err := w.Inspect(request.Code, byteOffset(request.Code, request.CursorPos), request.DetailLevel)
		if err != nil {
			k.log.printf("inspect: %v", err)
		} else if len(data) > 0 {
			answer.Found, answer.Data = true, data
		}
	}
	k.reply(k.shell, m, "inspect_reply", answer)
	return nil
}

// isComplete answers is_complete_request.
func (k *kernel) isComplete(m wire.Message) error {
	var request wire.IsCompleteRequest
	if err := m.Read(&request); err != nil {
		return err
	}
	answer := wire.IsCompleteReply{Status: "unknown"}
	if w, err := k.runner.get(); err == nil {
		answer.Status, answer.Indent = w.IsComplete(request.Code)
	}
	k.reply(k.shell, m, "is_complete_reply", answer)
	return nil
}

// recall answers history_request.
func (k *kernel) recall(m wire.Message) error {
	var request wire.HistoryRequest
	if err := m.Read(&request); err != nil {
		return err
	}
	entries, err := k.history.find(request)
	if err != nil {
		return err
	}
	k.reply(k.shell, m, "history_reply", wire.HistoryReply{Status: wire.StatusOK, History: entries})
	return nil
}

// byteOffset turns a position in code points into one in bytes. Positions outside the text
// are moved to its ends: some front ends count UTF-16 units.
func byteOffset(text string, points int) int {
	for i := range text {
		if points <= 0 {
			return i
		}
		points--
	}
	return len(text)
}

// pointOffset turns a position in bytes into one in code points.
func pointOffset(text string, bytes int) int {
	return utf8.RuneCountInString(text[:max(0, min(bytes, len(text)))])
}
