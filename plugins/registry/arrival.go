package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/svc-platform/svc/plugins"
	"github.com/svc-platform/svc/plugins/abi"
	"github.com/svc-platform/svc/plugins/abi/op1"
	"github.com/svc-platform/svc/sandbox/engine"
	"github.com/svc-platform/svc/sandbox/meter"
)

// arrival is one module on its way in.
type arrival struct {
	r        *Registry
	wasm     []byte
	plugin   *Plugin
	abi      abi.ABI
	metered  *meter.Module
	compiled engine.Module
}

// verify compares the bytes with the digest that the origin vouches for.
func (in *arrival) verify(context.Context) error {
	switch want := in.plugin.Origin.Digest; {
	case want == "":
		return errors.New("its origin states no digest, so nothing vouches for it")
	case want != in.plugin.Digest:
		return fmt.Errorf("the module's digest is %s, its origin states %s", in.plugin.Digest, want)
	}
	return nil
}

func (in *arrival) describe(context.Context) error {
	d, err := plugins.Describe(in.wasm)
	if err != nil {
		return err
	}
	in.plugin.Description = d
	i := slices.IndexFunc(in.r.cfg.ABIs, func(a abi.ABI) bool { return a.Name == d.ABI })
	if i < 0 {
		var known []string
		for _, a := range in.r.cfg.ABIs {
			known = append(known, a.Name)
		}
		return fmt.Errorf("it speaks %q, this host knows %s", d.ABI, strings.Join(known, ", "))
	}
	in.abi = in.r.cfg.ABIs[i]
	return nil
}

func (in *arrival) meter(context.Context) (err error) {
	opt := in.r.cfg.Limits
	opt.Import = in.abi.Allows
	in.metered, err = meter.Rewrite(in.wasm, opt)
	return err
}

func (in *arrival) compile(ctx context.Context) (err error) {
	in.compiled, err = in.r.cfg.Engine.Compile(ctx, in.metered)
	return err
}

func (in *arrival) open(ctx context.Context) (err error) {
	in.plugin.Guest, err = in.abi.Open(ctx, in.metered, in.plugin.Description, in.compiled)
	return err
}

// selfCheckTime is what all golden vectors of a module may take together.
const selfCheckTime = time.Minute

func (in *arrival) selfCheck(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, selfCheckTime)
	defer cancel()
	return in.plugin.Guest.SelfCheck(ctx)
}

// activate makes the plugin visible, all of it or nothing.
func (in *arrival) activate(context.Context) error {
	r, p := in.r, in.plugin
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.active[p.Name]; ok {
		return fmt.Errorf("a plugin named %s is active already", p.Name)
	}
	g, _ := p.Guest.(*op1.Guest)
	var operators []*op1.Operator
	if g != nil {
		operators = g.Operators()
	}
	for _, op := range operators {
		if other, ok := r.operators[op.ID]; ok {
			return fmt.Errorf("%s is an operator of another plugin already: %s", op.ID, other.Name)
		}
	}
	for _, op := range operators {
		r.operators[op.ID] = op
	}
	r.active[p.Name] = p
	return nil
}

// abandon frees what a refused module holds.
func (in *arrival) abandon(ctx context.Context) {
	switch {
	case in.plugin.Guest != nil:
		_ = in.plugin.Guest.Close(ctx)
	case in.compiled != nil:
		_ = in.compiled.Close(ctx)
	}
}
