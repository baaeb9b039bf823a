package main

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// padding returns what comes before each axis, where as much comes after it.
func (c *Call) padding() []int {
	sides := []int{}
	for _, pair := range c.given.pairs("padding") {
		if pair[0] != pair[1] {
			decline("gorgonia pads both sides alike")
		}
		sides = append(sides, pair[0])
	}
	return sides
}

func conv(c *Call) *gorgonia.Node {
	x, w := c.operands[0], c.operands[1]
	if c.given.integer("groups") != 1 {
		decline("gorgonia convolves in one group")
	}
	pad, strides, dilations := c.padding(), c.given.integers("strides"), c.given.integers("dilations")
	switch len(strides) {
	case 1:
		made := c.node(gorgonia.Conv1d, c.flat(x), c.flat(w), w.Shape()[2], pad[0], strides[0], dilations[0])
		return c.raised(made)
	case 2:
		return c.node(gorgonia.Conv2d, x, w, tensor.Shape(w.Shape()[2:]), pad, strides, dilations)
	}
	decline("gorgonia convolves over one axis or two")
	return nil
}

// flat treats a row as an image of one row, and back.
func (c *Call) flat(x *gorgonia.Node) *gorgonia.Node {
	shape := x.Shape()
	return c.reshaped(x, []int{shape[0], shape[1], 1, shape[2]})
}

func (c *Call) raised(x *gorgonia.Node) *gorgonia.Node {
	shape := x.Shape()
	return c.reshaped(x, []int{shape[0], shape[1], shape[3]})
}

func maxPool(c *Call) *gorgonia.Node { return c.pooled(gorgonia.MaxPool1D, gorgonia.MaxPool2D) }

func avgPool(c *Call) *gorgonia.Node {
	if !c.given.flag("count_include_pad") {
		for _, pair := range c.given.pairs("padding") {
			if pair[0]+pair[1] > 0 {
				decline("gorgonia counts padding")
			}
		}
	}
	return c.pooled(gorgonia.AveragePool1D, gorgonia.AveragePool2D)
}

func (c *Call) pooled(ofRows, ofImages any) *gorgonia.Node {
	window, strides, sides := c.given.integers("window"), c.given.integers("strides"), []int{}
	for _, pair := range c.given.pairs("padding") {
		sides = append(sides, pair[0], pair[1])
	}
	switch len(window) {
	case 1:
		if sides[0] == sides[1] {
			return c.raised(c.node(ofRows, c.flat(c.operands[0]), window[0], sides[0], strides[0]))
		}
		rows := c.node(ofImages, c.flat(c.operands[0]), tensor.Shape{1, window[0]}, append([]int{0, 0}, sides...), []int{1, strides[0]})
		return c.raised(rows)
	case 2:
		return c.node(ofImages, c.operands[0], tensor.Shape(window), sides, strides)
	}
	decline("gorgonia pools over one axis or two")
	return nil
}

// place returns scale and offset as tensors to broadcast.
func (c *Call) place() (scale, offset *gorgonia.Node) {
	shape := make([]int, c.operands[0].Dims())
	for axis := range shape {
		shape[axis] = 1
	}
	shape[1] = c.operands[0].Shape()[1]
	return c.reshaped(c.operands[1], shape), c.reshaped(c.operands[2], shape)
}

func batchNormTrain(c *Call) *gorgonia.Node {
	x := c.operands[0]
	if c.given.integer("axis") != 1 || (x.Dims() != 2 && x.Dims() != 4) {
		decline("gorgonia's channels are the second axis of two or four")
	}
	scale, offset := c.place()
	return c.node(batchNorm, x, scale, offset, c.given.real("epsilon"))
}

// batchNorm returns the first result of BatchNorm.
func batchNorm(x, scale, offset *gorgonia.Node, epsilon float64) (*gorgonia.Node, error) {
	made, _, _, _, err := gorgonia.BatchNorm(x, scale, offset, 0.1, epsilon)
	return made, err
}

func groupNorm(c *Call) *gorgonia.Node {
	x := c.operands[0]
	if x.Dims() != 4 {
		decline("gorgonia's GroupNorm is of images")
	}
	scale, offset := c.place()
	return c.node(gorgonia.GroupNorm, x, scale, offset, c.given.integer("groups"), x.Shape()[1], c.given.real("epsilon"))
}
