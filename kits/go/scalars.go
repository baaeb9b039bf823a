// Package kit asks a library of scalars, dual numbers or a tape, on behalf of adjudge.
//
// An adapter says what a scalar is and which functions the library has; the kit speaks the protocol
// (docs/protocol.md of adjudge), moves elements, adds them up and multiplies matrices. Composites need no
// code: adjudge writes out, in primitives, those that are not promised.
package kit

import (
	"maps"
	"math"
	"slices"
)

// Scalars describes a library whose numbers are S. Without Forward and Reverse it is asked for values alone.
type Scalars[S any] struct {
	Name, Version string
	Links         []string
	// Dtype is float64 unless told; Constant rounds to it.
	Dtype string
	// Constant makes a number that is not differentiated; Value reads one.
	Constant func(x float64) S
	Value    func(x S) float64
	// Operators has functions of one, two or any number of scalars: func(S) S, func(S, S) S, func([]S) S.
	Operators map[string]any
	Forward   *Forward[S]
	Reverse   *Reverse[S]
	// Declared has further fields of the handshake, such as conventions.
	Declared map[string]any
}

// Forward makes a number with a tangent, and reads the tangent of one.
type Forward[S any] struct {
	Dual    func(x, tangent float64) S
	Tangent func(x S) float64
}

// Reverse begins a tape with inputs, and differentiates a number by all of them, in their order.
type Reverse[S any] struct {
	Record   func(values []float64) []S
	Gradient func(y S, inputs []S) []float64
}

// tensor is the values of one id, row-major.
type tensor[S any] struct {
	shape []int
	data  []S
}

// function is an operator of scalars, whatever its arity.
type function[S any] func(x []S) S

func functionOf[S any](given any) function[S] {
	switch f := given.(type) {
	case func(S) S:
		return func(x []S) S { return f(x[0]) }
	case func(S, S) S:
		return func(x []S) S { return f(x[0], x[1]) }
	case func([]S) S:
		return f
	}
	panic("an operator is a func(S) S, a func(S, S) S or a func([]S) S")
}

// library is what is asked: the functions of the library, and the kit's own.
type library[S any] struct {
	Scalars[S]
	pointwise map[string]function[S]
	operators map[string]func(c *call[S]) tensor[S]
}

func (s Scalars[S]) library() *library[S] {
	l := &library[S]{Scalars: s, pointwise: map[string]function[S]{}}
	if l.Dtype == "" {
		l.Dtype = "float64"
	}
	// These are what a user writes with comparisons of values; a function of the library comes first.
	value := s.Value
	l.pointwise["where"] = func(x []S) S { return chosen(value(x[0]) != 0, x[1], x[2]) }
	l.pointwise["less"] = func(x []S) S { return l.truth(value(x[0]) < value(x[1])) }
	l.pointwise["equal"] = func(x []S) S { return l.truth(value(x[0]) == value(x[1])) }
	l.pointwise["floor"] = func(x []S) S { return s.Constant(math.Floor(value(x[0]))) }
	l.pointwise["stop_gradient"] = func(x []S) S { return s.Constant(value(x[0])) }
	l.pointwise["relu"] = func(x []S) S { return chosen(value(x[0]) <= 0, s.Constant(0), x[0]) }
	l.pointwise["maximum"] = func(x []S) S {
		y := value(x[1])
		return chosen(value(x[0]) < y || math.IsNaN(y), x[1], x[0])
	}
	for name, given := range s.Operators {
		l.pointwise[name] = functionOf[S](given)
	}
	l.operators = l.structural()
	for name, f := range l.pointwise {
		l.operators[name] = func(c *call[S]) tensor[S] { return pointwise(c, f) }
	}
	return l
}

func (l *library[S]) promised() []string { return slices.Sorted(maps.Keys(l.operators)) }

func (l *library[S]) modes() []string {
	modes := []string{"evaluate"}
	if l.Forward != nil {
		modes = append(modes, "jvp")
	}
	if l.Reverse == nil {
		return modes
	}
	modes = append(modes, "vjp")
	if l.pointwise["add"] != nil {
		modes = append(modes, "backward_dense")
	}
	return modes
}

func (l *library[S]) truth(yes bool) S { return l.Constant(chosen(yes, 1., 0.)) }

func chosen[T any](yes bool, x, y T) T {
	if yes {
		return x
	}
	return y
}

// pointwise applies a function to the elements of operands of one shape.
func pointwise[S any](c *call[S], f function[S]) tensor[S] {
	return built(c.operands[0].shape, func(place int) S {
		x := make([]S, len(c.operands))
		for position, operand := range c.operands {
			x[position] = operand.data[place]
		}
		return f(x)
	})
}
