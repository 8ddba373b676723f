package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// DataVariable is the name of the environment variable that names the folder with data files.
const DataVariable = "EIGENBOOK_DATA"

// A File is a data file with a known content.
type File struct {
	Path     string // below $EIGENBOOK_DATA and below the cache folder, with slashes
	URL      string // where exactly this content is published; empty if nowhere
	SHA256   string // of the content, 64 hexadecimal digits
	MaxBytes int64  // most that is read or downloaded

	Source, Licence string
}

// Files returns the table of files that [Fetch] knows, by path.
func Files() []File {
	var out []File
	for _, path := range slices.Sorted(maps.Keys(files())) {
		out = append(out, files()[path])
	}
	return out
}

// Fetch returns the name of a local file with the content of path, one of [Files], such as
// "mnist/train-images-idx3-ubyte.gz". See [FetchFile]. An unknown path is an error that wraps ErrUnknown.
func Fetch(ctx context.Context, path string) (string, error) {
	f, ok := files()[path]
	if !ok {
		return "", fmt.Errorf("%w: file %q, want one of dataset.Files()", ErrUnknown, path)
	}
	return FetchFile(ctx, f)
}

// Open returns the content of path, one of [Files], uncompressed. The caller closes it.
func Open(ctx context.Context, path string) (io.ReadCloser, error) {
	name, err := Fetch(ctx, path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	plain, err := uncompressed(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{plain, f}, nil
}

// FetchFile returns the name of a local file with the content of f. It looks in the folder $EIGENBOOK_DATA, then in
// the folder eigenbook of the user's cache folder (os.UserCacheDir), and then downloads f.URL into the
// latter. Whatever it finds is compared with f.SHA256. Calls for the same file wait for each other, and other
// processes never see a part of a file.
//
// The error wraps ErrUnavailable if there is no file and no download (the message says what to do), ErrChecksum
// if the content is another one, ErrTooLarge beyond f.MaxBytes, ErrArgument if f is not complete, and ctx.Err()
// when ctx ends. A wrong file in the cache is replaced; one in $EIGENBOOK_DATA is the user's and stays.
func FetchFile(ctx context.Context, f File) (string, error) {
	if err := f.check(); err != nil {
		return "", err
	}
	unlock, err := lockPath(ctx, f.Path)
	if err != nil {
		return "", fmt.Errorf("dataset: %s: %w", f.Path, err)
	}
	defer unlock()
	looked := DataVariable + " is not set"
	if dir := os.Getenv(DataVariable); dir != "" {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		err := f.verify(name)
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s (found through %s): %w", name, DataVariable, err)
		}
		looked = fmt.Sprintf("%s (through %s) does not exist", name, DataVariable)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w: %s: %s and there is no cache folder: %w", ErrUnavailable, f.Path, looked, err)
	}
	name := filepath.Join(cache, "eigenbook", filepath.FromSlash(f.Path))
	err = f.verify(name)
	if err == nil {
		return name, nil
	}
	if f.URL == "" {
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		return "", fmt.Errorf("%w: %s: %s, %s neither, and no address publishes this exact file; place it there and set %s (source: %s)",
			ErrUnavailable, f.Path, looked, name, DataVariable, f.Source)
	}
	if err := f.download(ctx, name); err != nil {
		return "", fmt.Errorf("%s from %s: %w; a copy of the file placed below the folder %s names would be used instead (%s)",
			f.Path, f.URL, err, DataVariable, looked)
	}
	return name, nil
}

// check reports what is missing in f.
func (f File) check() error {
	switch sum, err := hex.DecodeString(f.SHA256); {
	case !filepath.IsLocal(filepath.FromSlash(f.Path)) || f.Path == ".":
		return fmt.Errorf("%w: Path is %q, want a relative path that stays inside its folder", ErrArgument, f.Path)
	case err != nil || len(sum) != sha256.Size:
		return fmt.Errorf("%w: SHA256 of %s is %q, want 64 hexadecimal digits", ErrArgument, f.Path, f.SHA256)
	case f.MaxBytes < 1 || f.MaxBytes == math.MaxInt64:
		return fmt.Errorf("%w: MaxBytes of %s is %d, want 1 to %d", ErrArgument, f.Path, f.MaxBytes, int64(math.MaxInt64-1))
	}
	return nil
}

// verify compares the content of a local file with f.
func (f File) verify(name string) error {
	info, err := os.Stat(name) // before Open, which waits for a writer if it is a pipe
	if err != nil {
		return fmt.Errorf("dataset: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: not a regular file", ErrChecksum)
	}
	r, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("dataset: %w", err)
	}
	defer r.Close()
	return f.copy(io.Discard, r)
}

// copy copies r to w and compares the content with f.
func (f File) copy(w io.Writer, r io.Reader) error {
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, h), io.LimitReader(r, f.MaxBytes+1))
	if err != nil {
		return err
	}
	if n > f.MaxBytes {
		return fmt.Errorf("%w: more than the %d bytes allowed for %s", ErrTooLarge, f.MaxBytes, f.Path)
	}
	if sum := hex.EncodeToString(h.Sum(nil)); !strings.EqualFold(sum, f.SHA256) {
		return fmt.Errorf("%w: %d bytes with SHA-256 %s, want %s", ErrChecksum, n, sum, f.SHA256)
	}
	return nil
}

var fetching struct {
	sync.Mutex
	paths map[string]chan struct{}
}

// lockPath makes callers that want the same path take turns, each as long as its context lasts.
func lockPath(ctx context.Context, path string) (unlock func(), err error) {
	fetching.Lock()
	if fetching.paths == nil {
		fetching.paths = map[string]chan struct{}{}
	}
	turn := fetching.paths[path]
	if turn == nil {
		turn = make(chan struct{}, 1)
		fetching.paths[path] = turn
	}
	fetching.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
