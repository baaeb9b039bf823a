package main

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// reshaped returns the elements in another shape; gorgonia leaves what has it already.
func (c *Call) reshaped(x *gorgonia.Node, shape []int) *gorgonia.Node {
	return c.node(gorgonia.Reshape, x, tensor.Shape(append([]int{}, shape...)))
}

// broadcastTo multiplies by ones, since gorgonia broadcasts only within arithmetic.
func broadcastTo(c *Call) *gorgonia.Node {
	x, shape := c.operands[0], c.given.integers("shape")
	ones := c.filled("ones", shape, 1)
	if x.IsScalar() {
		return c.node(gorgonia.HadamardProd, x, ones)
	}
	if behind := len(shape) - x.Dims(); behind > 0 {
		extents := append(make([]int, behind), x.Shape()...)
		for axis := range behind {
			extents[axis] = 1
		}
		x = c.reshaped(x, extents)
	}
	stretched := []byte{}
	for axis, extent := range x.Shape() {
		if extent != shape[axis] {
			if axis > 3 {
				decline("gorgonia's patterns of broadcasting are of four axes")
			}
			stretched = append(stretched, byte(axis))
		}
	}
	return c.node(gorgonia.BroadcastHadamardProd, x, ones, stretched, []byte{})
}

func permuteDims(c *Call) *gorgonia.Node {
	if c.operands[0].Dims() < 2 {
		return c.operands[0]
	}
	arguments := []any{c.operands[0]}
	for _, axis := range c.given.integers("axes") {
		arguments = append(arguments, axis)
	}
	return c.node(gorgonia.Transpose, arguments...)
}

func concat(c *Call) *gorgonia.Node {
	arguments := []any{c.given.integer("axis")}
	for _, operand := range c.operands {
		arguments = append(arguments, operand)
	}
	return c.node(gorgonia.Concat, arguments...)
}

func take(c *Call) *gorgonia.Node {
	axis := c.given.integer("axis")
	return c.node(gorgonia.ByIndices, c.operands[0], c.indices(c.operands[0].Shape()[axis]), axis)
}

func embedding(c *Call) *gorgonia.Node {
	return c.node(gorgonia.ByIndices, c.operands[0], c.indices(c.operands[0].Shape()[0]), 0)
}

// sliced restores an axis of which one element is left, as gorgonia drops it.
func sliced(c *Call) *gorgonia.Node {
	x := c.operands[0]
	if x.IsScalar() {
		return x
	}
	starts, stops, steps := c.given.integers("starts"), c.given.integers("stops"), c.given.integers("steps")
	arguments, extents := []any{x}, x.Shape()
	for axis, extent := range x.Shape() {
		start, stop, step := max(starts[axis], 0), min(stops[axis], extent), steps[axis]
		if step < 1 || start >= stop {
			decline("gorgonia slices forward, and leaves something")
		}
		extents[axis] = (stop - start + step - 1) / step
		if start == 0 && stop == extent && step == 1 {
			arguments = append(arguments, nil)
			continue
		}
		arguments = append(arguments, gorgonia.S(start, stop, step))
	}
	part := c.node(gorgonia.Slice, arguments...)
	if part.Dims() == len(extents) {
		return part
	}
	return c.reshaped(part, extents)
}
