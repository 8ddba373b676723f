package wire

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"sync"
)

// Errors that Decode wraps.
var (
	ErrFrames    = errors.New("wire: not a message")
	ErrSignature = errors.New("wire: wrong signature")
	ErrReplay    = errors.New("wire: repeated signature")
	ErrTooLarge  = errors.New("wire: message too large")
)

const (
	delimiter = "<IDS|MSG>"

	// DefaultLimit is the size in bytes of the largest message, all frames together.
	DefaultLimit = 64 << 20

	maxIdentities = 16
	maxBuffers    = 1 << 14
	signed        = 4       // frames after the signature that it covers
	historySize   = 1 << 16 // signatures remembered against replay
)

// A Codec encodes and decodes the messages of one connection. It is safe for concurrent use.
type Codec struct {
	key   []byte
	limit int
	macs  sync.Pool // of hash.Hash

	mu   sync.Mutex
	seen map[[sha256.Size]byte]struct{}
	ring [][sha256.Size]byte // of seen, oldest at next once it is full
	next int
}

// NewCodec returns a codec that signs with HMAC-SHA256 and the given key. An empty key means,
// as everywhere in Jupyter, that nothing is signed and nothing checked. Messages of more than
// limit bytes are refused; 0 means DefaultLimit.
func NewCodec(key string, limit int) *Codec {
	if limit <= 0 {
		limit = DefaultLimit
	}
	c := &Codec{key: []byte(key), limit: limit, seen: map[[sha256.Size]byte]struct{}{}}
	c.macs.New = func() any { return hmac.New(sha256.New, c.key) }
	return c
}

// Encode returns the frames of m. The error says which part has no JSON form.
func (c *Codec) Encode(m Message) ([][]byte, error) {
	header, err := marshal(m.Header)
	if err != nil {
		return nil, fmt.Errorf("wire: header of %s: %w", m.Type(), err)
	}
	parent, err := marshal(m.Parent)
	if err != nil {
		return nil, fmt.Errorf("wire: parent header of %s: %w", m.Type(), err)
	}
	metadata := []byte("{}")
	if len(m.Metadata) > 0 {
		if metadata, err = marshal(m.Metadata); err != nil {
			return nil, fmt.Errorf("wire: metadata of %s: %w", m.Type(), err)
		}
	}
	content := []byte(m.Content)
	if len(content) == 0 {
		content = []byte("{}")
	}
	frames := make([][]byte, 0, len(m.Identities)+2+signed+len(m.Buffers))
	frames = append(frames, m.Identities...)
	frames = append(frames, []byte(delimiter), c.sign(header, parent, metadata, content),
		header, parent, metadata, content)
	return append(frames, m.Buffers...), nil
}

// Decode checks frames and returns their message. The message keeps the frames.
func (c *Codec) Decode(frames [][]byte) (Message, error) {
	size := 0
	for _, f := range frames {
		size += len(f)
	}
	if size > c.limit {
		return Message{}, fmt.Errorf("%w: %d bytes, want at most %d", ErrTooLarge, size, c.limit)
	}
	at := -1
	for i, f := range frames[:min(len(frames), maxIdentities+1)] {
		if string(f) == delimiter {
			at = i
			break
		}
	}
	if at < 0 {
		return Message{}, fmt.Errorf("%w: no %s in the first %d of %d frames",
			ErrFrames, delimiter, min(len(frames), maxIdentities+1), len(frames))
	}
	rest := frames[at+1:]
	if len(rest) < 1+signed {
		return Message{}, fmt.Errorf("%w: %d frames after %s, want at least %d",
			ErrFrames, len(rest), delimiter, 1+signed)
	}
	if n := len(rest) - 1 - signed; n > maxBuffers {
		return Message{}, fmt.Errorf("%w: %d buffers, want at most %d", ErrTooLarge, n, maxBuffers)
	}
	parts := rest[1 : 1+signed]
	if err := c.verify(rest[0], parts); err != nil {
		return Message{}, err
	}

	m := Message{Identities: frames[:at:at], Content: parts[3], Buffers: rest[1+signed:]}
	for i, part := range []struct {
		name string
		into any
	}{
		{"header", &m.Header}, {"parent header", &m.Parent}, {"metadata", &m.Metadata}, {"content", nil},
	} {
		if t := bytes.TrimLeft(parts[i], " \t\r\n"); len(t) == 0 || t[0] != '{' || !json.Valid(t) {
			return Message{}, fmt.Errorf("%w: %s is no JSON object: %s", ErrFrames, part.name, excerpt(parts[i]))
		}
		if part.into == nil {
			continue
		}
		if err := json.Unmarshal(parts[i], part.into); err != nil {
			return Message{}, fmt.Errorf("%w: %s: %w", ErrFrames, part.name, err)
		}
	}
	if m.Header.MsgType == "" || m.Header.MsgID == "" {
		return Message{}, fmt.Errorf("%w: header has no msg_type or no msg_id: %s", ErrFrames, excerpt(parts[0]))
	}
	return m, nil
}

// sign returns the signature of parts in hexadecimal, empty without a key.
func (c *Codec) sign(parts ...[]byte) []byte {
	if len(c.key) == 0 {
		return []byte{}
	}
	sum := c.sum(parts)
	return hex.AppendEncode(nil, sum[:])
}

func (c *Codec) sum(parts [][]byte) (sum [sha256.Size]byte) {
	mac := c.macs.Get().(hash.Hash)
	mac.Reset()
	for _, p := range parts {
		mac.Write(p)
	}
	mac.Sum(sum[:0])
	c.macs.Put(mac)
	return sum
}

// verify checks the signature of parts and that it has not been seen before.
func (c *Codec) verify(signature []byte, parts [][]byte) error {
	if len(c.key) == 0 {
		return nil
	}
	var got [sha256.Size]byte
	if len(signature) != hex.EncodedLen(len(got)) {
		return fmt.Errorf("%w: it has %d characters, want %d", ErrSignature, len(signature), hex.EncodedLen(len(got)))
	}
	if _, err := hex.Decode(got[:], signature); err != nil {
		return fmt.Errorf("%w: %w", ErrSignature, err)
	}
	want := c.sum(parts)
	if !hmac.Equal(got[:], want[:]) {
		return ErrSignature
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, again := c.seen[want]; again {
		return ErrReplay
	}
	c.seen[want] = struct{}{}
	if len(c.ring) < historySize {
		c.ring = append(c.ring, want)
		return nil
	}
	delete(c.seen, c.ring[c.next])
	c.ring[c.next] = want
	c.next = (c.next + 1) % historySize
	return nil
}

// excerpt quotes the beginning of what a peer sent.
func excerpt(b []byte) string {
	if len(b) > 60 {
		return fmt.Sprintf("%q…", b[:60])
	}
	return fmt.Sprintf("%q", b)
}
