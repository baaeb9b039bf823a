import type { ScalarTerm, SymbolicAlgebra } from "../../../reference/algebras/symbolic/index.ts";
import {
  backpropAllCtx,
  backward,
  backwardDenseFrom,
  type Context,
  compile,
  type GraphData,
  tensor,
  zeros,
} from "../../../reference/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { type Algebra, InvariantError, present, type Shape } from "../../../spec/shapes/index.ts";
import { meaningOf } from "../meaning.ts";
import { derivative } from "./differentiate.ts";

/** A plant changes something in the reference's graph. */
export type Plant = <S>(graph: GraphData<S>, algebra: Algebra<S, unknown>) => GraphData<S>;

/** Leaves the graph as it is. */
export const nothingPlanted: Plant = (graph) => graph;

/** Each way of computing gives the last node's gradient by every input, element after element. */
export interface Gradients<S> {
  readonly tape: readonly S[];
  readonly graph: readonly S[];
  readonly sparse: readonly S[];
}

/** A polynomial graph has no environment. */
const noEnvironment: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * Runs the real tape, `backpropAllCtx` and the sparse loop on a graph with given values: `values` has an
 * entry for every id, whatever forward functions would give. The cotangent stands at the last node and is
 * zero elsewhere.
 */
export function runGradients<S, B>(
  program: PrimitiveGraph,
  algebra: Algebra<S, B>,
  values: Context<S>,
  cotangent: S,
  plant: Plant = nothingPlanted,
): Gradients<S> {
  const planted = plant(meaningOf(program, algebra), algebra);
  const count = program.inputs.length;
  const nodes = planted.nodes.map((node, index) => ({
    ...node,
    forward: () => present(values[count + index], "a value of the node"),
  }));
  const graph: GraphData<S> = { inputs: planted.inputs, nodes };
  const inputs = values.slice(0, count);
  const compiled = compile(algebra.additive, graph, inputs, noEnvironment, "sparse");
  if (!compiled.ok) throw new InvariantError(compiled.error.message);
  const { tape } = compiled.value;
  const last = values.length - 1;
  const output = tensor([], () => cotangent);
  const seed = values.map(({ shape }, id) => (id === last ? output : zeros(algebra.additive, shape)));
  const dense = backwardDenseFrom(algebra.additive, tape, seed);
  const sparse = backward(algebra.additive, tape, last, output);
  if (!dense.ok || !sparse.ok) throw new InvariantError("the tape runs");
  const flat = (entry: (id: number) => readonly S[]): readonly S[] => inputs.flatMap((_, id) => entry(id));
  const peeled = backpropAllCtx(algebra.additive, graph, inputs, noEnvironment, seed);
  const zeroes = (id: number): readonly S[] => zeros(algebra.additive, values[id]?.shape ?? []).data;
  return {
    tape: flat((id) => dense.value[id]?.data ?? []),
    graph: flat((id) => peeled[id]?.data ?? []),
    sparse: flat((id) => sparse.value.get(id)?.data ?? zeroes(id)),
  };
}

/** Names an element of the value at an id. */
export function valueName(id: number, position: number): string {
  return `v_${id}_${position}`;
}

/** Makes an unknown for every element of every id. */
export function unknownValues(program: PrimitiveGraph, a: SymbolicAlgebra): Context<ScalarTerm> {
  return shapesOf(program).map((shape: Shape, id) =>
    tensor(shape, (position) => a.variable(valueName(id, position))),
  );
}

/**
 * Differentiates the last node times `cotangent` by the chain rule: each node's forward function, over the
 * unknown values of its operands, is a term, which is differentiated by each unknown, and slopes are
 * multiplied along all paths from the inputs. No `jvp` or `vjp` is used.
 */
export function symbolicGradient(
  program: PrimitiveGraph,
  a: SymbolicAlgebra,
  cotangent: ScalarTerm,
): readonly ScalarTerm[] {
  const { zero, one, add, multiply } = a.operations;
  const values = unknownValues(program, a);
  const count = program.inputs.length;
  const unknowns = values.slice(0, count).flatMap(({ data }) => data);
  // Each id and element has slopes along the inputs' elements.
  const slopes: (readonly (readonly ScalarTerm[])[])[] = values
    .slice(0, count)
    .map(({ data }) => data.map((x) => unknowns.map((along) => (along === x ? one : zero))));
  for (const [index, node] of meaningOf(program, a).nodes.entries()) {
    const terms = node.forward(values.slice(0, count + index), noEnvironment).data;
    const operands = [...new Set(node.reads)].flatMap((parent) =>
      (values[parent]?.data ?? []).map((operand, position) => ({
        operand,
        before: present(slopes[parent]?.[position], "the slopes of a parent"),
      })),
    );
    slopes.push(
      terms.map((term) => {
        const steps = operands.map(({ operand, before }) => ({
          slope: derivative(a, term, operand),
          before,
        }));
        return unknowns.map((_, along) =>
          steps.reduce(
            (total, { slope, before }) => add(total, multiply(slope, present(before[along], "a slope"))),
            zero,
          ),
        );
      }),
    );
  }
  return (slopes.at(-1)?.[0] ?? []).map((slope) => multiply(cotangent, slope));
}
