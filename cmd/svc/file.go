package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// read reads a file, or standard input for "-", up to a limit in bytes. What
// is too large is refused, never cut.
func (a *app) read(file string, limit int64) (_ []byte, err error) {
	in, name := a.in, "standard input"
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, cannotRead(file, err)
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		if info, err := f.Stat(); err == nil && info.Size() > limit {
			return nil, tooLarge(file, limit)
		}
		in, name = f, file
	}
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, cannotRead(name, err)
	}
	if int64(len(data)) > limit {
		return nil, tooLarge(name, limit)
	}
	return data, nil
}

func tooLarge(name string, limit int64) error {
	return fmt.Errorf("%s is larger than %d MiB, the most that is read", name, limit>>20)
}

// cannotRead says in one line which file cannot be read and why.
func cannotRead(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %q: give the path of a file, or - for standard input", name)
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s cannot be read: %w", name, err)
}
