package protocol

import "github.com/svc-platform/svc/host/state"

type (
	// State is the outcome of a run.
	State = state.State
	// Result is the answer with what it rests on.
	Result = state.Result
	// Display is a value in the unit that was asked for.
	Display = state.Quantity
	// Bound is a given quantity as the input that took it up.
	Bound = state.Bound
	// Assumed is a value that the question did not state.
	Assumed = state.Assumed
	// Alternative is an operator that came near.
	Alternative = state.Alternative
	// Step is one of the seven steps as a person reads it.
	Step = state.Step
	// Fact is one line of a step.
	Fact = state.Fact
)

func fact(label, value string) Fact { return Fact{Label: label, Value: value} }
