package wasi

// maxDescriptors is the most files that a guest can have open.
const maxDescriptors = 128

// File types of the standard.
const (
	typeUnknown   byte = 0 // the streams: neither terminals nor files
	typeDirectory byte = 3
	typeRegular   byte = 4
)

// Rights of the standard that mean something on a read-only file system.
const (
	rightRead         uint64 = 1 << 1
	rightSeek         uint64 = 1 << 2
	rightSetFlags     uint64 = 1 << 3
	rightSync         uint64 = 1<<4 | 1<<0 // and datasync
	rightTell         uint64 = 1 << 5
	rightWrite        uint64 = 1 << 6
	rightAdvise       uint64 = 1 << 7
	rightPathOpen     uint64 = 1 << 13
	rightReaddir      uint64 = 1 << 14
	rightReadlink     uint64 = 1 << 15
	rightPathFilestat uint64 = 1 << 18
	rightFilestat     uint64 = 1 << 21
	rightPoll         uint64 = 1 << 27

	rightsStdin  = rightRead | rightSetFlags | rightFilestat | rightPoll
	rightsOutput = rightWrite | rightSetFlags | rightFilestat | rightPoll | rightSync
	rightsFile   = rightRead | rightSeek | rightSetFlags | rightSync | rightTell | rightAdvise | rightFilestat | rightPoll
	rightsFolder = rightPathOpen | rightReaddir | rightReadlink | rightPathFilestat | rightFilestat | rightSync | rightSetFlags
)

// descriptor is one open file, folder or stream.
type descriptor struct {
	filetype           byte
	flags              uint16
	rights, inheriting uint64
	preopen            string  // name of a folder that was open from the start
	node               *node   // of files and folders
	data               []byte  // what can be read: a file's contents, or stdin
	out                *Stream // where writes go
	offset             uint64  // of the next read; in a folder unused
}

// table is the guest's open descriptors by number; closed ones are nil.
type table []*descriptor

// newTable opens 0, 1 and 2, and the root folder as 3 where there is one.
func newTable(stdin []byte, stdout, stderr *Stream, files *Files) table {
	t := table{
		{filetype: typeUnknown, rights: rightsStdin, data: stdin},
		{filetype: typeUnknown, rights: rightsOutput, out: stdout},
		{filetype: typeUnknown, rights: rightsOutput, out: stderr},
	}
	if files != nil {
		root := open(files.root)
		root.preopen = "/"
		t = append(t, root)
	}
	return t
}

// open makes a descriptor of a file or folder, with all rights it can have.
func open(n *node) *descriptor {
	d := &descriptor{filetype: n.filetype(), node: n, rights: rightsFile, data: n.data}
	if n.dir {
		d.rights, d.inheriting = rightsFolder, rightsFile|rightsFolder
	}
	return d
}

// get looks fd up: EBADF where it is not open, ENOTCAPABLE where it lacks a
// right that is needed.
func (t table) get(fd uint32, need uint64) (*descriptor, Errno) {
	if uint64(fd) >= uint64(len(t)) || t[fd] == nil {
		return nil, EBADF
	}
	if t[fd].rights&need != need {
		return nil, ENOTCAPABLE
	}
	return t[fd], Success
}

// file is get for what cannot be done to a folder.
func (t table) file(fd uint32, need uint64) (*descriptor, Errno) {
	if d, errno := t.get(fd, 0); errno == Success && d.filetype == typeDirectory {
		return nil, EISDIR
	}
	return t.get(fd, need)
}

// seekable is file for what cannot be done to a stream.
func (t table) seekable(fd uint32, need uint64) (*descriptor, Errno) {
	if d, errno := t.get(fd, 0); errno == Success && d.node == nil {
		return nil, ESPIPE
	}
	return t.file(fd, need)
}

// folder is get for folders alone.
func (t table) folder(fd uint32, need uint64) (*descriptor, Errno) {
	if d, errno := t.get(fd, 0); errno == Success && d.filetype != typeDirectory {
		return nil, ENOTDIR
	}
	return t.get(fd, need)
}

// add puts d at the lowest free number.
func (t *table) add(d *descriptor) (uint32, Errno) {
	for fd, held := range *t {
		if held == nil {
			(*t)[fd] = d
			return uint32(fd), Success
		}
	}
	if len(*t) >= maxDescriptors {
		return 0, EMFILE
	}
	*t = append(*t, d)
	return uint32(len(*t) - 1), Success
}
