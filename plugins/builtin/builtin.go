// Package builtin holds generation 0: the modules that come inside the binary.
// They take the same way in as every other module.
package builtin

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/svc-platform/svc/plugins"
)

// dist is written by gen; on a clean clone it holds nothing but its .gitignore.
//
//go:embed all:dist
var dist embed.FS

// IndexFile is the list of the generation's modules, in dist.
const IndexFile = "generation.json"

// ErrNotBuilt says that the modules were not built into this binary.
var ErrNotBuilt = errors.New("this binary holds no built-in modules: run make build")

// Generation is a set of modules that belong together.
type Generation struct {
	Number  int     `json:"number"`
	Modules []Entry `json:"modules"`
}

// Entry is one module of a generation.
type Entry struct {
	File   string `json:"file"`
	Digest string `json:"digest"` // plugins.Digest of its bytes
	Size   int    `json:"size"`
}

// NewEntry describes a module.
func NewEntry(file string, wasm []byte) Entry {
	return Entry{File: file, Digest: plugins.Digest(wasm), Size: len(wasm)}
}

// Load reads the index of generation 0.
func Load() (Generation, error) {
	data, err := dist.ReadFile("dist/" + IndexFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Generation{}, ErrNotBuilt
	}
	if err != nil {
		return Generation{}, err
	}
	var g Generation
	if err := json.Unmarshal(data, &g); err != nil {
		return Generation{}, fmt.Errorf("the index of the built-in modules: %w", err)
	}
	return g, nil
}

// Wasm returns the bytes of a module.
func (e Entry) Wasm() ([]byte, error) { return dist.ReadFile("dist/" + e.File) }
