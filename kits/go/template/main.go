// An adapter for adjudge: what a number of the library is, and its functions by the names of adjudge's
// operators.
package main

import (
	"math"

	"adjudge.example/kit"
)

// Dual is the library: dual numbers. Yours is imported instead.
type Dual struct{ value, tangent float64 }

// chained makes a function of one number from its value and its slope.
func chained(value, slope func(x float64) float64) func(Dual) Dual {
	return func(x Dual) Dual { return Dual{value(x.value), x.tangent * slope(x.value)} }
}

func main() {
	kit.Scalars[Dual]{
		Name:     "my library",
		Version:  "0.1.0",
		Constant: func(x float64) Dual { return Dual{x, 0} },
		Value:    func(x Dual) float64 { return x.value },
		Forward: &kit.Forward[Dual]{
			Dual:    func(x, tangent float64) Dual { return Dual{x, tangent} },
			Tangent: func(x Dual) float64 { return x.tangent },
		},
		Operators: map[string]any{
			"negative": chained(func(x float64) float64 { return -x }, func(float64) float64 { return -1 }),
			"exp":      chained(math.Exp, math.Exp),
			"expm1":    chained(math.Expm1, math.Exp),
			"log":      func(x Dual) Dual { return Dual{math.Log(x.value), x.tangent / x.value} },
			"log1p":    func(x Dual) Dual { return Dual{math.Log1p(x.value), x.tangent / (1 + x.value)} },
			"sqrt":     chained(math.Sqrt, func(x float64) float64 { return 0.5 / math.Sqrt(x) }),
			"add":      func(x, y Dual) Dual { return Dual{x.value + y.value, x.tangent + y.tangent} },
			"subtract": func(x, y Dual) Dual { return Dual{x.value - y.value, x.tangent - y.tangent} },
			"multiply": func(x, y Dual) Dual {
				return Dual{x.value * y.value, x.tangent*y.value + x.value*y.tangent}
			},
			"divide": func(x, y Dual) Dual {
				return Dual{x.value / y.value, (x.tangent - x.value/y.value*y.tangent) / y.value}
			},
		},
	}.Serve()
}
