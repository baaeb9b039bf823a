package kit

import (
	"math"
	"slices"
)

// run answers one question about a graph at a point.
type run[S any] struct {
	*library[S]
	graph graph
	asked *request
}

func (r *run[S]) answer() []numbers {
	r.fit()
	given := []float64{}
	for _, input := range r.asked.Point.Inputs {
		given = append(given, input.Data...)
	}
	switch r.asked.Kind {
	case "evaluate":
		return r.read(r.values(mapped(given, r.Constant), nil), r.Value)
	case "jvp":
		tangents := []float64{}
		for _, tangent := range r.asked.Tangents {
			tangents = append(tangents, tangent.Data...)
		}
		if len(tangents) != len(given) {
			fail("there are not as many tangents as inputs")
		}
		place := -1
		duals := mapped(given, func(x float64) S { place++; return r.Forward.Dual(x, tangents[place]) })
		return r.read(r.values(duals, nil), r.Forward.Tangent)
	}
	return r.pulledBack(given, r.asked.Kind == "backward_dense")
}

// read returns what a question is about: the nodes.
func (r *run[S]) read(values []tensor[S], read func(S) float64) []numbers {
	nodes := values[len(r.graph.Inputs):]
	answers := make([]numbers, len(nodes))
	for place, value := range nodes {
		answers[place] = numbers{value.shape, mapped(value.data, read)}
	}
	return answers
}

// pulledBack differentiates the sum of all values times their seeds. In the dense case each element of each
// node has a tap, whose derivative is the element's; two more serve whatever else is tapped.
func (r *run[S]) pulledBack(given []float64, isDense bool) []numbers {
	if r.pointwise["multiply"] == nil || r.pointwise["add"] == nil {
		decline("seeds are multiplied and added, and add or multiply is not there")
	}
	shapes := mapped(r.asked.Point.Inputs, func(x numbers) []int { return x.Shape })
	var taps []float64
	if isDense {
		for _, node := range r.values(mapped(given, r.Constant), nil)[len(shapes):] {
			shapes = append(shapes, node.shape)
			taps = append(taps, mapped(node.data, r.neutral)...)
		}
	}
	taps = append(taps, math.Copysign(0, -1), 0)
	recorded := r.Reverse.Record(slices.Concat(given, taps))
	gradient := make([]float64, len(recorded))
	if y := r.cost(r.values(recorded[:len(given)], recorded[len(given):])); len(y) > 0 {
		gradient = r.Reverse.Gradient(r.total(y), recorded)
	}
	answers := make([]numbers, len(shapes))
	for id, shape := range shapes {
		answers[id] = numbers{shape, gradient[:size(shape)]}
		gradient = gradient[size(shape):]
	}
	return answers
}

func (r *run[S]) cost(values []tensor[S]) (terms []S) {
	times := r.pointwise["multiply"]
	for _, seed := range r.asked.Seeds {
		if seed.ID < 0 || seed.ID >= len(values) || !slices.Equal(seed.Cotangent.Shape, values[seed.ID].shape) {
			fail("the seed of id %d does not fit", seed.ID)
		}
		for place, x := range values[seed.ID].data {
			terms = append(terms, times([]S{x, r.Constant(seed.Cotangent.Data[place])}))
		}
	}
	return terms
}

// neutral returns the zero that changes nothing where it is added. Beside a constant 0 it is 0: of 0 and −0 a
// library that takes 0 + x for x makes −0.
func (r *run[S]) neutral(x S) float64 {
	if value := r.Value(x); value == 0 && !math.Signbit(value) {
		return 0
	}
	return math.Copysign(0, -1)
}

// values computes all ids. A tap is an input of 0 or −0 that is added to an element: the sum is that element,
// and a variable of its own. With taps, each operand and each node that depends on the inputs is made of such
// sums: a move would share variables, whose contributions are added element by element and not node by node,
// as the graph says. The last two, −0 and 0, serve any number of elements; those before are for the nodes'
// elements.
func (r *run[S]) values(inputs, taps []S) []tensor[S] {
	values := make([]tensor[S], 0, len(r.graph.Inputs)+len(r.graph.Nodes))
	varied := make([]bool, cap(values))
	for id, input := range r.graph.Inputs {
		values = append(values, tensor[S]{input.Shape, inputs[:size(input.Shape)]})
		inputs = inputs[size(input.Shape):]
		varied[id] = taps != nil
	}
	isDense := len(taps) > 2
	tapped := func(x tensor[S]) tensor[S] {
		return built(x.shape, func(place int) S {
			tap := taps[len(taps)-1]
			if math.Signbit(r.neutral(x.data[place])) {
				tap = taps[len(taps)-2]
			}
			return r.plus(x.data[place], tap)
		})
	}
	for _, node := range r.graph.Nodes {
		operands, id := make([]tensor[S], len(node.Parents)), len(values)
		for place, parent := range node.Parents {
			operands[place] = values[parent]
			varied[id] = varied[id] || varied[parent]
			// A function of scalars is told that two of its operands are one variable.
			if first := slices.Index(node.Parents, parent); first < place && r.pointwise[node.Op] != nil {
				operands[place] = operands[first]
			} else if varied[parent] {
				operands[place] = tapped(values[parent])
			}
		}
		value := r.operators[node.Op](&call[S]{operands, node.Attributes, r.asked.Point.Environment})
		if isDense {
			varied[id] = true
			own := taps
			value = built(value.shape, func(place int) S { return r.plus(value.data[place], own[place]) })
			taps = taps[len(value.data):]
		} else if varied[id] {
			value = tapped(value)
		}
		values = append(values, value)
	}
	return values
}

// fit checks the point against the graph.
func (r *run[S]) fit() {
	if len(r.asked.Point.Inputs) != len(r.graph.Inputs) {
		fail("%d inputs are given, not %d", len(r.asked.Point.Inputs), len(r.graph.Inputs))
	}
	for place, input := range r.graph.Inputs {
		if !slices.Equal(r.asked.Point.Inputs[place].Shape, input.Shape) {
			fail("the input %q does not have its shape", input.Name)
		}
	}
	for _, entry := range r.graph.Environment {
		if !slices.Equal(r.asked.Point.Environment[entry.Name].Shape, entry.Shape) {
			fail("the entry %q does not have its shape", entry.Name)
		}
	}
}

func mapped[T, U any](xs []T, f func(T) U) []U {
	ys := make([]U, len(xs))
	for place, x := range xs {
		ys[place] = f(x)
	}
	return ys
}
