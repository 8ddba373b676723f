package notebook

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
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
// nothing. Permissions are kept, and a symbolic link stays one.
func ReplaceFile(name string, data []byte) (err error) {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	f, err := createBeside(name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if info, statErr := os.Stat(name); statErr == nil {
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
