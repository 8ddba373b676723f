// Nbkernel is Eigenbook's program: a Jupyter kernel for Go that interprets cells with the
// math library compiled in, and the tools around it, which run scripts, execute notebooks
// without a browser or Python, and install the kernel. "nbkernel help" lists them.
package main

import (
	"os"

	"eigenbook/nbkernel/command"
)

func main() {
	os.Exit(command.Main(os.Args[1:], command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
