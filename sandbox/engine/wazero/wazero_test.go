package wazero_test

import (
	"context"
	"testing"

	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/engine/enginetest"
	"github.com/svc-platform/svc/sandbox/engine/wazero"
)

func newEngine(t testing.TB, funcs []engine.HostFunc) engine.Engine {
	t.Helper()
	e, err := wazero.New(context.Background(), wazero.Config{HostFuncs: funcs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return e
}

func TestEngine(t *testing.T) { enginetest.Run(t, newEngine) }
