package wasi

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// Files is a read-only file system in memory. It never changes, so one can
// serve any number of guests at the same time.
type Files struct{ root *node }

// node is a file or a folder.
type node struct {
	name     string
	ino      uint64
	dir      bool
	data     []byte  // of a file
	parent   *node   // of the root: itself
	children []*node // of a folder, sorted by name
}

// NewFiles builds a file system from contents by path. Paths are relative with
// slashes, as fs.ValidPath wants; folders come from the paths of the files.
// The contents are not copied and must not change.
func NewFiles(contents map[string][]byte) (*Files, error) {
	root := &node{dir: true, ino: 1}
	root.parent = root
	last := root.ino
	for _, path := range slices.Sorted(maps.Keys(contents)) {
		if !fs.ValidPath(path) || path == "." || strings.IndexByte(path, 0) >= 0 || len(path) > maxPath {
			return nil, fmt.Errorf("file %q: want a relative path with slashes and no NUL, at most %d bytes", path, maxPath)
		}
		at := root
		parts := strings.Split(path, "/")
		for i, part := range parts {
			if !at.dir {
				return nil, fmt.Errorf("file %q: %q is a file, not a folder", path, strings.Join(parts[:i], "/"))
			}
			child := at.child(part)
			if child == nil {
				last++
				child = &node{name: part, ino: last, dir: i < len(parts)-1, parent: at}
				at.insert(child)
			}
			at = child
		}
		at.data = contents[path]
	}
	return &Files{root: root}, nil
}

func (n *node) search(name string) (int, bool) {
	return slices.BinarySearchFunc(n.children, name, func(c *node, name string) int { return cmp.Compare(c.name, name) })
}

func (n *node) child(name string) *node {
	if i, found := n.search(name); found {
		return n.children[i]
	}
	return nil
}

func (n *node) insert(child *node) {
	i, _ := n.search(child.name)
	n.children = slices.Insert(n.children, i, child)
}

func (n *node) filetype() byte {
	if n.dir {
		return typeDirectory
	}
	return typeRegular
}
