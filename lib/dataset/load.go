package dataset

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Load returns a set of [Sources] by name: "iris", "credit-g", "mnist", "frey". Embedded sets need no file, all
// others are found or downloaded as [FetchFile] says. The names of the 30 OpenML sets are those of OpenML, and
// their categorical attributes are declared as there, so that OneHot gives the columns that published
// tables count. The few missing values (4 in ilpd) are replaced by the column's median.
//
// The error wraps ErrUnknown for a name not in the table, else it is that of FetchFile.
func Load(ctx context.Context, name string) (*Set, error) { return LoadRows(ctx, name, 0) }

// LoadRows is Load for the first rows only, 0 meaning all: all 60,000 images of MNIST take 376 MB as float64.
// The error wraps ErrArgument if rows is negative.
func LoadRows(ctx context.Context, name string, rows int) (*Set, error) {
	if rows < 0 {
		return nil, fmt.Errorf("%w: rows is %d, want 0 (all) or more", ErrArgument, rows)
	}
	k := slices.IndexFunc(recipes, func(r recipe) bool { return r.name == name })
	if k < 0 {
		return nil, fmt.Errorf("%w: set %q, want one of %s", ErrUnknown, name, strings.Join(Names(), ", "))
	}
	r := recipes[k]
	if r.embedded() {
		return embeddedSets()[name]().upTo(rows)
	}
	s, err := r.load(ctx, rows)
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", name, err)
	}
	s.Name = name
	if src, ok := sourceOf(name); ok {
		s.Source, s.Licence = src.Source, src.Licence
	}
	if r.classes != nil {
		s.ClassNames = slices.Clone(r.classes)
	}
	return s.upTo(rows)
}

// Names returns the names that [Load] knows, embedded sets first.
func Names() []string {
	var names []string
	for _, r := range recipes {
		names = append(names, r.name)
	}
	return names
}

// upTo returns the first rows of s, and s itself if there are no more.
func (s *Set) upTo(rows int) (*Set, error) {
	if n, _ := s.Dims(); rows == 0 || rows >= n {
		return s, nil
	}
	return s.Head(rows)
}

// load reads the files of the recipe.
func (r recipe) load(ctx context.Context, rows int) (*Set, error) {
	switch {
	case r.csv != nil:
		name, err := Fetch(ctx, r.path)
		if err != nil {
			return nil, err
		}
		return LoadCSV(name, *r.csv)
	case r.images != nil:
		return r.loadImages(ctx, rows)
	}
	// The header names the other files, which lie beside it once all are fetched.
	var local string
	for _, path := range r.files() {
		name, err := Fetch(ctx, path)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(path, ".json") {
			local = name
		}
	}
	return LoadRaw(local, rows)
}

// loadImages reads pairs of image and label files one after the other. When the first file is not on this
// machine and has no address, the alternative pair is taken.
func (r recipe) loadImages(ctx context.Context, rows int) (*Set, error) {
	pairs := r.images
	if _, err := Fetch(ctx, pairs[0][0]); errors.Is(err, ErrUnavailable) && r.published != nil {
		pairs = [][2]string{*r.published}
	}
	var all *Set
	for _, pair := range pairs {
		images, err := Fetch(ctx, pair[0])
		if err != nil {
			return nil, err
		}
		labels, err := Fetch(ctx, pair[1])
		if err != nil {
			return nil, err
		}
		have := 0
		if all != nil {
			have, _ = all.Dims()
		}
		want := 0
		if rows > 0 {
			if want = rows - have; want <= 0 {
				break
			}
		}
		s, err := LoadIDX(images, labels, want)
		if err != nil {
			return nil, err
		}
		all = all.followedBy(s)
	}
	return all, nil
}

// followedBy returns the rows of s and then those of t; s may be nil.
func (s *Set) followedBy(t *Set) *Set {
	if s == nil {
		return t
	}
	var x mat.Dense
	x.Stack(s.X, t.X)
	s.X = &x
	s.Labels = append(s.Labels, t.Labels...)
	if len(t.ClassNames) > len(s.ClassNames) {
		s.ClassNames = t.ClassNames
	}
	return s
}

// files returns the paths the recipe reads.
func (r recipe) files() []string {
	switch {
	case r.csv != nil:
		return []string{r.path}
	case r.images != nil:
		var paths []string
		for _, pair := range r.images {
			paths = append(paths, pair[0], pair[1])
		}
		return paths
	case r.path != "":
		paths := []string{r.path, strings.TrimSuffix(r.path, path.Ext(strings.TrimSuffix(r.path, ".gz"))+".gz") + ".json"}
		if r.labels != "" {
			paths = append(paths, r.labels)
		}
		return paths
	}
	return nil
}
