// Command generate writes the symbol tables of package symbols. It is run by
//
//	go generate ./nbkernel/symbols
//
// in the folder of that package, and reads generate/packages.txt.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"eigenbook/nbkernel/symbols/extract"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := run("generate/packages.txt", dir); err != nil {
		log.Fatal(err)
	}
}

// run writes the tables of the listed packages to dir and removes tables of others.
func run(list, dir string) error {
	wanted, err := extract.ReadList(list)
	if err != nil {
		return err
	}
	packages, err := extract.Resolve(context.Background(), ".", os.Environ(), wanted)
	if err != nil {
		return err
	}
	files, err := extract.Tables(packages)
	if err != nil {
		return err
	}
	if files["docs.gz"], err = extract.Docs(context.Background(), ".", os.Environ(), packages); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "table_*.go"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if _, keep := files[filepath.Base(name)]; !keep {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if have, err := os.ReadFile(name); err == nil && bytes.Equal(have, text) {
			continue
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d packages in %s\n", len(packages), dir)
	return nil
}
