package extract

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// Docs returns, compressed, what the sources of the packages say of their exported names: for
// each a line of path, name, names of parameters and results, and first paragraph, with tabs
// between. Packages of the standard library are left out, which go doc knows.
func Docs(ctx context.Context, dir string, env []string, packages []Package) ([]byte, error) {
	as := map[string]string{}
	args := []string{"list", "-json=ImportPath,Dir,GoFiles,Standard", "--"}
	for _, p := range packages {
		as[p.pkg.Path()] = p.as
		args = append(args, p.pkg.Path())
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, env, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var lines []string
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var l struct {
			ImportPath, Dir string
			GoFiles         []string
			Standard        bool
		}
		if err := decoder.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if l.Standard {
			continue
		}
		for _, name := range l.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(l.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			lines = append(lines, fileDocs(as[l.ImportPath], file)...)
		}
	}
	sort.Strings(lines)
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(w, strings.Join(lines, "")); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func fileDocs(path string, file *ast.File) (lines []string) {
	add := func(name, params string, docs ...*ast.CommentGroup) {
		text := ""
		for _, doc := range docs {
			if text == "" {
				text = paragraph(doc)
			}
		}
		if text != "" || params != "" {
			lines = append(lines, path+"\t"+name+"\t"+params+"\t"+text+"\n")
		}
	}
	add("", "", file.Doc)
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				base := receiver(d.Recv.List[0].Type)
				if !ast.IsExported(base) {
					continue
				}
				name = base + "." + name
			}
			if d.Name.IsExported() {
				add(name, parameters(d.Type), d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if !spec.Name.IsExported() {
						continue
					}
					add(spec.Name.Name, "", spec.Doc, d.Doc)
					if methods, ok := spec.Type.(*ast.InterfaceType); ok {
						for _, m := range methods.Methods.List {
							if t, ok := m.Type.(*ast.FuncType); ok && m.Names[0].IsExported() {
								add(spec.Name.Name+"."+m.Names[0].Name, parameters(t), m.Doc)
							}
						}
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						if name.IsExported() {
							add(name.Name, "", spec.Doc, spec.Comment, d.Doc)
						}
					}
				}
			}
		}
	}
	return lines
}

// receiver returns the name of the type of a receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// parameters returns the names of parameters and results, - for one that has none.
func parameters(t *ast.FuncType) string {
	var names []string
	for _, list := range []*ast.FieldList{t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			if len(f.Names) == 0 {
				names = append(names, "-")
			}
			for _, name := range f.Names {
				names = append(names, name.Name)
			}
		}
	}
	return strings.Join(names, " ")
}

// paragraph returns the first paragraph of a comment on one line.
func paragraph(doc *ast.CommentGroup) string {
	text, _, _ := strings.Cut(doc.Text(), "\n\n")
	return strings.Join(strings.Fields(text), " ")
}
