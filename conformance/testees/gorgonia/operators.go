package main

import (
	"fmt"
	"math"
	"strings"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

var negativeZero = math.Copysign(0, -1)

// Call is an operator with its operands.
type Call struct {
	*Run
	id          int
	given       Attributes
	operands    []*gorgonia.Node
	environment map[string]Numbers
}

// plain wraps a function of gorgonia's that takes the operands alone.
func plain(function any) func(*Call) *gorgonia.Node {
	return func(c *Call) *gorgonia.Node {
		arguments := make([]any, len(c.operands))
		for place, operand := range c.operands {
			arguments[place] = operand
		}
		return c.node(function, arguments...)
	}
}

// comparison wraps a comparison, whose truth values have its operands' precision.
func comparison(function func(a, b *gorgonia.Node, retSame bool) (*gorgonia.Node, error)) func(*Call) *gorgonia.Node {
	return func(c *Call) *gorgonia.Node { return c.node(function, c.operands[0], c.operands[1], true) }
}

// partial holds operators that gorgonia has in part: for images, equal padding, forward slices, or one axis.
var partial = []string{"conv", "max_pool", "avg_pool", "slice", "norm", "batch_norm_train", "group_norm"}

// operators lists the operators. gorgonia lacks where, stop_gradient, tan and its like, erf, gather,
// cumulative sums, solve and sort; pad would be a concat.
var operators = map[string]func(*Call) *gorgonia.Node{
	"constant":     constant,
	"full":         full,
	"negative":     plain(gorgonia.Neg),
	"exp":          plain(gorgonia.Exp),
	"log":          plain(gorgonia.Log),
	"sin":          plain(gorgonia.Sin),
	"cos":          plain(gorgonia.Cos),
	"tanh":         plain(gorgonia.Tanh),
	"sqrt":         plain(gorgonia.Sqrt),
	"relu":         plain(gorgonia.Rectify),
	"floor":        plain(gorgonia.Floor),
	"expm1":        plain(gorgonia.Expm1),
	"log1p":        plain(gorgonia.Log1p),
	"log2":         plain(gorgonia.Log2),
	"add":          plain(gorgonia.Add),
	"subtract":     plain(gorgonia.Sub),
	"multiply":     plain(gorgonia.HadamardProd),
	"divide":       plain(gorgonia.HadamardDiv),
	"maximum":      plain(gorgonia.MaxBetween),
	"less":         comparison(gorgonia.Lt),
	"equal":        comparison(gorgonia.Eq),
	"pow":          plain(gorgonia.Pow),
	"sum":          reduction(gorgonia.Sum),
	"broadcast_to": broadcastTo,
	"reshape":      func(c *Call) *gorgonia.Node { return c.reshaped(c.operands[0], c.given.integers("shape")) },
	"permute_dims": permuteDims,
	"concat":       concat,
	"take":         take,
	"slice":        sliced,
	"matmul":       matmul,
	// These are composites.
	"abs":              plain(gorgonia.Abs),
	"sign":             plain(gorgonia.Sign),
	"square":           plain(gorgonia.Square),
	"reciprocal":       plain(gorgonia.Inverse),
	"ceil":             plain(gorgonia.Ceil),
	"minimum":          plain(gorgonia.MinBetween),
	"not_equal":        comparison(gorgonia.Ne),
	"less_equal":       comparison(gorgonia.Lte),
	"greater":          comparison(gorgonia.Gt),
	"greater_equal":    comparison(gorgonia.Gte),
	"sigmoid":          plain(gorgonia.Sigmoid),
	"softplus":         plain(gorgonia.Softplus),
	"leaky_relu":       func(c *Call) *gorgonia.Node { return c.node(gorgonia.LeakyRelu, c.operands[0], c.given.real("slope")) },
	"softmax":          along(gorgonia.SoftMax),
	"log_softmax":      along(gorgonia.LogSoftMax),
	"mean":             reduction(gorgonia.Mean),
	"max":              reduction(gorgonia.Max),
	"norm":             norm,
	"logsumexp":        logsumexp,
	"outer":            outer,
	"embedding":        embedding,
	"conv":             conv,
	"max_pool":         maxPool,
	"avg_pool":         avgPool,
	"batch_norm_train": batchNormTrain,
	"group_norm":       groupNorm,
}

func constant(c *Call) *gorgonia.Node {
	name := c.given.text("name")
	numbers, known := c.environment[name]
	if !known {
		fail("there is no entry %s", name)
	}
	return c.leaf(fmt.Sprintf("c%d", c.id), numbers)
}

func full(c *Call) *gorgonia.Node {
	return c.filled("c", c.given.integers("shape"), c.given.real("value"))
}

func (c *Call) filled(name string, shape []int, value float64) *gorgonia.Node {
	data := make([]float64, sizeOf(shape))
	for place := range data {
		data[place] = value
	}
	return c.leaf(fmt.Sprintf("%s%d", name, c.id), Numbers{shape, data})
}

// reduction wraps a reduction, as gorgonia keeps no axes and takes no axes for all.
func reduction(function func(*gorgonia.Node, ...int) (*gorgonia.Node, error)) func(*Call) *gorgonia.Node {
	return func(c *Call) *gorgonia.Node {
		axes := c.given.integers("axes")
		if len(axes) == 0 {
			return c.operands[0]
		}
		arguments := []any{c.operands[0]}
		for _, axis := range axes {
			arguments = append(arguments, axis)
		}
		return c.kept(c.node(function, arguments...), axes)
	}
}

// kept restores the reduced axes where they are to be kept.
func (c *Call) kept(reduced *gorgonia.Node, axes []int) *gorgonia.Node {
	if !c.given.flag("keepdims") {
		return reduced
	}
	shape := c.operands[0].Shape()
	for _, axis := range axes {
		shape[axis] = 1
	}
	return c.reshaped(reduced, shape)
}

// along wraps a function along one axis.
func along(function func(*gorgonia.Node, ...int) (*gorgonia.Node, error)) func(*Call) *gorgonia.Node {
	return func(c *Call) *gorgonia.Node { return c.node(function, c.operands[0], c.given.integer("axis")) }
}

func norm(c *Call) *gorgonia.Node {
	axes := c.given.integers("axes")
	if len(axes) != 1 {
		decline("gorgonia's norm is along one axis")
	}
	return c.kept(c.node(gorgonia.Norm, c.operands[0], axes[0], 2), axes)
}

func logsumexp(c *Call) *gorgonia.Node {
	axes := c.given.integers("axes")
	if len(axes) != 1 {
		decline("gorgonia's LogSumExp is along one axis")
	}
	return c.kept(c.node(gorgonia.LogSumExp, c.operands[0], axes[0]), axes)
}

func matmul(c *Call) *gorgonia.Node {
	if c.operands[0].Dims() == 2 {
		return c.node(gorgonia.Mul, c.operands[0], c.operands[1])
	}
	return c.node(gorgonia.BatchedMatMul, c.operands[0], c.operands[1])
}

func outer(c *Call) *gorgonia.Node { return c.node(gorgonia.OuterProd, c.operands[0], c.operands[1]) }

// isFlat tells whether an error says that nothing with a derivative depends on a leaf.
func isFlat(err error) bool {
	return strings.Contains(err.Error(), "Non Differentiable WRTs") || strings.Contains(err.Error(), "Non-Differentable Outputs")
}

// indices returns an entry's indices as a node.
func (c *Call) indices(limit int) *gorgonia.Node {
	numbers, known := c.environment[c.given.text("indices")]
	if !known {
		fail("there is no entry %s", c.given.text("indices"))
	}
	if len(numbers.Shape) != 1 || numbers.Shape[0] == 0 {
		decline("gorgonia's indices are a vector")
	}
	numbers.indices(limit)
	return c.Recorder.given(c.graph, tensor.Int, fmt.Sprintf("i%d", c.id), numbers)
}
