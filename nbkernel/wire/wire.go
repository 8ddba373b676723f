// Package wire holds the messages of the Jupyter protocol without sockets.
package wire
