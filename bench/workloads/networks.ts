import type { AttributesOf } from "../../spec/composites/index.ts";
import { type Graph, graph, nodeId, type Scope, type Shape, sizeOf, type Value } from "../../spec/index.ts";
import { objectiveOf, type Problem, tensor } from "../gradbench/graphs/problem.ts";
import { EVALUATION_SEED, numpyUniform } from "../gradbench/points.ts";

/** Images of this extent go through layers of kernels 3×3 with these channels, of stride 2 but the first. */
export interface ConvolutionSizes {
  readonly batch: number;
  readonly extent: number;
  readonly channels: readonly number[];
}

/** A block of attention: so many sequences of so many positions of this width. */
export interface AttentionSizes {
  readonly batch: number;
  readonly length: number;
  readonly width: number;
  readonly heads: number;
}

/** A transformer's block has a perceptron with so many hidden units too. */
export interface TransformerSizes extends AttentionSizes {
  readonly hidden: number;
}

/** A perceptron of these widths is held to a differential equation in (t, x) at so many points. */
export interface EquationSizes {
  readonly points: number;
  readonly widths: readonly number[];
}

/** Declares an input or an entry of Δ whose numbers are uniform within 1/√fan. */
type Declare = (name: string, shape: Shape, fan: number) => Value;

/** Builds a problem whose inputs and data are float32 numbers, drawn one after the other. */
function problem(name: string, build: (weight: Declare, data: Declare, scope: Scope) => Value): Problem {
  const drawn: {
    readonly name: string;
    readonly shape: Shape;
    readonly fan: number;
    readonly isData: boolean;
  }[] = [];
  const built = graph((scope) => {
    const declare =
      (isData: boolean): Declare =>
      (entry, shape, fan) => {
        drawn.push({ name: entry, shape, fan, isData });
        return isData ? scope.parameter(entry, shape) : scope.input(entry, shape);
      };
    return build(declare(false), declare(true), scope);
  });
  const stream = numpyUniform(
    EVALUATION_SEED,
    0,
    drawn.reduce((sum, { shape }) => sum + sizeOf(shape), 0),
  );
  let used = 0;
  const filled = drawn.map(({ shape, fan, ...entry }) => {
    used += sizeOf(shape);
    const numbers = stream.slice(used - sizeOf(shape), used);
    return {
      ...entry,
      numbers: tensor(
        shape,
        numbers.map((x) => Math.fround((2 * x - 1) / Math.sqrt(fan))),
      ),
    };
  });
  return {
    name,
    graph: built,
    point: {
      inputs: filled.flatMap(({ isData, numbers }) => (isData ? [] : [numbers])),
      environment: new Map(
        filled.flatMap((entry) => (entry.isData ? [[entry.name, entry.numbers] as const] : [])),
      ),
    },
    outputs: [objectiveOf(built)],
  };
}

/** Returns the mean of the squares of all elements. */
function meanSquare(x: Value): Value {
  const axes = x.shape.map((_, axis) => axis);
  return x.multiply(x).sum({ axes, keepdims: false }).divide(sizeOf(x.shape));
}

/** Builds the mean square of what a network's last layer misses its targets by, by all kernels. */
export function convolutions({ batch, extent, channels }: ConvolutionSizes): Problem {
  return problem(`convolutions ${channels.join("-")} of ${extent}²`, (weight, data) => {
    const kernels = channels
      .slice(1)
      .map((to, n) => weight(`kernels ${n}`, [to, channels[n] ?? 0, 3, 3], 9 * (channels[n] ?? 0)));
    const last = kernels.reduce(
      (x, w, n) => {
        const strides = n === 0 ? [1, 1] : [2, 2];
        const padding = [
          [1, 1],
          [1, 1],
        ] as const;
        const seen = x.conv(w, { strides, padding, dilations: [1, 1], groups: 1 });
        return n < kernels.length - 1 ? seen.relu() : seen;
      },
      data("images", [batch, channels[0] ?? 0, extent, extent], 1),
    );
    return meanSquare(last.subtract(data("targets", last.shape, 1)));
  });
}

function attentionWeights(weight: Declare, width: number): readonly [Value, Value, Value, Value] {
  const square = (name: string): Value => weight(name, [width, width], width);
  return [square("wq"), square("wk"), square("wv"), square("wo")];
}

/** Builds the mean square of what self-attention misses its targets by, by the tokens and all projections. */
export function attention({ batch, length, width, heads }: AttentionSizes): Problem {
  return problem(`attention ${batch}×${length}×${width}`, (weight, data, scope) => {
    const x = weight("x", [batch, length, width], 1);
    const y = scope.multi_head_attention(x, x, ...attentionWeights(weight, width), { heads, causal: false });
    return meanSquare(y.subtract(data("targets", y.shape, 1)));
  });
}

/** Builds the same of a whole block of a transformer, by the tokens and all weights. */
export function transformer({ batch, length, width, heads, hidden }: TransformerSizes): Problem {
  return problem(`transformer ${batch}×${length}×${width}`, (weight, data, scope) => {
    const x = weight("x", [batch, length, width], 1);
    const [scale1, offset1] = [weight("scale1", [width], 1), weight("offset1", [width], 1)];
    const projections = attentionWeights(weight, width);
    const [scale2, offset2] = [weight("scale2", [width], 1), weight("offset2", [width], 1)];
    const [w1, b1] = [weight("w1", [width, hidden], width), weight("b1", [hidden], width)];
    const [w2, b2] = [weight("w2", [hidden, width], hidden), weight("b2", [width], hidden)];
    const y = scope.transformer_block(
      ...([x, scale1, offset1, ...projections, scale2, offset2, w1, b1, w2, b2] as const),
      { heads, causal: false, epsilon: 1e-5 },
    );
    return meanSquare(y.subtract(data("targets", y.shape, 1)));
  });
}

/** The derivative of a graph's last value by, or along, one of its inputs. */
function derivative(inner: Graph, mode: "jvp" | "vjp", wrt: number): AttributesOf["differentiate"] {
  return { graph: inner, mode, of: objectiveOf(inner), wrt: nodeId(wrt) };
}

/** Makes a graph of the same inputs of such a derivative, along ones or from ones. */
function derived(attributes: AttributesOf["differentiate"], ones: Shape): Graph {
  return graph((scope) => {
    const all = attributes.graph.inputs.map(({ name, shape }) => scope.input(name, shape));
    scope.differentiate(...all, scope.full({ shape: ones, value: 1 }), attributes);
  });
}

/**
 * Builds the mean square of uₜ − uₓₓ for a tanh perceptron u(t, x), by its weights: a network that is taught
 * the heat equation.
 */
export function heatEquation({ points, widths }: EquationSizes): Problem {
  const layers = widths.slice(1).map((to, n) => ({ from: widths[n] ?? 0, to }));
  const names = layers.flatMap(({ from, to }, n) => [
    { name: `weight ${n}`, shape: [from, to], fan: from },
    { name: `bias ${n}`, shape: [to], fan: from },
  ]);
  const u = graph((scope) => {
    const [t, x] = [scope.input("t", [points, 1]), scope.input("x", [points, 1])];
    const weights = names.map(({ name, shape }) => scope.input(name, shape));
    return layers.reduce(
      (seen, _, n) => {
        const [w, b] = [weights[2 * n], weights[2 * n + 1]];
        if (w === undefined || b === undefined) throw new Error("a layer has a weight and a bias");
        const affine = seen.matmul(w).add(b);
        return n < layers.length - 1 ? affine.tanh() : affine;
      },
      scope.concat(t, x, { axis: 1 }),
    );
  });
  const column = [points, 1];
  const along = derivative(u, "jvp", 0);
  const twice = derivative(derived(derivative(u, "vjp", 1), column), "jvp", 1);
  return problem(`heat equation ${widths.join("-")} at ${points} points`, (weight, data, scope) => {
    const weights = names.map(({ name, shape, fan }) => weight(name, shape, fan));
    const operands = [data("t", column, 1), data("x", column, 1), ...weights];
    const ones = scope.full({ shape: column, value: 1 });
    const [first, second] = [along, twice].map((of) => scope.differentiate(...operands, ones, of));
    if (first === undefined || second === undefined) throw new Error("two derivatives");
    return meanSquare(first.subtract(second));
  });
}
