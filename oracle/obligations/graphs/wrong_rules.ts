import { addTensors, map, type SparseContext, type Tensor, zeros } from "../../../reference/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { type Algebra, type NodeId, present } from "../../../spec/shapes/index.ts";
import type { Plant } from "./gradients.ts";

/** A wrong rule spoils the `vjp` of one operator in every node of a graph. */
export interface WrongRule {
  readonly name: string;
  readonly operator: PrimitiveName;
  readonly fault: string;
  readonly plant: Plant;
}

/** Spoils what a node gives to its parents, in order. */
type Spoil = <S>(algebra: Algebra<S, unknown>, given: readonly Tensor<S>[]) => readonly Tensor<S>[];

function wrongRule(name: string, operator: PrimitiveName, fault: string, spoil: Spoil): WrongRule {
  const spoiled = <S>(algebra: Algebra<S, unknown>, given: SparseContext<S>): SparseContext<S> => {
    const tensors = spoil(algebra, [...given.values()]);
    return new Map(
      [...given].map(([id, right], position): [NodeId, Tensor<S>] => [id, tensors[position] ?? right]),
    );
  };
  const plant: Plant = (graph, algebra) => ({
    inputs: graph.inputs,
    nodes: graph.nodes.map((node) =>
      node.name !== operator
        ? node
        : {
            ...node,
            vjp: (context, environment, cotangent) =>
              spoiled(algebra, node.vjp(context, environment, cotangent)),
          },
    ),
  });
  return { name, operator, fault, plant };
}

/** Each operator of the generated graphs has a wrong rule. */
export const wrongRules: readonly WrongRule[] = [
  wrongRule("negative-sign", "negative", "the vjp of negative forgets the sign", (algebra, given) =>
    given.map((x) => map(x, present(algebra.levels.ring, "a ring").negative)),
  ),
  wrongRule(
    "multiply-swapped",
    "multiply",
    "the vjp of × gives each operand the other's cotangent",
    (_, given) => (given.length < 2 ? given.map((x) => x) : [...given].reverse()),
  ),
  wrongRule("multiply-doubled", "multiply", "the vjp of × gives everything twice", (algebra, given) =>
    given.map((x) => addTensors(algebra.additive, x, x)),
  ),
  wrongRule("add-first", "add", "the vjp of + gives nothing to the first operand", (algebra, given) =>
    given.map((x, position) => (position === 0 ? zeros(algebra.additive, x.shape) : x)),
  ),
  wrongRule("sum-doubled", "sum", "the vjp of sum gives everything twice", (algebra, given) =>
    given.map((x) => addTensors(algebra.additive, x, x)),
  ),
];
