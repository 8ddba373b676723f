package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The operations of a command.
const (
	opStart     = "start"     // first command: Mark and Declarations
	opExecute   = "execute"   // Code, Count, Silent, Stdin
	opInterrupt = "interrupt" // ID is that of the cell
	opComplete  = "complete"  // Code, Cursor
	opInspect   = "inspect"   // Code, Cursor, Detail
)

// A command is one line from the parent to the child.
type command struct {
	Op           string   `json:"op"`
	ID           int64    `json:"id,omitempty"`
	Mark         []byte   `json:"mark,omitempty"`
	Declarations []string `json:"declarations,omitempty"`
	Code         string   `json:"code,omitempty"`
	Count        int      `json:"count,omitempty"`
	Cursor       int      `json:"cursor,omitempty"`
	Detail       int      `json:"detail,omitempty"`
	Comm         *Comm    `json:"comm,omitempty"`
	Silent       bool     `json:"silent,omitempty"`
	Stdin        bool     `json:"stdin,omitempty"`
}

// Kinds of reports beside those of events.
const (
	reportReady  = "ready"  // answer to opStart; State names what could be declared again
	reportDone   = "done"   // the end of a cell; marked
	reportAnswer = "answer" // answer to opComplete and opInspect
)

// A report is one line from the child to the parent. One that is marked follows a mark on
// both streams.
type report struct {
	Kind       string             `json:"kind"`
	ID         int64              `json:"id,omitempty"`
	Marked     bool               `json:"marked,omitempty"`
	Data       map[string]content `json:"data,omitempty"`
	Metadata   map[string]content `json:"metadata,omitempty"`
	DisplayID  string             `json:"display_id,omitempty"`
	Wait       bool               `json:"wait,omitempty"`
	Prompt     string             `json:"prompt,omitempty"`
	Password   bool               `json:"password,omitempty"`
	Failure    *Failure           `json:"failure,omitempty"`
	Comm       *Comm              `json:"comm,omitempty"`
	Cancelled  bool               `json:"cancelled,omitempty"` // the cell failed after it was interrupted
	State      *state             `json:"state,omitempty"`     // nil if it is what it was
	Completion *Completion        `json:"completion,omitempty"`
	Text       string             `json:"text,omitempty"`
}

// A state is what the parent knows of a session, enough to begin another one like it.
type state struct {
	Declarations []string          `json:"declarations,omitempty"` // source, in order
	Variables    []string          `json:"variables,omitempty"`    // names
	Dir          string            `json:"dir,omitempty"`          // working directory, if cells changed it
	Environ      map[string]string `json:"environ,omitempty"`      // variables that cells set
}

// event returns what a report of an event's kind says.
func (r *report) event() (Event, error) {
	data, err := unpack(r.Data)
	if err != nil {
		return Event{}, err
	}
	metadata, err := unpack(r.Metadata)
	if err != nil {
		return Event{}, err
	}
	return Event{Kind: r.Kind, Data: data, Metadata: metadata, DisplayID: r.DisplayID, Wait: r.Wait,
		Prompt: r.Prompt, Password: r.Password, Failure: r.Failure, Comm: r.Comm}, nil
}

// A content is a value of a bundle. JSON alone would not tell bytes from text.
type content struct {
	Bytes []byte          `json:"b,omitempty"`
	Text  *string         `json:"t,omitempty"`
	JSON  json.RawMessage `json:"j,omitempty"`
}

func pack(values map[string]any) (map[string]content, error) {
	if values == nil {
		return nil, nil
	}
	packed := make(map[string]content, len(values))
	for key, value := range values {
		switch v := value.(type) {
		case []byte:
			packed[key] = content{Bytes: v}
		case string:
			packed[key] = content{Text: &v}
		default:
			text, err := json.Marshal(v)
			if err != nil {
				return nil, fmt.Errorf("%s is no JSON value: %w", key, err)
			}
			packed[key] = content{JSON: text}
		}
	}
	return packed, nil
}

func unpack(packed map[string]content) (map[string]any, error) {
	if packed == nil {
		return nil, nil
	}
	values := make(map[string]any, len(packed))
	for key, c := range packed {
		switch {
		case c.Text != nil:
			values[key] = *c.Text
		case c.JSON != nil:
			decoder := json.NewDecoder(bytes.NewReader(c.JSON))
			decoder.UseNumber()
			var v any
			if err := decoder.Decode(&v); err != nil {
				return nil, fmt.Errorf("worker: %s: %w", key, err)
			}
			values[key] = v
		default:
			values[key] = append([]byte{}, c.Bytes...)
		}
	}
	return values, nil
}
