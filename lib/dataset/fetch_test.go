package dataset

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// remote is a file on a test server, with empty data and cache folders.
func remote(t *testing.T, content []byte, handler http.HandlerFunc) (f File, cached string) {
	t.Helper()
	cache := t.TempDir()
	t.Setenv(DataVariable, "")
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache) // where os.UserCacheDir looks on other systems
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return File{
		Path: "some/file.bin", URL: server.URL + "/file.bin", MaxBytes: int64(len(content)),
		SHA256: fmt.Sprintf("%x", sha256.Sum256(content)), Source: "test",
	}, filepath.Join(dir, "eigenbook", "some", "file.bin")
}

// onlyFile fails unless the folder of path holds path alone, or nothing if it must not exist.
func onlyFile(t *testing.T, path string, exists bool) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !exists || e.Name() != filepath.Base(path) {
			t.Errorf("%s was left in the cache", e.Name())
		}
	}
	if exists && len(entries) != 1 {
		t.Errorf("%d files in the cache, want 1", len(entries))
	}
}

var content = bytes.Repeat([]byte("eigenbook "), 10000)

func send(w http.ResponseWriter, _ *http.Request) { w.Write(content) }

func TestFetchDownloadsOnce(t *testing.T) {
	var requests atomic.Int32
	f, cached := remote(t, content, func(w http.ResponseWriter, r *http.Request) { requests.Add(1); send(w, r) })
	for range 2 {
		name, err := FetchFile(context.Background(), f)
		if err != nil || name != cached {
			t.Fatalf("FetchFile = %q, %v; want %q", name, err, cached)
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, content) {
			t.Fatalf("wrong content, %v", err)
		}
	}
	if requests.Load() != 1 {
		t.Errorf("%d requests, want 1", requests.Load())
	}
	onlyFile(t, cached, true)
}

func TestFetchConcurrently(t *testing.T) {
	var requests atomic.Int32
	f, cached := remote(t, content, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		time.Sleep(20 * time.Millisecond)
		send(w, r)
	})
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if name, err := FetchFile(context.Background(), f); err != nil || name != cached {
				t.Errorf("FetchFile = %q, %v", name, err)
			}
		})
	}
	wg.Wait()
	if requests.Load() != 1 {
		t.Errorf("%d requests, want 1", requests.Load())
	}
	onlyFile(t, cached, true)
}

func TestFetchFailures(t *testing.T) {
	for _, tc := range []struct {
		name    string
		handler http.HandlerFunc
		want    error
		part    string
	}{
		{"server error", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusServiceUnavailable) }, ErrUnavailable, "503"},
		{"not found", http.NotFound, ErrUnavailable, "404"},
		{"other content", func(w http.ResponseWriter, _ *http.Request) { w.Write(bytes.ToUpper(content)) }, ErrChecksum, "SHA-256"},
		{"shorter content", func(w http.ResponseWriter, _ *http.Request) { w.Write(content[1:]) }, ErrChecksum, "99999 bytes"},
		{"announced too large", func(w http.ResponseWriter, _ *http.Request) { w.Write(append(content[:100000:100000], 1)) }, ErrTooLarge, "100000"},
		{"too large in the end", func(w http.ResponseWriter, _ *http.Request) {
			for range 100 { // chunked, so that no length is announced
				w.Write(content)
				w.(http.Flusher).Flush()
			}
		}, ErrTooLarge, "100000"},
		{"truncated", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000")
			w.Write(content[:5000])
		}, ErrUnavailable, "EOF"},
		{"redirect loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, ErrUnavailable, "redirects"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, cached := remote(t, content, tc.handler)
			name, err := FetchFile(context.Background(), f)
			if !errors.Is(err, tc.want) || name != "" {
				t.Fatalf("FetchFile = %q, %v; want %v", name, err, tc.want)
			}
			for _, part := range []string{tc.part, f.URL, DataVariable} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not contain %q", err, part)
				}
			}
			onlyFile(t, cached, false)
		})
	}
}

func TestFetchOffline(t *testing.T) {
	f, cached := remote(t, content, send)
	f.URL = "http://127.0.0.1:1/file.bin" // nothing listens there
	_, err := FetchFile(context.Background(), f)
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), f.URL) || !strings.Contains(err.Error(), DataVariable) {
		t.Errorf("error is %v; want ErrUnavailable, the address and %s", err, DataVariable)
	}
	f.URL = ""
	_, err = FetchFile(context.Background(), f)
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), cached) || !strings.Contains(err.Error(), DataVariable) {
		t.Errorf("without an address: error is %v", err)
	}
	onlyFile(t, cached, false)
}

func TestFetchCancelled(t *testing.T) {
	started := make(chan struct{})
	f, cached := remote(t, content, func(w http.ResponseWriter, r *http.Request) {
		w.Write(content[:10])
		w.(http.Flusher).Flush()
		close(started)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-started; cancel() }()
	if _, err := FetchFile(ctx, f); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want context.Canceled", err)
	}
	onlyFile(t, cached, false)
	if _, err := FetchFile(ctx, f); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
}

// TestFetchWaitsNoLongerThanItsContext: a call behind another one that downloads ends with its own context.
func TestFetchWaitsNoLongerThanItsContext(t *testing.T) {
	started := make(chan struct{})
	f, _ := remote(t, content, func(w http.ResponseWriter, r *http.Request) {
		close(started)
		<-r.Context().Done()
	})
	first, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		FetchFile(first, f)
	}()
	<-started
	waiting, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := FetchFile(waiting, f); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v, want context.DeadlineExceeded", err)
	}
	select {
	case <-ended:
		t.Error("it waited for the first download")
	default:
	}
	stop()
	<-ended
}

// TestFetchKeepsGzip: a server that packs what it sends does not change a file that is packed itself.
func TestFetchKeepsGzip(t *testing.T) {
	var packed bytes.Buffer
	zw := gzip.NewWriter(&packed)
	zw.Write(content)
	zw.Close()
	f, _ := remote(t, packed.Bytes(), func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip") // as servers say about .gz files
		w.Write(packed.Bytes())
	})
	if name, err := FetchFile(context.Background(), f); err != nil {
		t.Errorf("%s, %v", name, err)
	}
}

// TestFetchIgnoresPipes: opening a named pipe would wait for someone to write.
func TestFetchIgnoresPipes(t *testing.T) {
	f, _ := remote(t, content, send)
	folder := t.TempDir()
	t.Setenv(DataVariable, folder)
	name := filepath.Join(folder, "some", "file.bin")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("mkfifo", name).Run(); err != nil {
		t.Skipf("no named pipes here: mkfifo: %v", err)
	}
	if _, err := FetchFile(context.Background(), f); !errors.Is(err, ErrChecksum) || !strings.Contains(err.Error(), "regular") {
		t.Errorf("error is %v, want ErrChecksum that says it is no regular file", err)
	}
}

func TestFetchStalled(t *testing.T) {
	defer func(old time.Duration) { patience = old }(patience)
	patience = 50 * time.Millisecond
	f, cached := remote(t, content, func(w http.ResponseWriter, r *http.Request) {
		w.Write(content[:10])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	if _, err := FetchFile(context.Background(), f); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "stopped sending") {
		t.Errorf("error is %v", err)
	}
	onlyFile(t, cached, false)
}

func TestFetchPrefersDataFolder(t *testing.T) {
	f, cached := remote(t, content, func(http.ResponseWriter, *http.Request) { t.Error("a download was tried") })
	dir := t.TempDir()
	t.Setenv(DataVariable, dir)
	own := filepath.Join(dir, "some", "file.bin")
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if name, err := FetchFile(context.Background(), f); err != nil || name != own {
		t.Errorf("FetchFile = %q, %v; want %q", name, err, own)
	}
	wrong := bytes.Clone(content)
	wrong[7]++
	if err := os.WriteFile(own, wrong, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := FetchFile(context.Background(), f); !errors.Is(err, ErrChecksum) || !strings.Contains(err.Error(), own) {
		t.Errorf("error is %v; want ErrChecksum naming %s", err, own)
	}
	if got, err := os.ReadFile(own); err != nil || !bytes.Equal(got, wrong) {
		t.Error("the user's file was changed")
	}
	if err := os.Remove(own); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := FetchFile(context.Background(), f); !errors.Is(err, ErrChecksum) {
		t.Errorf("a folder instead of the file: %v", err)
	}
	onlyFile(t, cached, false)
}

func TestFetchReplacesWrongCache(t *testing.T) {
	f, cached := remote(t, content, send)
	if err := os.MkdirAll(filepath.Dir(cached), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cached, content[:77], 0o600); err != nil {
		t.Fatal(err)
	}
	name, err := FetchFile(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, content) {
		t.Errorf("the cache still has %d bytes, %v", len(got), err)
	}
}

func TestFetchArguments(t *testing.T) {
	f, _ := remote(t, content, send)
	for name, change := range map[string]func(*File){
		"outside":  func(f *File) { f.Path = "../x" },
		"absolute": func(f *File) { f.Path = "/etc/passwd" },
		"empty":    func(f *File) { f.Path = "" },
		"folder":   func(f *File) { f.Path = "." },
		"no sum":   func(f *File) { f.SHA256 = "" },
		"bad sum":  func(f *File) { f.SHA256 = strings.Repeat("g", 64) },
		"no limit": func(f *File) { f.MaxBytes = 0 },
	} {
		g := f
		change(&g)
		if _, err := FetchFile(context.Background(), g); !errors.Is(err, ErrArgument) {
			t.Errorf("%s: error is %v, want ErrArgument", name, err)
		}
	}
	f.URL = "no://such scheme"
	if _, err := FetchFile(context.Background(), f); !errors.Is(err, ErrUnavailable) {
		t.Errorf("bad address: %v", err)
	}
	if _, err := Fetch(context.Background(), "no/such"); !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown path: %v", err)
	}
	if _, err := Open(context.Background(), "no/such"); !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown path to open: %v", err)
	}
}

// TestFilesOfDataFolder compares every file of the table that the data folder has; all must be right, and all
// without a published address must be there.
func TestFilesOfDataFolder(t *testing.T) {
	dir := os.Getenv(DataVariable)
	if dir == "" {
		t.Skip(DataVariable + " is not set, so there are no data files to compare")
	}
	for _, f := range Files() {
		err := f.verify(filepath.Join(dir, filepath.FromSlash(f.Path)))
		if errors.Is(err, os.ErrNotExist) && f.URL != "" {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
	}
	r, err := Open(context.Background(), "text/dbpedia20k_index.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	head := make([]byte, 24)
	if _, err := io.ReadFull(r, head); err != nil || string(head) != "row,file,source_row,cate" {
		t.Errorf("Open gives %q, %v", head, err)
	}
}

func TestTables(t *testing.T) {
	for _, f := range Files() {
		if err := f.check(); err != nil {
			t.Error(err)
		}
		if f.Source == "" || f.Licence == "" {
			t.Errorf("%s has no source or licence", f.Path)
		}
	}
	names := map[string]bool{}
	makers := embeddedSets()
	for _, s := range Sources() {
		if names[s.Name] {
			t.Errorf("set %s occurs twice", s.Name)
		}
		names[s.Name] = true
		if s.Source == "" || s.Licence == "" || s.Rows == 0 || s.Features == 0 {
			t.Errorf("%s: %+v lacks something", s.Name, s)
		}
		if (makers[s.Name] != nil) != s.Embedded {
			t.Errorf("%s: embedded is %v, but a function is there: %v", s.Name, s.Embedded, makers[s.Name] != nil)
		}
		for _, path := range s.Files {
			if _, ok := files()[path]; !ok {
				t.Errorf("%s: %s is not in the table of files", s.Name, path)
			}
		}
		if !s.Embedded && (len(s.Files) == 0 || s.Bytes == 0) {
			t.Errorf("%s has no files", s.Name)
		}
	}
	if got := strings.Count(SourceTable(), "\n"); got != len(names)+1 {
		t.Errorf("SourceTable has %d lines for %d sets", got, len(names))
	}
}
