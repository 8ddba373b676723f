package client

import (
	"fmt"
	"net"
	"os"
	"path/filepath"

	"eigenbook/nbkernel/wire"
)

// newConnection writes a connection file with a fresh key into a new private folder. The
// sockets of ipc are in the same folder.
func newConnection(spec Spec, transport string) (conn wire.Connection, dir, path string, err error) {
	dir, err = os.MkdirTemp("", "nbkernel-")
	if err != nil {
		return conn, "", "", fmt.Errorf("%w: %w", ErrStart, err)
	}
	made := dir
	defer func() {
		if err != nil {
			os.RemoveAll(made)
		}
	}()
	conn = wire.Connection{Transport: "tcp", IP: "127.0.0.1", Key: wire.NewID() + wire.NewID(),
		SignatureScheme: wire.SchemeSHA256, KernelName: spec.Name}
	ports := [5]int{1, 2, 3, 4, 5}
	switch transport {
	case "", "tcp":
		if ports, err = freePorts(); err != nil {
			return conn, "", "", fmt.Errorf("%w: %w", ErrStart, err)
		}
	case "ipc":
		conn.Transport, conn.IP = "ipc", filepath.Join(dir, "socket")
	default:
		return conn, "", "", fmt.Errorf("%w: Options.Transport is %q, want tcp or ipc", ErrStart, transport)
	}
	conn.ShellPort, conn.IOPubPort, conn.StdinPort, conn.ControlPort, conn.HeartbeatPort =
		ports[0], ports[1], ports[2], ports[3], ports[4]
	path = filepath.Join(dir, "kernel-"+wire.NewID()[:12]+".json")
	if err = conn.Write(path); err != nil {
		return conn, "", "", fmt.Errorf("%w: %w", ErrStart, err)
	}
	return conn, dir, path, nil
}

// freePorts returns ports on 127.0.0.1 that nobody listens on. Another process may take one
// before the kernel does; Start tries again then.
func freePorts() (ports [5]int, err error) {
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return ports, err
		}
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}
