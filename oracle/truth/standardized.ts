import { type Context, type Graph, type Tensor, tensor } from "../../reference/index.ts";
import { type Application, type CompositeName, shapesOf } from "../../spec/composites/index.ts";
import { type NodeId, nodeId, present, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { formats } from "../../spec/wire/index.ts";
import type { PrimitiveCase } from "../case/index.ts";
import { between, either, isOnly, mayBe, only, type Possible, possible, those } from "./possible.ts";
import type { Standard } from "./standard.ts";

/** Composites that divide deviations from a mean by the root of their mean square. */
const normalizing: ReadonlySet<CompositeName> = new Set(["layer_norm", "batch_norm_train", "group_norm"]);

/** The nodes of a case that are deviations by their own root mean square, and what is made of those in the same composite. */
export interface Standardized {
  isDivision(id: NodeId): boolean;
  isAfterDivision(id: NodeId): boolean;
  /** Whether it is the value of a normalisation of three operands. */
  isRoot(id: NodeId): boolean;
  isWithSame(id: NodeId, other: NodeId): boolean;
  /** What the normalisation with this value normalises, */
  operandOf(root: NodeId): NodeId;
  /** and the division in it. */
  divisionOf(root: NodeId): NodeId;
  /** The nodes from the root of the variance to what a division divides by, which only spread it. */
  divisorsOf(division: NodeId): readonly NodeId[];
}

/** The last division of each normalisation is the one by the root. */
export function standardizedOf({ graph, insides }: PrimitiveCase): Standardized {
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

/** What a division may make of 0 by 0, or by 0 of what comes along or back: 0 of those who leave it out. */
export const byZero: Possible = those("nan", "inf", "-inf", "0", "-0");

/**
 * The derivatives by what is divided, where the divisor is 0 whatever an engine computes: of zeros, of one element less itself,
 * or of equal ones whose mean and mean square are exact, without ε. Elsewhere the root may be of a rounding error, and they may be any number. `context` are the values.
 */
export function slopesByDivisor(
  question: PrimitiveCase,
  standard: Standard,
  standardized: Standardized,
  division: NodeId,
  { nodes }: Graph<Possible>,
  context: Context<Possible>,
): readonly (Possible | undefined)[] {
  const { graph } = question;
  const chain = standardized.divisorsOf(division);
  const root = present(chain[0], "a root");
  const radicand = present(graph.nodes[root - graph.inputs.length]?.parents[0], "a radicand");
  const size = (id: NodeId): number => present(context[id], "a tensor").data.length;
  const isBare = epsilonOf(question, division) === 0;
  const isAlone = isBare && size(division) === size(root);
  // What a group norm reshapes keeps its order.
  const x = context[normalizationOf(question, division)?.node.parents[0] ?? -1]?.data ?? [];
  const deviations = graph.nodes[division - graph.inputs.length]?.parents[0] ?? -1;
  const grouped = { shape: present(context[deviations], "deviations").shape, data: x };
  const groups = groupedLike(grouped, present(context[radicand], "a radicand").shape);
  const areNumbers = (set: Possible): boolean => !mayBe(set, "nan", "inf", "-inf", "far", "-far");
  const marks = [...context];
  const { shape, data } = present(context[radicand], "a radicand");
  marks[root] = tensor(shape, (position) => {
    const set = present(data[position], "a radicand");
    const isZero =
      isOnly(set, "0", "-0") ||
      (isAlone && areNumbers(set)) ||
      (isBare && areExactlyEqual(present(groups[position], "a group"), standard));
    return isZero ? those("0") : only(1);
  });
  for (const id of chain.slice(1)) {
    marks[id] = present(nodes[id - graph.inputs.length], "a node").forward(marks, new Map());
  }
  const divisor = present(marks[present(chain.at(-1), "a divisor")], "a divisor");
  return divisor.data.map((set) => (isOnly(set, "0", "-0") ? byZero : undefined));
}

/** The elements of x that belong to each element of a shape with 1 in place of some extents. */
function groupedLike({ shape, data }: Tensor<Possible>, reduced: Shape): readonly (readonly Possible[])[] {
  const groups = Array.from({ length: sizeOf(reduced) }, (): Possible[] => []);
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
 * Whether these are one number so often, and of so few digits, that every algorithm has its mean and its mean square without a
 * rounding: so often as a power of two says, and the sum of the squares is a number of the format. Then what is left of the
 * variance is 0 by running means, by two passes and by E[x²] − E[x]².
 */
function areExactlyEqual(sets: readonly Possible[], { unitRoundoff, dtype }: Standard): boolean {
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

/** The odd whole number that is x but for a power of two; its square counts the digits of x². */
function digitsOf(x: number): number {
  let odd = Math.abs(x);
  while (!Number.isInteger(odd)) odd *= 2;
  while (odd % 2 === 0) odd /= 2;
  return odd;
}

/** The normalisation that an id belongs to. */
function normalizationOf({ graph, insides }: PrimitiveCase, id: NodeId): Application | undefined {
  const applications = insides[id - graph.inputs.length]?.applications ?? [];
  return applications.find(({ node }) => node.op !== "differentiate" && normalizing.has(node.op));
}

/** The ε of the normalisation that an id belongs to. */
function epsilonOf({ graph, insides }: PrimitiveCase, id: NodeId): number {
  const applications = insides[id - graph.inputs.length]?.applications ?? [];
  for (const { node } of applications) {
    if (node.op === "layer_norm" || node.op === "batch_norm_train" || node.op === "group_norm") {
      return node.attributes.epsilon;
    }
  }
  return 0;
}

/** A deviation from a mean, and the numbers that it is taken of. */
export interface Standardization {
  readonly deviation: Possible;
  readonly operands: readonly Possible[];
}

/**
 * A deviation by the root mean square of all of them, which is no larger than √n, twice that for what squares and means
 * lose to rounding; NaN or infinite where the root is 0. An engine that multiplies x and its mean by 1/σ, each for
 * itself, is off by some u|x|/σ more: σ is at least √ε, or, where ε is 0, the mean square of multiples of an ulp.
 */
export function standardizedSet(
  question: PrimitiveCase,
  { unitRoundoff }: Standard,
  id: NodeId,
  { deviation, operands }: Standardization,
): Possible | undefined {
  if (mayBe(deviation, "nan", "inf", "-inf", "far", "-far")) return undefined;
  const largest = Math.max(0, ...operands.map(({ up, down }) => Math.max(up, down)));
  const epsilon = epsilonOf(question, id);
  const apart = epsilon > 0 ? (8 * unitRoundoff * largest) / Math.sqrt(epsilon) : 0;
  const size = 10 * Math.sqrt(sizeOf(present(shapesOf(question.graph)[id], "a shape"))) + apart;
  if (!Number.isFinite(size)) return undefined;
  return either(possible(between(-size, size)), those("nan", "inf", "-inf"));
}
