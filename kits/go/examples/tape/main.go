// A tape of scalars, which the kit asks in reverse mode; cli/commands/init.slow.test.ts judges it.
package main

import (
	"math"

	"adjudge.example/kit"
)

// Var is a number and its place on the tape, −1 where nothing is differentiated.
type Var struct {
	value float64
	place int
}

// slope says how a number on the tape depends on another one.
type slope struct {
	of Var
	by float64
}

var tape [][]slope

func noted(value float64, slopes ...slope) Var {
	tape = append(tape, slopes)
	return Var{value, len(tape) - 1}
}

func record(values []float64) []Var {
	tape = nil
	inputs := make([]Var, len(values))
	for place, value := range values {
		inputs[place] = noted(value)
	}
	return inputs
}

func gradient(y Var, inputs []Var) []float64 {
	bars := make([]float64, len(tape))
	if y.place >= 0 {
		bars[y.place] = 1
	}
	for place := len(tape) - 1; place >= 0; place-- {
		for _, slope := range tape[place] {
			if slope.of.place >= 0 {
				bars[slope.of.place] += bars[place] * slope.by
			}
		}
	}
	found := make([]float64, len(inputs))
	for place, input := range inputs {
		found[place] = bars[input.place]
	}
	return found
}

func main() {
	kit.Scalars[Var]{
		Name:     "tape",
		Version:  "0.1.0",
		Constant: func(x float64) Var { return Var{x, -1} },
		Value:    func(x Var) float64 { return x.value },
		Reverse:  &kit.Reverse[Var]{Record: record, Gradient: gradient},
		Operators: map[string]any{
			"negative": func(x Var) Var { return noted(-x.value, slope{x, -1}) },
			"exp":      func(x Var) Var { return noted(math.Exp(x.value), slope{x, math.Exp(x.value)}) },
			"sqrt":     func(x Var) Var { return noted(math.Sqrt(x.value), slope{x, 0.5 / math.Sqrt(x.value)}) },
			"add":      func(x, y Var) Var { return noted(x.value+y.value, slope{x, 1}, slope{y, 1}) },
			"subtract": func(x, y Var) Var { return noted(x.value-y.value, slope{x, 1}, slope{y, -1}) },
			"multiply": func(x, y Var) Var { return noted(x.value*y.value, slope{x, y.value}, slope{y, x.value}) },
		},
	}.Serve()
}
