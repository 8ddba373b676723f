package display

import (
	"encoding/gob"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// GoNB's pipes carry gob. JSON values travel inside an interface, so their types must be
// known to gob by the names that GoNB registers.
func init() {
	gob.Register(map[string]any{})
	gob.Register([]any{})
}

// gonbPatience is how long GoNB may take to acknowledge a result.
const gonbPatience = 30 * time.Second

// gonbSink shows results in a GoNB notebook.
type gonbSink struct{}

// Display sends all forms of b in one message and waits until GoNB has taken it, since the
// process may end right after.
func (gonbSink) Display(b Bundle, id string, _ bool) error {
	data, err := gonbData(b, id)
	if err != nil {
		return err
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		gonbui.SendData(data)
		gonbui.Sync()
	}()
	select {
	case <-sent:
	case <-time.After(gonbPatience):
		return fmt.Errorf("display: GoNB did not acknowledge a result within %v", gonbPatience)
	}
	if err := gonbui.Error(); err != nil {
		return fmt.Errorf("display: GoNB: %w", err)
	}
	return nil
}

// gonbData converts a bundle to GoNB's message. Numbers inside JSON values become float64.
func gonbData(b Bundle, id string) (*protocol.DisplayData, error) {
	data := &protocol.DisplayData{
		Data:      make(map[protocol.MIMEType]any, len(b.Data)),
		DisplayID: id,
	}
	for mime, content := range b.Data {
		if strings.HasSuffix(mime, "json") {
			plain, err := plainJSON(content)
			if err != nil {
				return nil, fmt.Errorf("display: %s: %w", mime, err)
			}
			content = plain
		}
		data.Data[protocol.MIMEType(mime)] = content
	}
	if len(b.Metadata) > 0 {
		plain, err := plainJSON(b.Metadata)
		if err != nil {
			return nil, fmt.Errorf("display: metadata: %w", err)
		}
		data.Metadata, _ = plain.(map[string]any)
	}
	return data, nil
}

// plainJSON returns v as maps, slices, strings, float64, bool and nil.
func plainJSON(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var plain any
	err = json.Unmarshal(text, &plain)
	return plain, err
}
