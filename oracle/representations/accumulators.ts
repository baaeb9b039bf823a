import { shapesOf } from "../../spec/expansion/index.ts";
import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { Quire, StorageFormat } from "./storage_formats.ts";

/** Each element of such a node is a sum of at most `terms` terms. */
export interface Accumulation {
  readonly id: NodeId;
  readonly terms: number;
  /** Each term is a product of elements of these factors. */
  readonly factors: readonly NodeId[];
  /** This counts the terms of all elements together. */
  readonly operations: number;
}

/** Finds the sums in a graph: `sum`, `matmul`, `cumulative_sum`. Cost: linear in the nodes. */
export function accumulationsOf(graph: PrimitiveGraph): Accumulation[] {
  const shapes = shapesOf(graph);
  return graph.nodes.flatMap((node, index) => {
    const id = nodeId(graph.inputs.length + index);
    const operands = node.parents.map((parent) => at(shapes, parent));
    const terms = termsOf(node.op, operands, at(shapes, id));
    if (terms === undefined || terms < 2) return [];
    const factors = node.op === "matmul" ? node.parents : node.parents.slice(0, 1);
    return [{ id, terms, factors, operations: terms * sizeOf(at(shapes, id)) }];
  });
}

function termsOf(op: string, [first = [], ..._]: readonly Shape[], result: Shape): number | undefined {
  if (op === "matmul") return first.at(-1);
  if (op === "sum") return sizeOf(result) === 0 ? undefined : sizeOf(first) / sizeOf(result);
  return op === "cumulative_sum" ? Math.max(...result) : undefined;
}

function nameOf({ bits, roundsAt }: Quire): string {
  return `quire of ${bits} bits${roundsAt === undefined ? "" : `, to 2^-${roundsAt}`}`;
}

/** A quire is sure to hold this many terms [Posit Standard (2022), 3.4: 31 bits of carry guard]. */
const MOST_IN_QUIRE = 2 ** 31 - 1;

/**
 * Names what adds the terms exactly, by the formats of the factors: the wider of their quires, which says
 * where it rounds products that end below it, or an integer that holds as many products of any codes (2ᵇ⁻¹ of
 * each, 2ᵇ with a zero point). Where nothing does, it is a float64, which rounds each addition.
 */
export function accumulatorOf(terms: number, factors: readonly (StorageFormat | undefined)[]): string {
  const formats = factors.flatMap((format) => format ?? []);
  const isKnown = formats.length === factors.length;
  const quires = formats.flatMap(({ accumulator }) => (accumulator.kind === "quire" ? [accumulator] : []));
  const [quire] = quires.toSorted((a, b) => b.bits - a.bits);
  if (isKnown && quire !== undefined && quires.length === formats.length)
    return terms <= MOST_IN_QUIRE ? nameOf(quire) : `more than a ${nameOf(quire)}`;
  if (!isKnown || formats.some(({ accumulator }) => accumulator.kind !== "integer")) return "float64";
  const sizes = formats.map(({ name, bits }) => 2n ** BigInt(name.startsWith("asym") ? bits : bits - 1));
  const most = BigInt(terms) * sizes.reduce((product, size) => product * size, 1n);
  if (most <= 2n ** 31n - 1n) return "int32";
  return most <= 2n ** 63n - 1n ? "int64" : "more than int64";
}
