package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// patience is how long a download may bring nothing before it is given up.
var patience = 30 * time.Second

var errStalled = errors.New("the server stopped sending")

// download stores f.URL as the file name. The content is checked in a temporary file beside it, which is renamed when it
// is right and removed otherwise.
func (f File) download(ctx context.Context, name string) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".partial-*")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	if err := f.get(ctx, tmp); err != nil {
		return err
	}
	if err := tmp.Chmod(0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err := tmp.Close(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if err := os.Rename(tmp.Name(), name); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// get copies the response for f.URL to w and checks it.
func (f File) get(ctx context.Context, w io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(patience, func() { cancel(errStalled) })
	defer watchdog.Stop()

	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.URL, nil)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	request.Header.Set("Accept-Encoding", "identity") // else a file that is gzip itself may arrive unpacked
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return unavailable(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: the server answered %s", ErrUnavailable, response.Status)
	}
	if response.ContentLength > f.MaxBytes {
		return fmt.Errorf("%w: the server sends %d bytes, more than the %d allowed", ErrTooLarge, response.ContentLength, f.MaxBytes)
	}
	err = f.copy(w, readerFunc(func(p []byte) (int, error) {
		n, err := response.Body.Read(p)
		watchdog.Reset(patience)
		return n, err
	}))
	if err == nil || errors.Is(err, ErrChecksum) || errors.Is(err, ErrTooLarge) {
		return err
	}
	return unavailable(ctx, err)
}

// unavailable wraps a failed transfer, with the reason why the context ended if it did.
func unavailable(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, cause)
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
