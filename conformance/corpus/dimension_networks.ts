import { type Builder, graph, type Scope, type Value } from "../../spec/builder/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, nodeId, present, type Shape } from "../../spec/shapes/index.ts";

/** How many collocation points there are, and hidden units. */
const POINTS = 4;
const HIDDEN = 3;

/** A network of one hidden layer: a function of some coordinates, with weights for each, biases, and weights that give its unit. */
export interface Field {
  readonly name: string;
  readonly coordinates: readonly string[];
}

/** The names of a field's parameters, and their shapes. */
function parametersOf({ name, coordinates }: Field): readonly (readonly [string, Shape])[] {
  return [
    ...coordinates.map((coordinate): readonly [string, Shape] => [`${name}_${coordinate}`, [1, HIDDEN]]),
    [`${name}_bias`, [1, HIDDEN]],
    [`${name}_out`, [HIDDEN, 1]],
  ];
}

/** The shape of a coordinate, and of a field: a number at each collocation point. */
export const column: Shape = [POINTS, 1];

/** The field at the points: `out · tanh (Σ coordinate · weight + bias)`. Inputs are the coordinates, then the parameters. */
function fieldValue({ coordinates }: Field, inputs: readonly Value[]): Value {
  const count = coordinates.length;
  const bias = at(inputs, 2 * count);
  const weighted = coordinates.map((_, i) => at(inputs, i).matmul(at(inputs, count + i)));
  const sum = weighted.reduce((total, part) => total.add(part)).add(bias);
  return sum.tanh().matmul(at(inputs, 2 * count + 1));
}

/** A field as a graph of its own. */
function graphOf(field: Field): Graph {
  return graph(({ input }) => {
    const coordinates = field.coordinates.map((name) => input(name, column));
    const parameters = parametersOf(field).map(([name, shape]) => input(name, shape));
    fieldValue(field, [...coordinates, ...parameters]);
  });
}

/** The derivative of a graph's last value along a coordinate, as a graph with the same inputs. */
function along(inner: Graph, coordinate: number): Graph {
  return graph((builder) => {
    const inputs = inner.inputs.map(({ name, shape }) => builder.input(name, shape));
    differentiated(builder, inner, coordinate, inputs);
  });
}

/** A tangent of 1 is a number, so that the derivative has the field's dimension over the coordinate's. */
function differentiated(scope: Scope, inner: Graph, wrt: number, inputs: readonly Value[]): Value {
  const one = scope.full({ shape: column, value: 1 });
  const of = nodeId(inner.inputs.length + inner.nodes.length - 1);
  return scope.differentiate(...inputs, one, { graph: inner, mode: "jvp", of, wrt: nodeId(wrt) });
}

/** A field in a graph: its value, and its derivative along any coordinates in turn. */
export interface FieldAt {
  readonly value: Value;
  readonly parameters: readonly Value[];
  /** `by("x", "x")` is the second derivative along x: one `differentiate` in the other. */
  by(...coordinates: readonly string[]): Value;
  /** The cotangents of the parameters that come of a mean square of the field's derivative. */
  gradient(parameter: number): Value;
}

/** Declares a field's parameters as inputs; `place` puts it at coordinates once all inputs are there. */
export function declareField(
  builder: Builder,
  field: Field,
): (coordinates: ReadonlyMap<string, Value>) => FieldAt {
  const parameters = parametersOf(field).map(([name, shape]) => builder.input(name, shape));
  return (coordinates) => {
    const given = field.coordinates.map((name) => present(coordinates.get(name), name));
    const inputs = [...given, ...parameters];
    const whole = graphOf(field);
    return {
      value: fieldValue(field, inputs),
      parameters,
      by: (...names) => {
        const places = names.map((name) => field.coordinates.indexOf(name));
        const inner = places.slice(0, -1).reduce((graphSoFar, place) => along(graphSoFar, place), whole);
        return differentiated(builder, inner, at(places, places.length - 1), inputs);
      },
      gradient: (parameter) => {
        const of = nodeId(whole.inputs.length + whole.nodes.length - 1);
        const wrt = nodeId(field.coordinates.length + parameter);
        const one = builder.full({ shape: column, value: 1 });
        return builder.differentiate(...inputs, one, { graph: whole, mode: "vjp", of, wrt });
      },
    };
  };
}

/** The mean of the squares, a number. */
export function meanSquare(x: Value): Value {
  return x.multiply(x).mean({ axes: [0, 1], keepdims: false });
}

/** The sum of the squares of all elements. */
export function squares(x: Value): Value {
  return x.multiply(x).sum({ axes: x.shape.map((_, axis) => axis), keepdims: false });
}
