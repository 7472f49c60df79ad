package wasi

import (
	"strings"
	"unicode/utf8"
)

// Longest path and longest name in it, in bytes.
const (
	maxPath = 4096
	maxName = 255
)

// Flags of path_open.
const (
	openCreate    = 1 << 0
	openDirectory = 1 << 1
	openExclusive = 1 << 2
	openTruncate  = 1 << 3
)

// at says in which parameters a folder and a path in it are; the path's
// length follows the path.
type at struct{ fd, path int }

// path reads a path and the folder it starts from.
func (c call) path(where at, need uint64) (*descriptor, string, Errno) {
	d, errno := c.p.fds.folder(c.u32(where.fd), need)
	if errno != Success {
		return nil, "", errno
	}
	path, errno := c.pathText(where.path)
	return d, path, errno
}

func (c call) pathText(i int) (string, Errno) {
	b, errno := c.mem().bytes(c.u32(i), c.u32(i+1))
	switch {
	case errno != Success:
		return "", errno
	case len(b) > maxPath:
		return "", ENAMETOOLONG
	case !utf8.Valid(b):
		return "", EILSEQ
	}
	c.Charge(uint64(len(b))) // by the byte: each may begin a name to look up
	return string(b), Success
}

// walk finds path below the folder n. Nothing above n can be reached: an
// absolute path, or one that climbs out, is ENOTCAPABLE. ENOENT comes with
// parent, the folder in which the last name alone is missing.
func (n *node) walk(path string) (found, parent *node, errno Errno) {
	switch {
	case path == "":
		return nil, nil, ENOENT
	case strings.IndexByte(path, 0) >= 0:
		return nil, nil, EINVAL
	case path[0] == '/':
		return nil, nil, ENOTCAPABLE
	}
	names := strings.Split(path, "/")
	depth := 0
	for i, name := range names {
		switch {
		case !n.dir:
			return nil, nil, ENOTDIR // a slash after a file counts, too
		case len(name) > maxName:
			return nil, nil, ENAMETOOLONG
		case name == "" || name == ".":
			continue
		case name == "..":
			if depth == 0 {
				return nil, nil, ENOTCAPABLE
			}
			depth, n = depth-1, n.parent
			continue
		}
		child := n.child(name)
		if child == nil {
			if i == len(names)-1 {
				return nil, n, ENOENT
			}
			return nil, nil, ENOENT
		}
		depth, n = depth+1, child
	}
	return n, n.parent, Success
}

// pathOpen is (folder, lookup flags, path, length, open flags, rights,
// inheriting rights, descriptor flags, pointer to the new fd).
func pathOpen(c call) Errno {
	d, path, errno := c.path(at{fd: 0, path: 2}, rightPathOpen)
	if errno != Success {
		return errno
	}
	if _, errno := c.mem().bytes(c.u32(8), 4); errno != Success {
		return errno
	}
	flags, rights := c.u32(4), c.u64(5)
	n, parent, errno := d.node.walk(path)
	switch {
	case c.u32(7) > allFlags || flags > 1<<4-1:
		return EINVAL
	case errno == ENOENT && parent != nil && flags&openCreate != 0:
		return EROFS
	case errno != Success:
		return errno
	case flags&openCreate != 0 && flags&openExclusive != 0:
		return EEXIST
	case flags&openDirectory != 0 && !n.dir:
		return ENOTDIR
	case n.dir && rights&rightWrite != 0:
		return EISDIR
	case flags&openTruncate != 0 || rights&rightWrite != 0:
		return EROFS
	}
	opened := open(n)
	opened.flags = uint16(c.u32(7))
	opened.rights &= rights & d.inheriting
	opened.inheriting &= c.u64(6) & d.inheriting
	fd, errno := c.p.fds.add(opened)
	if errno != Success {
		return errno
	}
	return c.mem().putU32(c.u32(8), fd)
}

// pathFilestatGet is (folder, lookup flags, path, length, pointer).
func pathFilestatGet(c call) Errno {
	d, path, errno := c.path(at{fd: 0, path: 2}, rightPathFilestat)
	if errno != Success {
		return errno
	}
	n, _, errno := d.node.walk(path)
	if errno != Success {
		return errno
	}
	return putFilestat(c, 4, n.filetype(), n)
}

// pathReadlink is (folder, path, length, buffer, length, pointer): there are
// no links, so whatever is there is not one.
func pathReadlink(c call) Errno {
	d, path, errno := c.path(at{fd: 0, path: 1}, rightReadlink)
	if errno != Success {
		return errno
	}
	if _, errno := c.mem().bytes(c.u32(3), c.u32(4)); errno != Success {
		return errno
	}
	if _, _, errno := d.node.walk(path); errno != Success {
		return errno
	}
	return EINVAL
}

// pathReadOnly makes the answer of a function that would change the file
// system: EROFS, once its folders and paths are found to be proper ones.
func pathReadOnly(places ...at) func(call) Errno {
	return func(c call) Errno {
		for _, place := range places {
			d, path, errno := c.path(place, 0)
			if errno != Success {
				return errno
			}
			if _, parent, errno := d.node.walk(path); errno != Success && (errno != ENOENT || parent == nil) {
				return errno
			}
		}
		return EROFS
	}
}
