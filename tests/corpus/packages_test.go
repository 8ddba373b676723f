package corpus

// packages says what a program means by a name it does not declare.
var packages = map[string]string{
	"atomic": "sync/atomic", "base64": "encoding/base64", "big": "math/big", "bits": "math/bits", "bufio": "bufio",
	"bytes": "bytes", "cmp": "cmp", "cmplx": "math/cmplx", "context": "context", "csv": "encoding/csv", "errors": "errors",
	"fmt": "fmt", "heap": "container/heap", "hex": "encoding/hex", "io": "io", "iter": "iter", "json": "encoding/json",
	"list": "container/list", "maps": "maps", "math": "math", "os": "os", "rand": "math/rand/v2", "reflect": "reflect",
	"regexp": "regexp", "ring": "container/ring", "runtime": "runtime", "slices": "slices", "sort": "sort",
	"strconv": "strconv", "strings": "strings", "sync": "sync", "tabwriter": "text/tabwriter", "template": "text/template",
	"time": "time", "unicode": "unicode", "utf8": "unicode/utf8", "utf16": "unicode/utf16", "xml": "encoding/xml",
	"binary": "encoding/binary", "gob": "encoding/gob", "fnv": "hash/fnv", "sha256": "crypto/sha256", "log": "log",

	"blas64": "gonum.org/v1/gonum/blas/blas64", "floats": "gonum.org/v1/gonum/floats", "mat": "gonum.org/v1/gonum/mat",
	"optimize": "gonum.org/v1/gonum/optimize", "stat": "gonum.org/v1/gonum/stat",

	"check": "eigenbook/lib/check", "dataset": "eigenbook/lib/dataset", "eigen": "eigenbook/lib/eigen", "gram": "eigenbook/lib/gram",
	"kernel": "eigenbook/lib/kernel", "kpca": "eigenbook/lib/kpca", "ppca": "eigenbook/lib/ppca",
}
