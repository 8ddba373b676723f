package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// inputPeriod is how often the parent looks whether a cell waits for input. The second look in
// a row that finds so raises the request.
const inputPeriod = 50 * time.Millisecond

// watchInput raises an InputRequest whenever x reads from its standard input, until done is
// closed.
func (p *Process) watchInput(x *execution, done <-chan struct{}) {
	tick := time.NewTicker(inputPeriod)
	defer tick.Stop()
	seen := false
	for {
		select {
		case <-done:
			return
		case <-x.peer.ended:
			return
		case <-tick.C:
		}
		p.mu.Lock()
		asked := x.asked || x.interrupted
		p.mu.Unlock()
		if asked || !readsInput(x.peer.cmd.Process.Pid) {
			seen = false
			continue
		}
		if !seen {
			seen = true
			continue
		}
		seen = false
		p.mu.Lock()
		x.asked = true
		p.mu.Unlock()
		select {
		case <-done:
			return
		case <-x.peer.ended:
			return
		case x.peer.asks <- struct{}{}:
		}
	}
}

// readsInput says whether a thread of a process of the group is in the system call that reads
// descriptor 0. It knows by the files /proc/PID/task/TID/syscall and answers no where they do
// not exist.
func readsInput(group int) bool {
	reads := fmt.Sprintf("%d 0x0 ", syscall.SYS_READ)
	for _, pid := range groupMembers(group) {
		threads, _ := filepath.Glob("/proc/" + pid + "/task/*/syscall")
		for _, file := range threads {
			if text, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(text), reads) {
				return true
			}
		}
	}
	return false
}

// groupMembers returns the numbers of the processes of a group.
func groupMembers(group int) []string {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var members []string
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// pid (name) state parent group …, and the name may hold anything
		var parent, pgrp int
		var status string
		rest := string(text[strings.LastIndexByte(string(text), ')')+1:])
		if _, err := fmt.Sscan(rest, &status, &parent, &pgrp); err == nil && pgrp == group {
			members = append(members, filepath.Base(filepath.Dir(file)))
		}
	}
	return members
}
