// gonum's dual numbers: https://pkg.go.dev/gonum.org/v1/gonum/num/dual, forward mode.
package main

import (
	"adjudge.example/kit"
	"gonum.org/v1/gonum/num/dual"
)

type number = dual.Number

func main() {
	kit.Scalars[number]{
		Name:     "gonum",
		Version:  "0.17.0",
		Links:    []string{"https://github.com/gonum/gonum"},
		Constant: func(x float64) number { return number{Real: x} },
		Value:    func(x number) float64 { return x.Real },
		Forward: &kit.Forward[number]{
			Dual:    func(x, tangent float64) number { return number{Real: x, Emag: tangent} },
			Tangent: func(x number) float64 { return x.Emag },
		},
		Operators: map[string]any{
			"add": dual.Add, "subtract": dual.Sub, "multiply": dual.Mul, "pow": dual.Pow,
			"negative": func(x number) number { return dual.Scale(-1, x) }, "reciprocal": dual.Inv,
			"abs": dual.Abs, "exp": dual.Exp, "log": dual.Log, "sqrt": dual.Sqrt,
			"sin": dual.Sin, "cos": dual.Cos, "tan": dual.Tan, "asin": dual.Asin, "acos": dual.Acos, "atan": dual.Atan,
			"sinh": dual.Sinh, "cosh": dual.Cosh, "tanh": dual.Tanh,
			"asinh": dual.Asinh, "acosh": dual.Acosh, "atanh": dual.Atanh,
		},
	}.Serve()
}
