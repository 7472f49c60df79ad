package javascript

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
)

// version is the QuickJS-NG inside the wasm.
const version = "0.17.0"

// digest pins the wasm: quickjs.wasm of the npm package quickjs-wasi 3.6.2.
const digest = "d4c9375f2b1ca4dc95f72c8aa2982a7a9951ac8011490d79c6582df732b4bbd9"

// dist is filled by `make build` and empty in a clean clone.
//
//go:embed all:dist
var dist embed.FS

//go:embed inspect.js
var inspectJS []byte

//go:embed prelude.js
var preludeJS []byte

// wasm returns the verified QuickJS.
func wasm() ([]byte, error) {
	b, err := dist.ReadFile("dist/quickjs.wasm")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("javascript: this binary was built without QuickJS: run `make build`")
	}
	if err != nil {
		return nil, fmt.Errorf("javascript: %w", err)
	}
	return b, verify(b)
}

func verify(wasm []byte) error {
	sum := sha256.Sum256(wasm)
	if got := hex.EncodeToString(sum[:]); got != digest {
		return fmt.Errorf("javascript: quickjs.wasm has the digest %s, the pinned one is %s: run `make build` again", got, digest)
	}
	return nil
}
