package kit

import "slices"

// call is a node that is computed.
type call[S any] struct {
	operands    []tensor[S]
	attributes  attributes
	environment map[string]numbers
}

// structural has the operators that move elements, and those that add up and multiply where the library does.
func (l *library[S]) structural() map[string]func(*call[S]) tensor[S] {
	operators := map[string]func(*call[S]) tensor[S]{
		"constant": func(c *call[S]) tensor[S] {
			given := c.entry("name")
			return built(given.Shape, func(place int) S { return l.Constant(given.Data[place]) })
		},
		"full": func(c *call[S]) tensor[S] {
			value := c.attributes.real("value")
			return built(c.attributes.integers("shape"), func(int) S { return l.Constant(value) })
		},
		"iota": func(c *call[S]) tensor[S] {
			shape, axis := c.attributes.integers("shape"), c.attributes.integer("axis")
			return built(shape, func(place int) S { return l.Constant(float64(coordinates(shape, place)[axis])) })
		},
		"reshape": func(c *call[S]) tensor[S] {
			return tensor[S]{c.attributes.integers("shape"), c.operands[0].data}
		},
		"permute_dims": func(c *call[S]) tensor[S] {
			axes, from := c.attributes.integers("axes"), c.operands[0].shape
			shape := make([]int, len(axes))
			for to, axis := range axes {
				shape[to] = from[axis]
			}
			return c.moved(shape, func(at []int) []int {
				source := make([]int, len(axes))
				for to, axis := range axes {
					source[axis] = at[to]
				}
				return source
			})
		},
		"broadcast_to": func(c *call[S]) tensor[S] {
			from, shape := c.operands[0].shape, c.attributes.integers("shape")
			return c.moved(shape, func(at []int) []int {
				source := slices.Clone(at[len(shape)-len(from):])
				for axis, extent := range from {
					source[axis] = min(source[axis], extent-1)
				}
				return source
			})
		},
		"slice": func(c *call[S]) tensor[S] {
			starts, steps, shape := c.sliced()
			return c.moved(shape, func(at []int) []int {
				for axis := range at {
					at[axis] = starts[axis] + steps[axis]*at[axis]
				}
				return at
			})
		},
		"take": func(c *call[S]) tensor[S] {
			axis, shape := c.attributes.integer("axis"), slices.Clone(c.operands[0].shape)
			indices := c.entry("indices").indices(shape[axis])
			shape[axis] = len(indices)
			return c.moved(shape, func(at []int) []int { at[axis] = indices[at[axis]]; return at })
		},
		"take_along_axis": func(c *call[S]) tensor[S] {
			axis, given := c.attributes.integer("axis"), c.entry("indices")
			indices := given.indices(c.operands[0].shape[axis])
			return c.moved(given.Shape, func(at []int) []int {
				at[axis] = indices[position(given.Shape, at)]
				return at
			})
		},
		"gather": func(c *call[S]) tensor[S] {
			shape, source := c.rows()
			return built(shape, func(place int) S { return c.operands[0].data[source(place)] })
		},
		"pad":    l.pad,
		"concat": concat[S],
	}
	if l.pointwise["add"] != nil {
		operators["sum"], operators["cumulative_sum"], operators["scatter_add"] = l.sum, l.cumulativeSum, l.scatterAdd
		if l.pointwise["multiply"] != nil {
			operators["matmul"] = l.matmul
		}
	}
	return operators
}

func (l *library[S]) plus(x, y S) S { return l.pointwise["add"]([]S{x, y}) }

// total adds up in order; the sum of nothing is 0.
func (l *library[S]) total(terms []S) S {
	if len(terms) == 0 {
		return l.Constant(0)
	}
	total := terms[0]
	for _, term := range terms[1:] {
		total = l.plus(total, term)
	}
	return total
}

func (l *library[S]) pad(c *call[S]) tensor[S] {
	low, high, interior := c.attributes.integers("low"), c.attributes.integers("high"), c.attributes.integers("interior")
	x := c.operands[0]
	shape := make([]int, len(x.shape))
	for axis, extent := range x.shape {
		shape[axis] = low[axis] + extent + interior[axis]*max(extent-1, 0) + high[axis]
	}
	padded := built(shape, func(int) S { return l.Constant(0) })
	for place, element := range x.data {
		at := coordinates(x.shape, place)
		for axis := range at {
			at[axis] = low[axis] + at[axis]*(1+interior[axis])
		}
		padded.data[position(shape, at)] = element
	}
	return padded
}

func concat[S any](c *call[S]) tensor[S] {
	axis, shape := c.attributes.integer("axis"), slices.Clone(c.operands[0].shape)
	for _, operand := range c.operands[1:] {
		shape[axis] += operand.shape[axis]
	}
	return built(shape, func(place int) S {
		at, part := coordinates(shape, place), 0
		for ; at[axis] >= c.operands[part].shape[axis]; part++ {
			at[axis] -= c.operands[part].shape[axis]
		}
		return c.operands[part].data[position(c.operands[part].shape, at)]
	})
}

func (l *library[S]) sum(c *call[S]) tensor[S] {
	axes, x := c.attributes.integers("axes"), c.operands[0]
	kept, shape := slices.Clone(x.shape), []int{}
	for axis, extent := range x.shape {
		if slices.Contains(axes, axis) {
			kept[axis] = 1
		} else {
			shape = append(shape, extent)
		}
	}
	terms := make([][]S, size(kept))
	for place, element := range x.data {
		at := coordinates(x.shape, place)
		for _, axis := range axes {
			at[axis] = 0
		}
		to := position(kept, at)
		terms[to] = append(terms[to], element)
	}
	if c.attributes.flag("keepdims") {
		shape = kept
	}
	return built(shape, func(place int) S { return l.total(terms[place]) })
}

func (l *library[S]) cumulativeSum(c *call[S]) tensor[S] {
	axis, x := c.attributes.integer("axis"), c.operands[0]
	sums := slices.Clone(x.data)
	stride := size(x.shape[axis+1:])
	for place := range sums {
		if coordinates(x.shape, place)[axis] > 0 {
			sums[place] = l.plus(sums[place-stride], sums[place])
		}
	}
	return tensor[S]{x.shape, sums}
}

func (l *library[S]) scatterAdd(c *call[S]) tensor[S] {
	sums := slices.Clone(c.operands[0].data)
	_, target := c.rows()
	for place, update := range c.operands[1].data {
		sums[target(place)] = l.plus(sums[target(place)], update)
	}
	return tensor[S]{c.operands[0].shape, sums}
}

func (l *library[S]) matmul(c *call[S]) tensor[S] {
	x, y, times := c.operands[0], c.operands[1], l.pointwise["multiply"]
	rank := len(x.shape)
	rows, inner, columns := x.shape[rank-2], x.shape[rank-1], y.shape[rank-1]
	shape := append(slices.Clone(x.shape[:rank-1]), columns)
	return built(shape, func(place int) S {
		row, column := place/columns, place%columns
		terms := make([]S, inner)
		for k := range terms {
			terms[k] = times([]S{x.data[row*inner+k], y.data[(row/rows*inner+k)*columns+column]})
		}
		return l.total(terms)
	})
}
