package blas

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write gemm_amd64.s")

// The assembly is written by this program, which can be read: go test ./lib/blas -run Assembly -update.
func TestAssembly(t *testing.T) {
	const name = "gemm_amd64.s"
	var w assembly
	w.line("// Written by assembly_test.go: go test ./lib/blas -run Assembly -update. DO NOT EDIT.")
	w.line("")
	w.line("//go:build !noasm")
	w.line("")
	w.line("#include \"textflag.h\"")
	w.gemm(gemmKernel{name: "gemm8x24", register: "Z", lanes: 8, rows: 8, vectors: 3})
	w.gemm(gemmKernel{name: "gemm8x24mask", register: "Z", lanes: 8, rows: 8, vectors: 3, mask: true})
	w.gemm(gemmKernel{name: "gemm8x16mask", register: "Z", lanes: 8, rows: 8, vectors: 2, mask: true})
	w.gemm(gemmKernel{name: "gemm8x8mask", register: "Z", lanes: 8, rows: 8, vectors: 1, mask: true})
	w.gemm(gemmKernel{name: "gemm4x12", register: "Y", lanes: 4, rows: 4, vectors: 3})
	if *update {
		if err := os.WriteFile(name, w.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, w.Bytes()) {
		t.Errorf("%s is not what this program writes; run the test with -update", name)
	}
}

// assembly is a file in the language of Go's assembler.
type assembly struct{ bytes.Buffer }

func (w *assembly) line(text string) { w.WriteString(text + "\n") }

// op writes one instruction.
func (w *assembly) op(format string, args ...any) { fmt.Fprintf(w, "\t"+format+"\n", args...) }

// gemmKernel describes the kernel for one tile.
type gemmKernel struct {
	name     string
	register string // Z or Y
	lanes    int    // numbers in a register
	rows     int    // of the tile
	vectors  int    // registers in a row of the tile
	mask     bool
}

const unroll = 4

// gemm writes a kernel. The tile stays in rows×vectors registers over all terms, of which one step
// takes vectors registers of B and multiplies them with each of the rows numbers of A.
func (w *assembly) gemm(g gemmKernel) {
	reg := func(i int) string { return fmt.Sprintf("%s%d", g.register, i) }
	tile := func(i, j int) string { return reg(i*g.vectors + j) }
	used := g.rows * g.vectors
	bytesB := 8 * g.lanes * g.vectors // of B in a step
	args, extra := 56, ""
	if g.mask {
		args, extra = 72, ", rows, mask int"
	}
	w.line("")
	if g.mask {
		w.line("// func " + g.name + "(k int, a, b, c *float64, ldc int, alpha float64, add" + extra + ")")
	} else {
		w.line("// func " + g.name + "(k int, a, b, c *float64, ldc int, alpha float64, add int)")
	}
	w.line(fmt.Sprintf("TEXT ·%s(SB), NOSPLIT, $0-%d", g.name, args))
	w.op("MOVQ k+0(FP), AX")
	w.op("MOVQ a+8(FP), CX")
	w.op("MOVQ b+16(FP), DX")
	w.op("MOVQ c+24(FP), BX")
	w.op("MOVQ ldc+32(FP), DI")
	w.op("SHLQ $3, DI")
	for i := range used {
		if g.register == "Z" {
			w.op("VPXORQ %[1]s, %[1]s, %[1]s", reg(i))
		} else {
			w.op("VXORPD %[1]s, %[1]s, %[1]s", reg(i))
		}
	}
	if !g.mask {
		w.op("MOVQ BX, SI")
		for i := range g.rows {
			for at := 0; at < bytesB; at += 64 {
				w.op("PREFETCHT0 %d(SI)", at)
			}
			if i < g.rows-1 {
				w.op("ADDQ DI, SI")
			}
		}
	}
	step := func(u int) {
		for j := range g.vectors {
			w.op("VMOVUPD %d(DX), %s", u*bytesB+j*8*g.lanes, reg(used+j))
		}
		if !g.mask {
			for at := 0; at < bytesB; at += 64 {
				w.op("PREFETCHT0 %d(DX)", (u+8)*bytesB+at)
			}
		}
		spare := min(4, map[string]int{"Z": 32, "Y": 16}[g.register]-used-g.vectors)
		for i := range g.rows {
			number := reg(used + g.vectors + i%spare)
			w.op("VBROADCASTSD %d(CX), %s", 8*(u*g.rows+i), number)
			for j := range g.vectors {
				w.op("VFMADD231PD %s, %s, %s", reg(used+j), number, tile(i, j))
			}
		}
	}
	advance := func(steps int) {
		w.op("ADDQ $%d, CX", 8*g.rows*steps)
		w.op("ADDQ $%d, DX", bytesB*steps)
	}
	w.op("MOVQ AX, R8")
	w.op("ANDQ $%d, AX", unroll-1)
	w.op("SHRQ $2, R8")
	w.op("JZ rest")
	w.op("PCALIGN $32")
	w.line("loop:")
	for u := range unroll {
		step(u)
	}
	advance(unroll)
	w.op("DECQ R8")
	w.op("JNZ loop")
	w.line("rest:")
	w.op("TESTQ AX, AX")
	w.op("JZ sum")
	w.line("one:")
	step(0)
	advance(1)
	w.op("DECQ AX")
	w.op("JNZ one")
	w.line("sum:")
	alpha, old := reg(used), reg(used+1)
	w.op("VBROADCASTSD alpha+40(FP), %s", alpha)
	w.op("MOVQ add+48(FP), R9")
	if g.mask {
		w.op("MOVQ rows+56(FP), R10")
		w.op("MOVQ mask+64(FP), R11")
		for j := range g.vectors {
			w.op("KMOVB R11, K%d", j+1)
			if j < g.vectors-1 {
				w.op("SHRQ $8, R11")
			}
		}
	}
	w.op("TESTQ R9, R9")
	w.op("JZ replace")
	rows := func(element func(i, j, at int)) {
		for i := range g.rows {
			for j := range g.vectors {
				element(i, j, j*8*g.lanes)
			}
			if i == g.rows-1 {
				break
			}
			w.op("ADDQ DI, BX")
			if g.mask {
				w.op("DECQ R10")
				w.op("JZ end")
			}
		}
	}
	rows(func(i, j, at int) {
		if g.mask {
			w.op("VMOVUPD.Z %d(BX), K%d, %s", at, j+1, old)
		} else {
			w.op("VMOVUPD %d(BX), %s", at, old)
		}
		w.op("VFMADD231PD %s, %s, %s", alpha, tile(i, j), old)
		if g.mask {
			w.op("VMOVUPD %s, K%d, %d(BX)", old, j+1, at)
		} else {
			w.op("VMOVUPD %s, %d(BX)", old, at)
		}
	})
	w.op("JMP end")
	w.line("replace:")
	rows(func(i, j, at int) {
		w.op("VMULPD %s, %[2]s, %[2]s", alpha, tile(i, j))
		if g.mask {
			w.op("VMOVUPD %s, K%d, %d(BX)", tile(i, j), j+1, at)
		} else {
			w.op("VMOVUPD %s, %d(BX)", tile(i, j), at)
		}
	})
	w.line("end:")
	w.op("VZEROUPPER")
	w.op("RET")
}
