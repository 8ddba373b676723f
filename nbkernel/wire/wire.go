// Package wire holds the messages of the Jupyter protocol (version 5.4) without sockets:
// their types, their JSON, their signatures and the file that says where a kernel listens.
//
// # A message on the wire
//
// A message is a list of frames:
//
//	identities…          routing prefix of a ROUTER socket, or the topic of a PUB socket
//	<IDS|MSG>            delimiter
//	signature            HMAC of the next four frames in hexadecimal, or nothing
//	header               JSON object
//	parent header        JSON object, the header of the message this one answers, or {}
//	metadata             JSON object
//	content              JSON object
//	buffers…             raw bytes
//
// A Codec turns frames into a Message and back. What it receives may be anything: frames
// without delimiter, a wrong signature, a message that was recorded and sent again, or one of
// absurd size give an error that wraps ErrFrames, ErrSignature, ErrReplay or ErrTooLarge, and
// nothing panics. The signature is compared in constant time and before any JSON is read.
package wire

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// ProtocolVersion is the version of the messaging protocol that this package speaks.
const ProtocolVersion = "5.4"

// A Header names a message and who sent it. A header that was decoded is encoded again as it
// came, with the fields this type does not know.
type Header struct {
	MsgID    string `json:"msg_id"`
	MsgType  string `json:"msg_type"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"` // ISO 8601
	Version  string `json:"version"`

	raw string // as decoded
}

// MarshalJSON returns the header as it was decoded, or {} for the zero Header.
func (h Header) MarshalJSON() ([]byte, error) {
	if h.raw != "" {
		return []byte(h.raw), nil
	}
	if h == (Header{}) {
		return []byte("{}"), nil
	}
	type plain Header
	return marshal(plain(h))
}

// UnmarshalJSON reads a header and keeps its text.
func (h *Header) UnmarshalJSON(data []byte) error {
	type plain Header
	var p plain
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*h = Header(p)
	if p != (plain{}) {
		h.raw = string(data)
	}
	return nil
}

// A Message is one message of the protocol.
type Message struct {
	Identities [][]byte
	Header     Header
	Parent     Header
	Metadata   map[string]any
	Content    json.RawMessage // a JSON object
	Buffers    [][]byte
}

// Type returns the message type of the header.
func (m *Message) Type() string { return m.Header.MsgType }

// Read decodes the content into v, a pointer to one of the content types. The error names the
// message type.
func (m *Message) Read(v any) error {
	if err := json.Unmarshal(m.Content, v); err != nil {
		return fmt.Errorf("%w: content of %s: %w", ErrFrames, m.Header.MsgType, err)
	}
	return nil
}

// A Session makes the headers of one sender.
type Session struct {
	ID       string
	Username string
}

// NewSession returns a session with a fresh ID.
func NewSession(username string) Session { return Session{ID: NewID(), Username: username} }

// New returns a message of the given type and content; nil stands for an empty content. If parent is not nil the message
// answers it: it has its identities and its header as parent header.
func (s Session) New(msgType string, parent *Message, content any) (Message, error) {
	if content == nil {
		content = struct{}{}
	}
	body, err := marshal(content)
	if err != nil {
		return Message{}, fmt.Errorf("wire: content of %s: %w", msgType, err)
	}
	m := Message{
		Header: Header{
			MsgID:    NewID(),
			MsgType:  msgType,
			Session:  s.ID,
			Username: s.Username,
			Date:     time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"),
			Version:  ProtocolVersion,
		},
		Content: body,
	}
	if parent != nil {
		m.Identities = parent.Identities
		m.Parent = parent.Header
	}
	return m, nil
}

// NewID returns 32 random hexadecimal digits.
func NewID() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// marshal is json.Marshal without the escapes that only HTML needs.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}
