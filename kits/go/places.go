package kit

func size(shape []int) int {
	size := 1
	for _, extent := range shape {
		size *= extent
	}
	return size
}

// coordinates of a row-major position.
func coordinates(shape []int, place int) []int {
	at := make([]int, len(shape))
	for axis := len(shape) - 1; axis >= 0; axis-- {
		at[axis], place = place%shape[axis], place/shape[axis]
	}
	return at
}

// position is the inverse of coordinates.
func position(shape, at []int) int {
	place := 0
	for axis, extent := range shape {
		place = place*extent + at[axis]
	}
	return place
}

func built[S any](shape []int, element func(place int) S) tensor[S] {
	data := make([]S, size(shape))
	for place := range data {
		data[place] = element(place)
	}
	return tensor[S]{shape, data}
}

// moved has the operand's elements, at the coordinates that source gives for the result's.
func (c *call[S]) moved(shape []int, source func(at []int) []int) tensor[S] {
	x := c.operands[0]
	return built(shape, func(place int) S { return x.data[position(x.shape, source(coordinates(shape, place)))] })
}

// sliced returns the first index and the step of each axis, as Python's slices have them, and the shape.
func (c *call[S]) sliced() (starts, steps, shape []int) {
	starts, steps = c.attributes.integers("starts"), c.attributes.integers("steps")
	stops := c.attributes.integers("stops")
	for axis, extent := range c.operands[0].shape {
		least, greatest := chosen(steps[axis] > 0, 0, -1), chosen(steps[axis] > 0, extent, extent-1)
		clamped := func(index int) int {
			return min(max(chosen(index < 0, index+extent, index), least), greatest)
		}
		starts[axis] = clamped(starts[axis])
		distance, step := clamped(stops[axis])-starts[axis], steps[axis]
		shape = append(shape, max(0, (distance+step-chosen(step > 0, 1, -1))/step))
	}
	return starts, steps, shape
}

// rows returns, for gather and scatter_add, the shape of the blocks that rows of indices name, and where the
// elements of these blocks lie in the first operand.
func (c *call[S]) rows() ([]int, func(place int) int) {
	given, x := c.entry("indices"), c.operands[0].shape
	last := len(given.Shape) - 1
	depth := given.Shape[last]
	inner := size(x[depth:])
	places := make([]int, size(given.Shape[:last]))
	for row := range places {
		at := make([]int, depth)
		for axis := range at {
			at[axis] = index(given.Data[row*depth+axis], x[axis])
		}
		places[row] = position(x[:depth], at)
	}
	shape := append(append([]int{}, given.Shape[:last]...), x[depth:]...)
	return shape, func(place int) int { return places[place/inner]*inner + place%inner }
}

func (c *call[S]) entry(attribute string) numbers {
	name := c.attributes.text(attribute)
	given, known := c.environment[name]
	if !known {
		fail("the environment has no %q", name)
	}
	return given
}
