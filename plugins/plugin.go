// Package plugins says what a plugin is: one WebAssembly file with its
// description inside, in custom sections of its own. The folders below are the
// one way in (registry), the ways to talk to a guest (abi) and the plugins that
// come with the host (builtin, guests).
package plugins

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/svc-platform/svc/sandbox/meter"
)

// Names of the custom sections of a plugin.
const (
	// DescriptionSection holds the Description as JSON.
	DescriptionSection = "svc.plugin"
	// OperatorsSection holds the definitions of an op/1 plugin: a catalogue
	// file in the definition language.
	OperatorsSection = "svc.operators"
)

// Schema is the version of the description.
const Schema = "svc.plugin/1"

// MaxDescription is the most bytes that a description may have.
const MaxDescription = 1 << 20

// Kind says what a plugin is for.
type Kind string

// The kinds of plugin.
const (
	Operators Kind = "operators"
	Scorer    Kind = "scorer"
	Solver    Kind = "solver"
	General   Kind = "general"
)

// Description is what a plugin says of itself. It is the publisher's word:
// the registry checks what can be checked, and grants nothing because of it.
type Description struct {
	Schema    string     `json:"schema"`
	Name      string     `json:"name"`    // [a-z0-9-], e.g. "forensic-entropy"
	Version   string     `json:"version"` // e.g. "1.0.0"
	Publisher string     `json:"publisher,omitempty"`
	Licence   string     `json:"licence,omitempty"` // SPDX expression
	Summary   string     `json:"summary"`
	Kind      Kind       `json:"kind"`
	ABI       string     `json:"abi"` // e.g. "bytes/1"
	Functions []Function `json:"functions,omitempty"`
}

// Function is one exported function of a plugin.
type Function struct {
	Name    string   `json:"name"`
	Group   string   `json:"group,omitempty"`
	Summary string   `json:"summary,omitempty"`
	Vectors []Vector `json:"vectors,omitempty"`
}

// Vector is a golden vector: this input must give these bytes, or this error.
type Vector struct {
	Input  []byte `json:"input"` // base64
	Output []byte `json:"output,omitempty"`
	Error  string `json:"error,omitempty"` // code
}

// ErrNoDescription says that a module has no description section.
var ErrNoDescription = errors.New("the module has no svc.plugin section: it is WebAssembly, but not a plugin; pack it with a description first")

var (
	validName    = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$`)
	validVersion = regexp.MustCompile(`^[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}(-[0-9A-Za-z.-]{1,32})?$`)
)

// Describe reads the description out of a module.
func Describe(wasm []byte) (Description, error) {
	data, err := meter.CustomSection(wasm, DescriptionSection)
	if err != nil {
		return Description{}, err
	}
	if data == nil {
		return Description{}, ErrNoDescription
	}
	return ParseDescription(data)
}

// ParseDescription reads and checks a description. It refuses unknown fields,
// so that nothing is believed to be in force that is not.
func ParseDescription(data []byte) (Description, error) {
	if len(data) > MaxDescription {
		return Description{}, fmt.Errorf("the description has %d bytes, the limit is %d", len(data), MaxDescription)
	}
	var d Description
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return Description{}, fmt.Errorf("the description cannot be read: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Description{}, errors.New("the description is followed by something else")
	}
	return d, d.check()
}

func (d Description) check() error {
	switch {
	case d.Schema != Schema:
		return fmt.Errorf("the description's schema is %.80q, this host knows %.80q", d.Schema, Schema)
	case !validName.MatchString(d.Name):
		return fmt.Errorf("the name %.80q must be 1 to 64 of a-z, 0-9 and -, not beginning or ending with -", d.Name)
	case !validVersion.MatchString(d.Version):
		return fmt.Errorf("the version %.80q must be like 1.0.0", d.Version)
	case d.Kind != Operators && d.Kind != Scorer && d.Kind != Solver && d.Kind != General:
		return fmt.Errorf("the kind %.80q is none of operators, scorer, solver, general", d.Kind)
	case d.ABI == "":
		return errors.New("the description names no abi")
	}
	seen := map[string]bool{}
	for _, f := range d.Functions {
		if f.Name == "" || seen[f.Name] {
			return fmt.Errorf("function %.80q is named twice or has no name", f.Name)
		}
		seen[f.Name] = true
	}
	return nil
}

// Section is a custom section to attach to a module.
type Section struct {
	Name string
	Data []byte
}

// Attach appends custom sections to a module that has none of their names yet.
func Attach(wasm []byte, sections ...Section) []byte {
	out := bytes.Clone(wasm)
	for _, s := range sections {
		content := append(uleb(nil, len(s.Name)), s.Name...)
		content = append(content, s.Data...)
		out = append(out, 0)
		out = uleb(out, len(content))
		out = append(out, content...)
	}
	return out
}

// Pack attaches a description, in its canonical form, and further sections.
func Pack(wasm []byte, d Description, more ...Section) ([]byte, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	return Attach(wasm, append([]Section{{DescriptionSection, data}}, more...)...), nil
}

func uleb(b []byte, v int) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// Digest names a module by its bytes: "sha256:" and 64 hex digits.
func Digest(wasm []byte) string {
	sum := sha256.Sum256(wasm)
	return "sha256:" + hex.EncodeToString(sum[:])
}
