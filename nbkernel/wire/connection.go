package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// ErrConnection is wrapped by the errors of an unusable connection file.
var ErrConnection = errors.New("wire: invalid connection file")

// SchemeSHA256 is the one signature scheme that is known.
const SchemeSHA256 = "hmac-sha256"

// A Channel is one of the five sockets of a kernel.
type Channel string

// The channels.
const (
	Shell     Channel = "shell"
	IOPub     Channel = "iopub"
	Stdin     Channel = "stdin"
	Control   Channel = "control"
	Heartbeat Channel = "heartbeat"
)

// Connection says where a kernel listens and how messages are signed. It is what a connection
// file holds.
type Connection struct {
	Transport       string `json:"transport"` // "tcp" or "ipc"
	IP              string `json:"ip"`        // address or host name; for ipc the beginning of the sockets' paths
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HeartbeatPort   int    `json:"hb_port"`
	Key             string `json:"key"` // empty: no signatures
	SignatureScheme string `json:"signature_scheme"`
	KernelName      string `json:"kernel_name,omitempty"`
}

// maxConnectionFile is far above the size of any connection file.
const maxConnectionFile = 1 << 20

// ReadConnection reads and checks a connection file.
func ReadConnection(path string) (Connection, error) {
	f, err := os.Open(path)
	if err != nil {
		return Connection{}, fmt.Errorf("%w: %w", ErrConnection, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConnectionFile+1))
	if err != nil {
		return Connection{}, fmt.Errorf("%w: %w", ErrConnection, err)
	}
	if len(data) > maxConnectionFile {
		return Connection{}, fmt.Errorf("%w: %s has more than %d bytes", ErrConnection, path, maxConnectionFile)
	}
	c, err := ParseConnection(data)
	if err != nil {
		return Connection{}, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// ParseConnection decodes and checks the content of a connection file.
func ParseConnection(data []byte) (Connection, error) {
	c := Connection{Transport: "tcp", SignatureScheme: SchemeSHA256}
	if err := json.Unmarshal(data, &c); err != nil {
		return Connection{}, fmt.Errorf("%w: %w", ErrConnection, err)
	}
	if err := c.Validate(); err != nil {
		return Connection{}, err
	}
	return c, nil
}

// Validate returns an error that names the first field that is not usable.
func (c Connection) Validate() error {
	switch {
	case c.Transport != "tcp" && c.Transport != "ipc":
		return fmt.Errorf("%w: transport is %q, want tcp or ipc", ErrConnection, c.Transport)
	case c.IP == "":
		return fmt.Errorf("%w: ip is empty", ErrConnection)
	case strings.ContainsAny(c.IP, "\x00\n"):
		return fmt.Errorf("%w: ip is %q", ErrConnection, c.IP)
	case c.Key != "" && c.SignatureScheme != SchemeSHA256:
		return fmt.Errorf("%w: signature_scheme is %q, want %s", ErrConnection, c.SignatureScheme, SchemeSHA256)
	}
	used := map[int]string{}
	for _, p := range []struct {
		name string
		port int
	}{
		{"shell_port", c.ShellPort}, {"iopub_port", c.IOPubPort}, {"stdin_port", c.StdinPort},
		{"control_port", c.ControlPort}, {"hb_port", c.HeartbeatPort},
	} {
		if p.port < 1 || p.port > 65535 {
			return fmt.Errorf("%w: %s is %d, want 1 to 65535", ErrConnection, p.name, p.port)
		}
		if other, twice := used[p.port]; twice {
			return fmt.Errorf("%w: %s and %s are both %d", ErrConnection, other, p.name, p.port)
		}
		used[p.port] = p.name
	}
	return nil
}

// Endpoint returns the ZeroMQ address of a channel, such as tcp://127.0.0.1:5555 or
// ipc:///tmp/x/kernel-1.
func (c Connection) Endpoint(ch Channel) string {
	port := map[Channel]int{Shell: c.ShellPort, IOPub: c.IOPubPort, Stdin: c.StdinPort,
		Control: c.ControlPort, Heartbeat: c.HeartbeatPort}[ch]
	if c.Transport == "ipc" {
		return "ipc://" + c.IP + "-" + strconv.Itoa(port)
	}
	host := c.IP
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	return "tcp://" + host + ":" + strconv.Itoa(port)
}

// Write creates the connection file, readable by its owner only. The file must not exist.
func (c Connection) Write(path string) error {
	if err := c.Validate(); err != nil {
		return err
	}
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConnection, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("wire: connection file: %w", err)
	}
	_, err = f.Write(append(data, '\n'))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("wire: connection file: %w", err)
	}
	return nil
}
