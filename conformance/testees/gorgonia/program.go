package main

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Graph is a graph of a message.
type Graph struct {
	Inputs      []Entry
	Environment []Entry
	Nodes       []Node
}

// Entry is a tensor that a graph is given.
type Entry struct {
	Name  string
	Shape []int
}

// Node is an operator of a graph.
type Node struct {
	Op         string
	Attributes Attributes
	Parents    []int
}

// Point holds the arguments of a graph.
type Point struct {
	Inputs      []Numbers
	Environment map[string]Numbers
}

// Seed is a cotangent of an id.
type Seed struct {
	ID        int
	Cotangent Numbers
}

// Program is a loaded graph. Each question builds gorgonia's graph anew, as a derivative changes it.
type Program struct {
	dtype tensor.Dtype
	graph Graph
}

func load(request *Request, promised []string) *Program {
	dtype, known := map[string]tensor.Dtype{"float64": tensor.Float64, "float32": tensor.Float32}[request.Dtype]
	if !known {
		decline("no precision %s", request.Dtype)
	}
	for place, node := range request.Graph.Nodes {
		if !slices.Contains(promised, node.Op) {
			decline("no operator %s", node.Op)
		}
		id := len(request.Graph.Inputs) + place
		for _, parent := range node.Parents {
			if parent < 0 || parent >= id {
				fail("the parents of id %d are not all before it", id)
			}
		}
	}
	return &Program{dtype, request.Graph}
}

// evaluate returns the value of every node.
func (p *Program) evaluate(request *Request, recorder *Recorder) []Numbers {
	run := p.built(request, recorder, false)
	return run.computed(run.values[len(p.graph.Inputs):])
}

// vjp returns the cotangent of every input.
func (p *Program) vjp(request *Request, recorder *Recorder) []Numbers {
	return p.pulledBack(request, recorder, false)
}

// backwardDense returns the cotangent of every id. gorgonia differentiates by inputs only, so each value gets
// an input of −0 added, a tap, which changes no float, not even a zero's sign, and gets its cotangent.
func (p *Program) backwardDense(request *Request, recorder *Recorder) []Numbers {
	return p.pulledBack(request, recorder, true)
}

// Run is gorgonia's graph of a program.
type Run struct {
	*Recorder
	dtype tensor.Dtype
	graph *gorgonia.ExprGraph
	// These are the values of all ids, and the inputs to differentiate by: the program's, and the taps.
	values, leaves []*gorgonia.Node
}

func (p *Program) built(request *Request, recorder *Recorder, isTapped bool) *Run {
	point := request.Point
	if len(point.Inputs) != len(p.graph.Inputs) {
		fail("%d inputs are given, not %d", len(point.Inputs), len(p.graph.Inputs))
	}
	recorder.line("g := gorgonia.NewGraph()")
	run := &Run{Recorder: recorder, dtype: p.dtype, graph: gorgonia.NewGraph()}
	for id, entry := range p.graph.Inputs {
		run.leaves = append(run.leaves, run.leaf(fmt.Sprintf("x%d", id), fitting(point.Inputs[id], entry.Shape)))
	}
	for _, entry := range p.graph.Environment {
		fitting(point.Environment[entry.Name], entry.Shape)
	}
	run.values = slices.Clone(run.leaves)
	for place, node := range p.graph.Nodes {
		operands := make([]*gorgonia.Node, len(node.Parents))
		for position, parent := range node.Parents {
			operands[position] = run.values[parent]
		}
		id := len(p.graph.Inputs) + place
		value := operators[node.Op](&Call{run, id, node.Attributes, operands, point.Environment})
		if isTapped {
			zeros := make([]float64, value.Shape().TotalSize())
			for element := range zeros {
				zeros[element] = negativeZero
			}
			tap := run.leaf(fmt.Sprintf("tap%d", id), Numbers{value.Shape(), zeros})
			run.leaves = append(run.leaves, tap)
			value = run.node(gorgonia.Add, value, tap)
		}
		run.values = append(run.values, value)
	}
	return run
}

func (r *Run) leaf(name string, numbers Numbers) *gorgonia.Node {
	if slices.Contains(numbers.Shape, 0) {
		// Its machine panics in a goroutine of its own, which would end the process.
		decline("gorgonia fails at tensors without elements")
	}
	return r.given(r.graph, r.dtype, name, numbers)
}

// computed runs the tape machine and returns the values of nodes.
func (r *Run) computed(nodes []*gorgonia.Node) []Numbers {
	values := make([]gorgonia.Value, len(nodes))
	r.line("values := make([]gorgonia.Value, %d)", len(nodes))
	r.answers = nil
	for place, node := range nodes {
		r.answers = append(r.answers, fmt.Sprintf("values[%d]", place))
		r.line("gorgonia.Read(%s, &values[%d])", r.names[node], place)
		gorgonia.Read(node, &values[place])
	}
	r.line("must(0, gorgonia.NewTapeMachine(g).RunAll())")
	machine := gorgonia.NewTapeMachine(r.graph)
	defer machine.Close()
	if err := machine.RunAll(); err != nil {
		fail("%v", err)
	}
	answers := make([]Numbers, len(nodes))
	for place, value := range values {
		if value == nil {
			fail("gorgonia's machine has no value of node %d", place)
		}
		answers[place] = read(value)
	}
	return answers
}

// pulledBack differentiates the sum of all values times their seeds.
func (p *Program) pulledBack(request *Request, recorder *Recorder, isTapped bool) []Numbers {
	flat := p.flatLeaves(request, isTapped)
	run := p.built(request, recorder, isTapped)
	answers := make([]Numbers, len(run.leaves))
	differentiated := []*gorgonia.Node{}
	for place, leaf := range run.leaves {
		answers[place] = Numbers{leaf.Shape(), make([]float64, leaf.Shape().TotalSize())}
		if !flat[place] {
			differentiated = append(differentiated, leaf)
		}
	}
	if len(differentiated) == 0 {
		run.answers = make([]string, len(answers))
		return answers
	}
	pulled := run.computed(run.gradient(run.cost(request.Seeds), differentiated))
	texts := make([]string, len(answers))
	for place := range answers {
		if !flat[place] {
			texts[place] = run.answers[len(run.answers)-len(pulled)]
			answers[place], pulled = pulled[0], pulled[1:]
		}
	}
	run.answers = texts
	return answers
}

func (r *Run) cost(seeds []Seed) (total *gorgonia.Node) {
	for place, seed := range seeds {
		if seed.ID < 0 || seed.ID >= len(r.values) {
			fail("there is no id %d", seed.ID)
		}
		value := r.values[seed.ID]
		cotangent := r.leaf(fmt.Sprintf("seed%d", place), fitting(seed.Cotangent, value.Shape()))
		term := r.node(gorgonia.HadamardProd, value, cotangent)
		if !term.IsScalar() {
			term = r.node(gorgonia.Sum, term)
		}
		if total != nil {
			term = r.node(gorgonia.Add, total, term)
		}
		total = term
	}
	return total
}

func (r *Run) gradient(cost *gorgonia.Node, by []*gorgonia.Node) []*gorgonia.Node {
	arguments := []any{cost}
	for _, leaf := range by {
		arguments = append(arguments, leaf)
	}
	return r.nodes(gorgonia.Grad, arguments...)
}

// flatLeaves finds leaves without cotangents: gorgonia refuses to differentiate by one that only step
// functions or nothing reads. Asking writes into the graph, so each leaf has a graph of its own.
func (p *Program) flatLeaves(request *Request, isTapped bool) []bool {
	count := len(p.graph.Inputs)
	if isTapped {
		count += len(p.graph.Nodes)
	}
	flat := make([]bool, count)
	if len(request.Seeds) == 0 {
		for place := range flat {
			flat[place] = true
		}
		return flat
	}
	all := p.built(request, silent(), isTapped)
	if _, err := gorgonia.Grad(all.cost(request.Seeds), all.leaves...); err == nil {
		return flat
	}
	for place := range flat {
		run := p.built(request, silent(), isTapped)
		_, err := gorgonia.Grad(run.cost(request.Seeds), run.leaves[place])
		flat[place] = err != nil && isFlat(err)
	}
	return flat
}

// fitting checks that numbers of a message have that shape.
func fitting(numbers Numbers, shape []int) Numbers {
	if !slices.Equal(numbers.Shape, shape) {
		fail("a tensor has shape %v, not %v", numbers.Shape, shape)
	}
	return numbers
}
