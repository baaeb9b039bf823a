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
// node gets a tap, an input of −0 that is added to it: it changes nothing, and its derivative is the element's.
func (r *run[S]) pulledBack(given []float64, isDense bool) []numbers {
	plain := r.values(mapped(given, r.Constant), nil)
	shapes := plain[:len(r.graph.Inputs)]
	if isDense {
		shapes = plain
		for _, node := range plain[len(r.graph.Inputs):] {
			given = append(given, mapped(node.data, func(S) float64 { return math.Copysign(0, -1) })...)
		}
	}
	inputs := r.Reverse.Record(given)
	gradient := make([]float64, len(inputs))
	if len(inputs) > 0 {
		if y := r.cost(r.values(inputs, chosen(isDense, inputs, nil))); len(y) > 0 {
			gradient = r.Reverse.Gradient(r.total(y), inputs)
		}
	}
	answers := make([]numbers, len(shapes))
	for id, value := range shapes {
		answers[id] = numbers{value.shape, gradient[:len(value.data)]}
		gradient = gradient[len(value.data):]
	}
	return answers
}

func (r *run[S]) cost(values []tensor[S]) (terms []S) {
	times := r.pointwise["multiply"]
	if times == nil {
		decline("seeds are multiplied, and there is no operator multiply")
	}
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

// values computes all ids; inputs has the elements of the graph's inputs first, and then the taps.
func (r *run[S]) values(inputs, taps []S) []tensor[S] {
	values := make([]tensor[S], 0, len(r.graph.Inputs)+len(r.graph.Nodes))
	for _, input := range r.graph.Inputs {
		values = append(values, tensor[S]{input.Shape, inputs[:size(input.Shape)]})
		inputs = inputs[size(input.Shape):]
	}
	for _, node := range r.graph.Nodes {
		operands := make([]tensor[S], len(node.Parents))
		for place, parent := range node.Parents {
			operands[place] = values[parent]
		}
		value := r.operators[node.Op](&call[S]{operands, node.Attributes, r.asked.Point.Environment})
		if taps != nil {
			tapped := inputs
			value = built(value.shape, func(place int) S { return r.plus(value.data[place], tapped[place]) })
			inputs = inputs[len(value.data):]
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
