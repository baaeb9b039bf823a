import { type Context, type Graph, map, type Tensor, tensor } from "../../../reference/index.ts";
import type { CompositeName } from "../../../spec/composites/index.ts";
import { type Application, shapesOf } from "../../../spec/expansion/index.ts";
import type { PrimitiveNode } from "../../../spec/graph/index.ts";
import { type NodeId, nodeId, present, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import { formats } from "../../../spec/wire/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import {
  anything,
  between,
  type FloatSet,
  floatSet,
  isOnly,
  mayBe,
  ofKinds,
  only,
  union,
} from "../sets/float_set.ts";
import type { Standard } from "../standard/index.ts";

/** These composites divide deviations from a mean by the root of their mean square. */
const normalizing: ReadonlySet<CompositeName> = new Set(["layer_norm", "batch_norm_train", "group_norm"]);

/** This tells which nodes divide deviations by their own root mean square, and which follow on that. */
export interface Normalizations {
  isDivision(id: NodeId): boolean;
  isAfterDivision(id: NodeId): boolean;
  /** Tells whether it is the value of a normalisation of three operands. */
  isRoot(id: NodeId): boolean;
  isWithSame(id: NodeId, other: NodeId): boolean;
  /** Returns what the normalisation with this value normalises. */
  operandOf(root: NodeId): NodeId;
  /** Returns the division in it. */
  divisionOf(root: NodeId): NodeId;
  /** Returns the nodes from the root of the variance to the divisor, which only spread it. */
  divisorsOf(division: NodeId): readonly NodeId[];
}

/** Finds the divisions by a root: the last one of each normalisation. */
export function normalizationsOf({ graph, insides }: PrimitiveCase): Normalizations {
  const idOf = (index: number): NodeId => nodeId(graph.inputs.length + index);
  const isNormalizing = (index: number): boolean => {
    const composite = insides[index]?.composite;
    return composite !== undefined && normalizing.has(composite);
  };
  const divisions = graph.nodes.flatMap(({ op }, index) =>
    op === "divide" && isNormalizing(index) ? [index] : [],
  );
  const isWithSame = (index: number, other: number): boolean =>
    insides[index]?.isWithin(idOf(other)) ?? false;
  const last = divisions.filter(
    (index) => !divisions.some((other) => other > index && isWithSame(index, other)),
  );
  const indexOf = (id: NodeId): number => id - graph.inputs.length;
  const applicationAt = (root: NodeId): Application | undefined =>
    insides[indexOf(root)]?.applications.find(({ value }) => value === root);
  return {
    isDivision: (id) => last.some((index) => idOf(index) === id),
    isAfterDivision: (id) => last.some((index) => idOf(index) < id && isWithSame(index, indexOf(id))),
    isRoot: (id) => {
      const isLast = isNormalizing(indexOf(id)) && insides[indexOf(id)]?.isLast === true;
      const parents = isLast ? (applicationAt(id)?.node.parents ?? []) : [];
      return parents.length === 3 && new Set(parents).size === 3;
    },
    isWithSame: (id, other) => isWithSame(indexOf(id), indexOf(other)),
    operandOf: (root) => present(applicationAt(root)?.node.parents[0], "an operand"),
    divisionOf: (root) => {
      const found = last.find((division) => isWithSame(division, indexOf(root)));
      return idOf(present(found, "a division"));
    },
    divisorsOf: (division) => {
      const chain = [present(graph.nodes[indexOf(division)]?.parents[1], "a divisor")];
      for (;;) {
        const node = present(graph.nodes[indexOf(present(chain[0], "a node"))], "a node");
        if (node.op === "sqrt") return chain;
        chain.unshift(present(node.parents[0], "a parent"));
      }
    },
  };
}

/** A division may make this of 0 by 0, or by 0 of what comes along or back; 0 if it is left out. */
export const byZero: FloatSet = ofKinds("nan", "inf", "-inf", "0", "-0");

/**
 * Returns derivatives by what is divided, where the divisor is 0 in every engine: of zeros, of one element
 * less itself, or of equal ones with an exact mean and mean square, without ε. Elsewhere the root may be of a
 * rounding error, and they any number. `context` are the values.
 */
export function slopesByDivisor(
  question: PrimitiveCase,
  standard: Standard,
  normalizations: Normalizations,
  division: NodeId,
  { nodes }: Graph<FloatSet>,
  context: Context<FloatSet>,
): readonly (FloatSet | undefined)[] {
  const { graph } = question;
  const chain = normalizations.divisorsOf(division);
  const root = present(chain[0], "a root");
  const radicand = present(graph.nodes[root - graph.inputs.length]?.parents[0], "a radicand");
  const size = (id: NodeId): number => present(context[id], "a tensor").data.length;
  const isBare = epsilonOf(question, division) === 0;
  const isAlone = isBare && size(division) === size(root);
  // A group norm reshapes without changing the order.
  const x = context[normalizationOf(question, division)?.node.parents[0] ?? -1]?.data ?? [];
  const deviations = graph.nodes[division - graph.inputs.length]?.parents[0] ?? -1;
  const grouped = { shape: present(context[deviations], "deviations").shape, data: x };
  const groups = groupedLike(grouped, present(context[radicand], "a radicand").shape);
  const areNumbers = (set: FloatSet): boolean => !mayBe(set, "nan", "inf", "-inf", "far", "-far");
  const marks = [...context];
  const { shape, data } = present(context[radicand], "a radicand");
  marks[root] = tensor(shape, (position) => {
    const set = present(data[position], "a radicand");
    const isZero =
      isOnly(set, "0", "-0") ||
      (isAlone && areNumbers(set)) ||
      (isBare && areExactlyEqual(present(groups[position], "a group"), standard));
    return isZero ? ofKinds("0") : only(1);
  });
  for (const id of chain.slice(1)) {
    marks[id] = present(nodes[id - graph.inputs.length], "a node").forward(marks, new Map());
  }
  const divisor = present(marks[present(chain.at(-1), "a divisor")], "a divisor");
  return divisor.data.map((set) => (isOnly(set, "0", "-0") ? byZero : undefined));
}

/** Returns the elements of x that belong to each element of a shape with 1 in place of some extents. */
function groupedLike({ shape, data }: Tensor<FloatSet>, reduced: Shape): readonly (readonly FloatSet[])[] {
  const groups = Array.from({ length: sizeOf(reduced) }, (): FloatSet[] => []);
  for (const [position, set] of data.entries()) {
    let [rest, place, stride] = [position, 0, 1];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const [extent, kept] = [shape[axis] ?? 1, reduced[axis] ?? 1];
      place += (kept === 1 ? 0 : rest % extent) * stride;
      stride *= kept;
      rest = Math.floor(rest / extent);
    }
    present(groups[place], "a group").push(set);
  }
  return groups;
}

/**
 * Tells whether these are equal numbers whose mean and mean square every algorithm has exactly: their count
 * is a power of two, and the sum of their squares a number of the format. Then the variance is 0 by running
 * means, by two passes and by E[x²] − E[x]².
 */
function areExactlyEqual(sets: readonly FloatSet[], { unitRoundoff, dtype }: Standard): boolean {
  const numbers = sets.map(({ pieces: [piece, ...others] }) =>
    piece?.low === piece?.high && others.length === 0 ? piece?.low : undefined,
  );
  const [x] = numbers;
  if (x === undefined || !Number.isFinite(x) || !numbers.every((other) => other === x)) return false;
  if (!Number.isInteger(Math.log2(sets.length))) return false;
  const sum = sets.length * x * x;
  const { smallestNormal, largest } = formats[dtype];
  return x * x >= smallestNormal && sum <= largest && sets.length * digitsOf(x) ** 2 <= 1 / unitRoundoff;
}

/** Returns x without its factors of 2, an odd whole number; its square counts the digits of x². */
function digitsOf(x: number): number {
  let odd = Math.abs(x);
  while (!Number.isInteger(odd)) odd *= 2;
  while (odd % 2 === 0) odd /= 2;
  return odd;
}

/** Returns the normalisation that an id belongs to. */
function normalizationOf({ graph, insides }: PrimitiveCase, id: NodeId): Application | undefined {
  const applications = insides[id - graph.inputs.length]?.applications ?? [];
  return applications.find(({ node }) => node.op !== "differentiate" && normalizing.has(node.op));
}

/** Returns the ε of the normalisation that an id belongs to. */
function epsilonOf(question: PrimitiveCase, id: NodeId): number {
  const attributes = normalizationOf(question, id)?.node.attributes;
  return attributes !== undefined && "epsilon" in attributes ? attributes.epsilon : 0;
}

/** Returns what a normalisation makes of deviations that it divides by a root which may be 0. */
export function normalizedValues(
  question: PrimitiveCase,
  standard: Standard,
  id: NodeId,
  { parents: [parent] }: PrimitiveNode,
  context: Context<FloatSet>,
): Tensor<FloatSet> {
  const { nodes, inputs } = question.graph;
  const deviations = present(parent, "a parent");
  const subtraction = nodes[deviations - inputs.length];
  const operands = present(context[present(subtraction?.parents[0], "a parent")], "an operand").data;
  return map(
    present(context[deviations], "deviations"),
    (deviation) => normalizedSet(question, standard, id, deviation, operands) ?? anything,
  );
}

/**
 * Returns a deviation by the root mean square of all, which is at most √n, with room for what squares and
 * means lose to rounding; NaN or infinite where the root is 0. An engine that multiplies x and its mean by
 * 1/σ apart is off by some u|x|/σ more, where σ is at least √ε, or, without ε, the mean square of multiples
 * of an ulp.
 */
function normalizedSet(
  question: PrimitiveCase,
  { unitRoundoff }: Standard,
  id: NodeId,
  deviation: FloatSet,
  operands: readonly FloatSet[],
): FloatSet | undefined {
  if (mayBe(deviation, "nan", "inf", "-inf", "far", "-far")) return undefined;
  const largest = Math.max(0, ...operands.map(({ up, down }) => Math.max(up, down)));
  const epsilon = epsilonOf(question, id);
  const apart = epsilon > 0 ? (8 * unitRoundoff * largest) / Math.sqrt(epsilon) : 0;
  const size = 10 * Math.sqrt(sizeOf(present(shapesOf(question.graph)[id], "a shape"))) + apart;
  if (!Number.isFinite(size)) return undefined;
  return union(floatSet(between(-size, size)), ofKinds("nan", "inf", "-inf"));
}
