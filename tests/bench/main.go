// Command bench measures Eigenbook and its peers side by side in one run and prints
// the ratio of their times. Every figure is the median of interleaved runs, at least
// 0.3 s apart, since the threads of OpenBLAS keep spinning after a call. A peer that is
// not installed is named as missing.
//
//	go run ./tests/bench [-only group] [-rounds n] [-json FILE]
//
// The JSON is an array of objects {group, task, n, d, ours_s, peer, peer_s, ratio,
// ours_mb, peer_mb}; times in seconds, peak resident memory in MB, ratio ours/peer.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// A row is one comparison, as it stands in the JSON file.
type row struct {
	Group  string  `json:"group"`
	Task   string  `json:"task"`
	N      int     `json:"n"`
	D      int     `json:"d"`
	Ours   float64 `json:"ours_s"`
	Peer   string  `json:"peer"`
	PeerS  float64 `json:"peer_s"`
	Ratio  float64 `json:"ratio"`
	OursMB float64 `json:"ours_mb"`
	PeerMB float64 `json:"peer_mb"`
}

// A contestant runs a task once and says how long it took.
type contestant interface {
	Run() (seconds float64, err error)
	PeakMB() (float64, error)
	Close()
}

// A task starts our contestant and its peers by name; a peer that cannot be started is
// reported with the reason.
type task struct {
	group, name string
	n, d        int
	ours        func() (contestant, error)
	peers       []peer
}

type peer struct {
	name  string
	start func() (contestant, error)
}

const pause = 300 * time.Millisecond

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	only := flag.String("only", "", "measure this group only: gram, kpca, startup or kernel")
	rounds := flag.Int("rounds", 5, "counted runs of each contestant")
	out := flag.String("json", "", "write the results to this file")
	serve := flag.String("serve", "", "answer runs of one library task on standard input (used by bench itself)")
	flag.Parse()
	if *serve != "" {
		if err := serveTask(*serve, os.Stdin, os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}

	dir, err := os.MkdirTemp("", "eigenbook-bench-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	nbkernel := filepath.Join(dir, "nbkernel")
	if err := build(nbkernel); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("go %s, GOMAXPROCS %d\n%s\n", runtime.Version(), runtime.GOMAXPROCS(0), peerVersions())
	fmt.Printf("%-8s %-32s %7s %4s %10s  %-22s %10s %7s %9s %9s\n",
		"group", "task", "n", "d", "ours", "peer", "peer", "ratio", "ours MB", "peer MB")
	var rows []row
	for _, t := range tasks(nbkernel, dir) {
		if *only != "" && t.group != *only {
			continue
		}
		got, err := measure(t, *rounds)
		if err != nil {
			log.Fatalf("%s/%s: %v", t.group, t.name, err)
		}
		rows = append(rows, got...)
	}
	if *out != "" {
		text, err := json.MarshalIndent(rows, "", "  ")
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(*out, append(text, '\n'), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// measure runs the contestants of a task in turn, ours first, after one run each that
// is not counted.
func measure(t task, rounds int) ([]row, error) {
	ours, err := t.ours()
	if err != nil {
		return nil, err
	}
	defer ours.Close()
	all := []contestant{ours}
	var names []string
	for _, p := range t.peers {
		c, err := p.start()
		if err != nil {
			fmt.Printf("%-8s %-32s %7d %4d %10s  %-22s missing: %v\n", t.group, t.name, t.n, t.d, "", p.name, err)
			continue
		}
		defer c.Close()
		all = append(all, c)
		names = append(names, p.name)
	}
	times := make([][]float64, len(all))
	for round := -1; round < rounds; round++ {
		for i, c := range all {
			s, err := c.Run()
			if err != nil {
				return nil, err
			}
			if round >= 0 {
				times[i] = append(times[i], s)
			}
			time.Sleep(pause)
		}
	}
	oursMB, err := ours.PeakMB()
	if err != nil {
		return nil, err
	}
	var rows []row
	for i, name := range names {
		peerMB, err := all[i+1].PeakMB()
		if err != nil {
			return nil, err
		}
		r := row{Group: t.group, Task: t.name, N: t.n, D: t.d, Peer: name,
			Ours: median(times[0]), PeerS: median(times[i+1]), OursMB: oursMB, PeerMB: peerMB}
		r.Ratio = r.Ours / r.PeerS
		fmt.Printf("%-8s %-32s %7d %4d %8.1fms  %-22s %8.1fms %7.2f %9.0f %9.0f\n",
			r.Group, r.Task, r.N, r.D, 1e3*r.Ours, r.Peer, 1e3*r.PeerS, r.Ratio, r.OursMB, r.PeerMB)
		rows = append(rows, r)
	}
	if len(names) == 0 {
		fmt.Printf("%-8s %-32s %7d %4d %8.1fms  no peer present, ours %.0f MB\n", t.group, t.name, t.n, t.d, 1e3*median(times[0]), oursMB)
		rows = append(rows, row{Group: t.group, Task: t.name, N: t.n, D: t.d, Ours: median(times[0]), OursMB: oursMB})
	}
	return rows, nil
}

func median(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	if n := len(x); n%2 == 0 {
		return (x[n/2-1] + x[n/2]) / 2
	}
	return x[len(x)/2]
}
