//go:build unix

package display

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// fakeGoNB reads what a program sends through GoNB's pipes, acknowledges each Sync, and
// returns the displays when the program closes its end.
func fakeGoNB(t *testing.T, pipe, pipeBack string) <-chan []protocol.DisplayData {
	t.Helper()
	result := make(chan []protocol.DisplayData, 1)
	go func() {
		var displays []protocol.DisplayData
		defer func() { result <- displays }()
		in, err := os.Open(pipe)
		if err != nil {
			t.Error(err)
			return
		}
		defer in.Close()
		out, err := os.OpenFile(pipeBack, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		defer out.Close()
		decoder, encoder := gob.NewDecoder(in), gob.NewEncoder(out)
		for {
			var d protocol.DisplayData
			if decoder.Decode(&d) != nil {
				return
			}
			value, isComm := d.Data[protocol.MIMECommValue].(protocol.CommValue)
			if !isComm {
				displays = append(displays, d)
				continue
			}
			if err := encoder.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: value.Value}); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	return result
}

func TestGoNB(t *testing.T) {
	folder := t.TempDir()
	pipe, pipeBack := filepath.Join(folder, "out"), filepath.Join(folder, "back")
	for _, path := range []string{pipe, pipeBack} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	result := fakeGoNB(t, pipe, pipeBack)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperVariable+"=1", protocol.GONB_PIPE_ENV+"="+pipe, protocol.GONB_PIPE_BACK_ENV+"="+pipeBack)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, output.String())
	}
	if output.Len() > 0 {
		t.Errorf("the program printed %q, want all output through the pipe", output.String())
	}
	var displays []protocol.DisplayData
	select {
	case displays = <-result:
	case <-time.After(10 * time.Second):
		t.Fatal("the pipe was not closed")
	}
	if len(displays) < 5 {
		t.Fatalf("%d displays, want a table, two figures and the progress", len(displays))
	}
	figure := displays[1]
	if text, _ := figure.Data[protocol.MIMETextPlain].(string); !strings.HasPrefix(text, "Spectrum:") {
		t.Errorf("text of the figure is %v", figure.Data[protocol.MIMETextPlain])
	}
	if picture, _ := figure.Data[protocol.MIMEImagePNG].([]byte); !bytes.HasPrefix(picture, []byte("\x89PNG")) {
		t.Error("the figure has no PNG")
	}
	if size, _ := figure.Metadata[MIMEPNG].(map[string]any); size["width"] != 200.0 {
		t.Errorf("metadata is %v, want the width in CSS pixels", figure.Metadata)
	}
	if bar := displays[2]; bar.DisplayID == "" || bar.DisplayID != displays[3].DisplayID {
		t.Errorf("ids of the progress are %q and %q, want the same", bar.DisplayID, displays[3].DisplayID)
	}
	if displays[1].DisplayID != "" {
		t.Errorf("id of a figure is %q, want none", displays[1].DisplayID)
	}
}

func TestGoNBConversion(t *testing.T) {
	z, labels := blobs(30, 3)
	b, err := Embedding(z, EmbeddingOptions{Labels: labels, Interactive: true}).Bundle()
	if err != nil {
		t.Fatal(err)
	}
	data, err := gonbData(b, "id")
	if err != nil {
		t.Fatal(err)
	}
	if data.DisplayID != "id" || len(data.Data) != 3 {
		t.Errorf("message has id %q and %d forms, want 3", data.DisplayID, len(data.Data))
	}
	// The message survives the pipe, and the JSON form means the same after it.
	var wire bytes.Buffer
	if err := gob.NewEncoder(&wire).Encode(data); err != nil {
		t.Fatal(err)
	}
	var back protocol.DisplayData
	if err := gob.NewDecoder(&wire).Decode(&back); err != nil {
		t.Fatal(err)
	}
	sent, err := json.Marshal(b.Data[MIMEVegaLite])
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(back.Data[MIMEVegaLite])
	if err != nil || !bytes.Equal(sent, got) {
		t.Errorf("Vega-Lite form changed on the way (%v)", err)
	}
	if _, err := gonbData(Bundle{Data: map[string]any{"application/json": func() {}}}, ""); err == nil {
		t.Error("a function passes as JSON, want an error")
	}
}
