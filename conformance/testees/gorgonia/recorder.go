package main

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strconv"
	"strings"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Recorder calls gorgonia and records each call as a line of Go before making it, so that a script cannot
// differ from the calls and a failing call is seen.
type Recorder struct {
	lines []string
	// This holds the names of nodes in the text.
	names map[*gorgonia.Node]string
	// This holds the text of each tensor of the answer; empty where gorgonia is not asked.
	answers []string
	isOn    bool
}

func silent() *Recorder { return &Recorder{} }

func recording() *Recorder { return &Recorder{names: map[*gorgonia.Node]string{}, isOn: true} }

func (r *Recorder) line(format string, parts ...any) {
	if r.isOn {
		r.lines = append(r.lines, fmt.Sprintf(format, parts...))
	}
}

// node returns the node that a function of gorgonia's makes. Fails: with its error.
func (r *Recorder) node(function any, arguments ...any) *gorgonia.Node {
	made := r.call(function, arguments...).(*gorgonia.Node)
	r.named(made)
	return made
}

// nodes returns the nodes that a function of gorgonia's makes.
func (r *Recorder) nodes(function any, arguments ...any) gorgonia.Nodes {
	made := r.call(function, arguments...).(gorgonia.Nodes)
	if r.isOn {
		name := r.assigned()
		for place, node := range made {
			r.names[node] = fmt.Sprintf("%s[%d]", name, place)
		}
	}
	return made
}

func (r *Recorder) call(function any, arguments ...any) any {
	values := make([]reflect.Value, len(arguments))
	texts := make([]string, len(arguments))
	kind := reflect.TypeOf(function)
	for place, argument := range arguments {
		values[place] = reflect.ValueOf(argument)
		if argument == nil {
			values[place] = reflect.Zero(parameter(kind, place))
		}
		if r.isOn {
			texts[place] = r.text(argument)
		}
	}
	call := fmt.Sprintf("%s(%s)", functionName(function), strings.Join(texts, ", "))
	if kind.NumOut() > 1 {
		call = "must(" + call + ")"
	}
	r.line("%s", call)
	results := reflect.ValueOf(function).Call(values)
	if err, failed := results[len(results)-1].Interface().(error); failed {
		fail("%v", err)
	}
	return results[0].Interface()
}

func parameter(function reflect.Type, place int) reflect.Type {
	if function.IsVariadic() && place >= function.NumIn()-1 {
		return function.In(function.NumIn() - 1).Elem()
	}
	return function.In(place)
}

func (r *Recorder) named(node *gorgonia.Node) {
	if _, known := r.names[node]; r.isOn && !known {
		r.names[node] = r.assigned()
	}
}

// assigned names what the last line makes; `withoutUnread` removes the name if nothing reads it.
func (r *Recorder) assigned() string {
	last := len(r.lines) - 1
	name := fmt.Sprintf("v%d", last)
	r.lines[last] = name + " := " + r.lines[last]
	return name
}

func functionName(function any) string {
	path := runtime.FuncForPC(reflect.ValueOf(function).Pointer()).Name()
	return path[strings.LastIndex(path, "/")+1:]
}

func (r *Recorder) text(argument any) string {
	switch value := argument.(type) {
	case nil:
		return "nil"
	case *gorgonia.Node:
		return r.names[value]
	case tensor.Shape:
		return fmt.Sprintf("tensor.Shape{%s}", joined(value))
	case []int:
		return fmt.Sprintf("[]int{%s}", joined(value))
	case []byte:
		return fmt.Sprintf("[]byte{%s}", joined(value))
	case tensor.Slice:
		return fmt.Sprintf("gorgonia.S(%d, %d, %d)", value.Start(), value.End(), value.Step())
	case float64:
		return literal(value)
	case int, bool:
		return fmt.Sprint(value)
	}
	if reflect.TypeOf(argument).Kind() == reflect.Func {
		return functionName(argument)
	}
	fail("%T has no text", argument)
	return ""
}

func joined[T any](values []T) string {
	texts := make([]string, len(values))
	for place, value := range values {
		texts[place] = fmt.Sprint(value)
	}
	return strings.Join(texts, ", ")
}

// literal writes a number as Go reads it.
func literal(x float64) string {
	switch {
	case math.IsNaN(x):
		return "math.NaN()"
	case math.IsInf(x, 0):
		return fmt.Sprintf("math.Inf(%d)", map[bool]int{true: -1, false: 1}[x < 0])
	case x == 0 && math.Signbit(x):
		return "math.Copysign(0, -1)"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// given makes a node with a value of its own.
func (r *Recorder) given(g *gorgonia.ExprGraph, dtype tensor.Dtype, name string, numbers Numbers) *gorgonia.Node {
	kind := map[tensor.Dtype]string{tensor.Float64: "float64", tensor.Float32: "float32", tensor.Int: "int"}[dtype]
	texts := make([]string, len(numbers.Data))
	for place, x := range numbers.Data {
		texts[place] = literal(x)
		if dtype == tensor.Float32 {
			texts[place] = literal(float64(float32(x)))
			if strings.HasPrefix(texts[place], "math.") {
				texts[place] = "float32(" + texts[place] + ")"
			}
		}
	}
	place := len(r.lines)
	var node *gorgonia.Node
	if len(numbers.Shape) == 0 {
		r.line("gorgonia.NewScalar(g, tensor.%s, gorgonia.WithName(%q), gorgonia.WithValue(%s(%s)))", titled(kind), name, kind, texts[0])
		node = gorgonia.NewScalar(g, dtype, gorgonia.WithName(name), gorgonia.WithValue(elementOf(dtype, numbers.Data[0])))
	} else {
		shape := joined(numbers.Shape)
		r.line(
			"gorgonia.NewTensor(g, tensor.%s, %d, gorgonia.WithShape(%s), gorgonia.WithName(%q), gorgonia.WithValue(tensor.New(tensor.WithShape(%s), tensor.WithBacking([]%s{%s}))))",
			titled(kind), len(numbers.Shape), shape, name, shape, kind, strings.Join(texts, ", "),
		)
		value := tensor.New(tensor.WithShape(numbers.Shape...), tensor.WithBacking(backing(dtype, numbers.Data)))
		node = gorgonia.NewTensor(
			g, dtype, len(numbers.Shape), gorgonia.WithShape(numbers.Shape...), gorgonia.WithName(name), gorgonia.WithValue(value),
		)
	}
	if r.isOn && place < len(r.lines) {
		r.named(node)
	}
	return node
}

func titled(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

func elementOf(dtype tensor.Dtype, x float64) any {
	if dtype == tensor.Float32 {
		return float32(x)
	}
	return x
}

func backing(dtype tensor.Dtype, data []float64) any {
	switch dtype {
	case tensor.Float32:
		narrow := make([]float32, len(data))
		for place, x := range data {
			narrow[place] = float32(x)
		}
		return narrow
	case tensor.Int:
		whole := make([]int, len(data))
		for place, x := range data {
			whole[place] = int(x)
		}
		return whole
	}
	return append([]float64{}, data...)
}
