package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func request(t testing.TB) Message {
	t.Helper()
	m, err := NewSession("me").New("execute_request", nil, ExecuteRequest{Code: "a < b && \"é\\n\""})
	if err != nil {
		t.Fatal(err)
	}
	m.Identities = [][]byte{[]byte("peer"), {}}
	m.Metadata = map[string]any{"cell": "1"}
	m.Buffers = [][]byte{{0, 1}, {}}
	return m
}

func frames(t testing.TB, c *Codec, m Message) [][]byte {
	t.Helper()
	f, err := c.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRoundTrip(t *testing.T) {
	for _, key := range []string{"secret", ""} {
		sent := request(t)
		got, err := NewCodec(key, 0).Decode(frames(t, NewCodec(key, 0), sent))
		if err != nil {
			t.Fatal(err)
		}
		var a, b ExecuteRequest
		if sent.Read(&a) != nil || got.Read(&b) != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("content %+v, want %+v", b, a)
		}
		got.Header.raw = ""
		if !reflect.DeepEqual(got, sent) {
			t.Errorf("message\n%+v, want\n%+v", got, sent)
		}
	}
}

// The signature of jupyter_client 7.4.9 (Session.sign) for key "secret" over {"a":1}, {},
// {}, {}; it is HMAC-SHA256 of the frames in a row.
func TestSignatureOfPeers(t *testing.T) {
	c := NewCodec("secret", 0)
	got := string(c.sign([]byte(`{"a":1}`), []byte("{}"), []byte("{}"), []byte("{}")))
	const want = "5439160579203ae5952244a353b0f81b6ca58a3fb44727217799b393ee79601c"
	if got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
}

// An answer carries the header of the request to the letter, also fields we do not know.
func TestParentIsEchoed(t *testing.T) {
	const header = `{"msg_id":"1","msg_type":"x_request","date":"2020-01-01T00:00:00Z","subshell_id":"s","version":"5.5"}`
	c := NewCodec("", 0)
	got, err := c.Decode([][]byte{[]byte("id"), []byte(delimiter), {}, []byte(header), []byte("{}"), []byte("{}"), []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := NewSession("k").New("x_reply", &got, StatusReply{Status: StatusOK})
	if err != nil {
		t.Fatal(err)
	}
	f := frames(t, c, answer)
	if string(f[0]) != "id" || string(f[4]) != header {
		t.Errorf("identity %q, parent header %s", f[0], f[4])
	}
	if request := frames(t, c, request(t)); string(request[5]) != "{}" {
		t.Errorf("the parent header of a request is %s, want {}", request[5])
	}
}

func TestDecodeRefuses(t *testing.T) {
	sender := NewCodec("secret", 0)
	good := frames(t, sender, request(t))
	with := func(i int, frame string) [][]byte {
		f := append([][]byte{}, good...)
		f[i] = []byte(frame)
		return f
	}
	sign := func(parts ...string) [][]byte {
		f := [][]byte{[]byte(delimiter), nil}
		for _, p := range parts {
			f = append(f, []byte(p))
		}
		f[1] = sender.sign(f[2:]...)
		return f
	}
	const header = `{"msg_id":"1","msg_type":"t"}`
	for _, tc := range []struct {
		name   string
		frames [][]byte
		want   error
	}{
		{"no frames", nil, ErrFrames},
		{"no delimiter", with(2, "x"), ErrFrames},
		{"delimiter last", good[:3], ErrFrames},
		{"too few frames", good[:7], ErrFrames},
		{"delimiter after many identities", append(make([][]byte, 100), good...), ErrFrames},
		{"no signature", with(3, ""), ErrSignature},
		{"short signature", with(3, "ab"), ErrSignature},
		{"not hexadecimal", with(3, strings.Repeat("z", 64)), ErrSignature},
		{"wrong signature", with(3, strings.Repeat("0", 64)), ErrSignature},
		{"changed header", with(4, header), ErrSignature},
		{"changed parent", with(5, header), ErrSignature},
		{"changed metadata", with(6, "{ }"), ErrSignature},
		{"changed content", with(7, "{}"), ErrSignature},
		{"moved bytes", sign(header+"{", "}", "{}", "{}"), ErrFrames},
		{"header is a list", sign("[]", "{}", "{}", "{}"), ErrFrames},
		{"header without type", sign(`{"msg_id":"1"}`, "{}", "{}", "{}"), ErrFrames},
		{"content is null", sign(header, "{}", "{}", "null"), ErrFrames},
		{"content is cut", sign(header, "{}", "{}", `{"a":`), ErrFrames},
		{"parent is a number", sign(header, "1", "{}", "{}"), ErrFrames},
		{"deeply nested", sign(header, "{}", "{}", strings.Repeat(`{"a":`, 1<<20)), ErrFrames},
		{"too large", append(append([][]byte{}, good...), make([]byte, 2000)), ErrTooLarge},
	} {
		t.Run(tc.name, func(t *testing.T) {
			limit := 10 << 20
			if tc.want == ErrTooLarge {
				limit = 1000
			}
			if m, err := NewCodec("secret", limit).Decode(tc.frames); !errors.Is(err, tc.want) {
				t.Errorf("Decode = %v, %v; want %v", m, err, tc.want)
			}
		})
	}
}

// A message is accepted once, whatever the case of its signature's digits, until so many
// others have come that it is forgotten.
func TestReplay(t *testing.T) {
	c := NewCodec("secret", 0)
	m := frames(t, c, request(t))
	if _, err := c.Decode(m); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Decode(m); !errors.Is(err, ErrReplay) {
		t.Errorf("the second time: %v, want ErrReplay", err)
	}
	m[3] = bytes.ToUpper(m[3])
	if _, err := c.Decode(m); !errors.Is(err, ErrReplay) {
		t.Errorf("in capitals: %v, want ErrReplay", err)
	}
	for i := range historySize {
		parts := [][]byte{[]byte(fmt.Sprint(i)), {}, {}, {}}
		if err := c.verify(c.sign(parts...), parts); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.seen) != historySize || len(c.ring) != historySize {
		t.Errorf("%d signatures and %d places, want %d", len(c.seen), len(c.ring), historySize)
	}
}

func TestEncodeRefusesWhatHasNoJSON(t *testing.T) {
	if _, err := NewSession("").New("display_data", nil, map[string]any{"x": make(chan int)}); err == nil || !strings.Contains(err.Error(), "display_data") {
		t.Errorf("New = %v, want an error that names the message", err)
	}
	m := request(t)
	m.Metadata = map[string]any{"x": func() {}}
	if _, err := NewCodec("", 0).Encode(m); err == nil || !strings.Contains(err.Error(), "metadata of execute_request") {
		t.Errorf("Encode = %v", err)
	}
}

func TestExecuteRequestDefaults(t *testing.T) {
	for text, want := range map[string]ExecuteRequest{
		`{"code":"x"}`:               {Code: "x", StoreHistory: true, AllowStdin: true, StopOnError: true},
		`{"code":"x","silent":true}`: {Code: "x", Silent: true, AllowStdin: true, StopOnError: true},
		`{"store_history":false}`:    {AllowStdin: true, StopOnError: true},
		`{"stop_on_error":false,"silent":false,"allow_stdin":false}`: {StoreHistory: true},
	} {
		var got ExecuteRequest
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestConnectionFile(t *testing.T) {
	c := Connection{Transport: "tcp", IP: "::1", ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HeartbeatPort: 5,
		Key: "k", SignatureScheme: SchemeSHA256}
	path := filepath.Join(t.TempDir(), "c.json")
	if err := c.Write(path); err != nil {
		t.Fatal(err)
	}
	if err := c.Write(path); !errors.Is(err, os.ErrExist) {
		t.Errorf("writing over a file = %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	if got, err := ReadConnection(path); err != nil || got != c {
		t.Errorf("ReadConnection = %+v, %v", got, err)
	}
	if got := c.Endpoint(Heartbeat); got != "tcp://[::1]:5" {
		t.Errorf("endpoint %s", got)
	}
	c.Transport, c.IP = "ipc", "/tmp/k"
	if got := c.Endpoint(IOPub); got != "ipc:///tmp/k-2" {
		t.Errorf("endpoint %s", got)
	}
}

func TestConnectionRefuses(t *testing.T) {
	const ports = `"shell_port":1,"iopub_port":2,"stdin_port":3,"control_port":4,"hb_port":5`
	for text, want := range map[string]string{
		``:                   "end of JSON",
		`[]`:                 "cannot unmarshal",
		`{"ip":"127.0.0.1"}`: "shell_port is 0, want 1 to 65535",
		`{` + ports + `}`:    "ip is empty",
		`{"ip":"h","transport":"udp",` + ports + `}`:                                               `transport is "udp", want tcp or ipc`,
		`{"ip":"h","key":"k","signature_scheme":"none",` + ports + `}`:                             `signature_scheme is "none", want hmac-sha256`,
		`{"ip":"h","shell_port":1,"iopub_port":2,"stdin_port":3,"control_port":4,"hb_port":65536}`: "hb_port is 65536",
		`{"ip":"h","shell_port":1,"iopub_port":1,"stdin_port":3,"control_port":4,"hb_port":5}`:     "shell_port and iopub_port are both 1",
	} {
		if _, err := ParseConnection([]byte(text)); !errors.Is(err, ErrConnection) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// FuzzDecode: nothing panics, and what is accepted can be sent again and is the same.
func FuzzDecode(f *testing.F) {
	c := NewCodec("", 0)
	m := request(f)
	f.Add(bytes.Join(frames(f, c, m), []byte("\x00")))
	f.Add([]byte(delimiter + "\x00\x00{\"msg_id\":\"1\",\"msg_type\":\"t\"}\x00{}\x00{}\x00{}"))
	f.Add([]byte(delimiter))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		parts := bytes.Split(data, []byte("\x00"))
		if _, err := NewCodec("secret", 0).Decode(parts); err == nil {
			t.Fatal("a message without signature was accepted")
		}
		m, err := c.Decode(parts)
		if err != nil {
			return
		}
		again, err := c.Decode(frames(t, c, m))
		if err != nil {
			t.Fatalf("%q is not accepted again: %v", data, err)
		}
		if again.Header.MsgID != m.Header.MsgID || again.Header.MsgType != m.Header.MsgType ||
			!bytes.Equal(again.Content, m.Content) || len(again.Buffers) != len(m.Buffers) {
			t.Fatalf("%+v became %+v", m, again)
		}
	})
}

func BenchmarkCodec(b *testing.B) {
	c := NewCodec("secret", 0)
	s := NewSession("k")
	parent := request(b)
	b.ReportAllocs()
	for b.Loop() {
		m, err := s.New("stream", &parent, Stream{Name: "stdout", Text: "hello\n"})
		if err != nil {
			b.Fatal(err)
		}
		f, err := c.Encode(m)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Decode(f); err != nil {
			b.Fatal(err)
		}
	}
}
