package notebook

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// WriteFile writes the notebook to the named file in one step; see ReplaceFile.
func (nb *Notebook) WriteFile(name string) error {
	data, err := nb.Bytes()
	if err != nil {
		return err
	}
	return ReplaceFile(name, data)
}

// ReplaceFile gives the named file new contents: they are written beside it and renamed
// over it, so that whoever reads sees the old file or the new one and a full disk costs
// nothing. Permissions and, where that is allowed, the owner are kept, and a symbolic link
// stays one. What is no regular file, such as a device or a pipe, is written to.
func ReplaceFile(name string, data []byte) (err error) {
	name, info := resolve(name)
	if info != nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, data, 0)
	}
	f, err := createFor(name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if info != nil {
		if owner, ok := info.Sys().(*syscall.Stat_t); ok {
			// Only the superuser may, and for others it is theirs already.
			_ = f.Chown(int(owner.Uid), int(owner.Gid))
		}
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return err
		}
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// CanReplace returns the error that ReplaceFile would, short of a full disk, without changing
// the file: for a program that works long before it writes.
func CanReplace(name string) error {
	name, info := resolve(name)
	switch {
	case info != nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: name, Err: syscall.EISDIR}
	case info != nil && !info.Mode().IsRegular():
		return nil
	}
	f, err := createFor(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// createFor makes the file that is to replace name, which must be one that may be written to.
func createFor(name string) (*os.File, error) {
	old, err := os.OpenFile(name, os.O_WRONLY, 0)
	switch {
	case err == nil:
		old.Close()
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return createBeside(name)
}

// resolve returns where a symbolic link leads, also if nothing is there yet, and what is
// there. A link to something else than a file is not followed: those in /proc lead to names
// that do not exist.
func resolve(name string) (string, os.FileInfo) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return name, info
	}
	const most = 40 // links, as in Linux
	for range most {
		target, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(name), target)
		}
		name = target
	}
	if err != nil {
		return name, nil
	}
	return name, info
}

// createBeside makes a new file in the folder of name with the permissions that the
// process's umask gives, which os.CreateTemp would not.
func createBeside(name string) (*os.File, error) {
	dir, base := filepath.Split(name)
	for try := 0; ; try++ {
		temp := filepath.Join(dir, "."+base+"."+suffix(try)+".tmp")
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) || try == 100 {
			return f, err
		}
	}
}

// suffix tells apart the files of processes and of tries.
func suffix(try int) string {
	return strconv.Itoa(os.Getpid()) + "-" + strconv.Itoa(try)
}
