//go:build unix && !linux

package worker

import "syscall"

// replaceDescriptor makes to refer to the file of from.
func replaceDescriptor(from, to int) error { return syscall.Dup2(from, to) }
