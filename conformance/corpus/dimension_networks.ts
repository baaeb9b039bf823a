import { type Builder, graph, type Scope, type Value } from "../../spec/builder/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, nodeId, present, type Shape } from "../../spec/shapes/index.ts";

/** Counts of collocation points and of hidden units. */
const POINTS = 4;
const HIDDEN = 3;

/** A function of some coordinates that a network with one hidden layer computes; `unit` is its value's. */
export interface Field {
  readonly name: string;
  readonly coordinates: readonly string[];
}

/** Returns the names and shapes of a field's parameters. */
function parametersOf({ name, coordinates }: Field): readonly (readonly [string, Shape])[] {
  return [
    ...coordinates.map((coordinate): readonly [string, Shape] => [`${name}_${coordinate}`, [1, HIDDEN]]),
    [`${name}_bias`, [1, HIDDEN]],
    [`${name}_out`, [HIDDEN, 1]],
  ];
}

/** The shape of a coordinate and of a field: one number for each collocation point. */
export const column: Shape = [POINTS, 1];

/** Computes `out · tanh (Σ coordinate · weight + bias)`; inputs are the coordinates, then the parameters. */
function fieldValue({ coordinates }: Field, inputs: readonly Value[]): Value {
  const count = coordinates.length;
  const bias = at(inputs, 2 * count);
  const weighted = coordinates.map((_, i) => at(inputs, i).matmul(at(inputs, count + i)));
  const sum = weighted.reduce((total, part) => total.add(part)).add(bias);
  return sum.tanh().matmul(at(inputs, 2 * count + 1));
}

/** Makes a graph of the field alone, whose coordinates and parameters are inputs. */
function graphOf(field: Field): Graph {
  return graph(({ input }) => {
    const coordinates = field.coordinates.map((name) => input(name, column));
    const parameters = parametersOf(field).map(([name, shape]) => input(name, shape));
    fieldValue(field, [...coordinates, ...parameters]);
  });
}

/** Makes the graph of a derivative along a coordinate, with the inputs of the graph it differentiates. */
function along(inner: Graph, coordinate: number): Graph {
  return graph((builder) => {
    const inputs = inner.inputs.map(({ name, shape }) => builder.input(name, shape));
    differentiated(builder, inner, coordinate, inputs);
  });
}

/** Differentiates along a dimensionless tangent of ones, so the result has the unit of value / coordinate. */
function differentiated(scope: Scope, inner: Graph, wrt: number, inputs: readonly Value[]): Value {
  const one = scope.full({ shape: column, value: 1 });
  const of = nodeId(inner.inputs.length + inner.nodes.length - 1);
  return scope.differentiate(...inputs, one, { graph: inner, mode: "jvp", of, wrt: nodeId(wrt) });
}

/** A field within a graph: its value, its derivatives along coordinates, and cotangents. */
export interface FieldAt {
  readonly value: Value;
  readonly parameters: readonly Value[];
  /** Differentiates along coordinates in turn, nesting `differentiate`: `by("x", "x")` is ∂²/∂x². */
  by(...coordinates: readonly string[]): Value;
  /** Returns a parameter's cotangent from the mean square of the field's derivative. */
  gradient(parameter: number): Value;
}

/** Declares a field's parameters as inputs; `place` puts it at coordinates once all inputs are declared. */
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

/** Returns the mean of the squares of a column, as a scalar. */
export function meanSquare(x: Value): Value {
  return x.multiply(x).mean({ axes: [0, 1], keepdims: false });
}

/** Returns the sum of the squares of all elements. */
export function squares(x: Value): Value {
  return x.multiply(x).sum({ axes: x.shape.map((_, axis) => axis), keepdims: false });
}
