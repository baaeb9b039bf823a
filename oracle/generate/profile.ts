import { type CompositeName, compositeNames } from "../../spec/composites/index.ts";
import {
  type OperatorName,
  type PrimitiveName,
  primitiveNames,
  primitives,
} from "../../spec/operators/index.ts";
import { edges, positEdges } from "./edges.ts";

/** What a campaign's cases are drawn from. Every bound is inclusive. */
export interface CaseProfile {
  readonly name: string;
  /** The least and the most computed nodes; fewer come out only where no operator fits, and a motif that was begun is finished. */
  readonly nodes: readonly [number, number];
  readonly inputs: readonly [number, number];
  /** The operators to draw from. */
  readonly operators: readonly OperatorName[];
  /** How many axes a drawn shape has: each of these as likely, and no more than `maximumRank`. */
  readonly ranks: readonly [number, ...number[]];
  /** 0 draws scalars alone. */
  readonly maximumRank: number;
  /** A case's extents are two or three of these, of 1 and of 0. */
  readonly extents: readonly number[];
  /** The most elements of any one value. */
  readonly maximumElements: number;
  /**
   * The most factors a value may be a product of. Every product adds the numerators' bits, and a squaring chain
   * doubles them at each step: without this bound exact numbers grow beyond any computer.
   */
  readonly maximumDegree: number;
  /** The most operands of an operator that takes any number: `concat` and `stack`. */
  readonly maximumOperands: number;
  /** Whether operands are mostly the values just computed, so that graphs are long rather than wide. */
  readonly isChain: boolean;
  /** What comes in wholes between single nodes: any operator with any that reads it, or the motifs of networks. */
  readonly plants?: "pairs" | "motifs";
  /** Numbers that take the place of about half of those of a point. */
  readonly replacements?: readonly number[];
  /** How many of them a case has; all unless told. */
  readonly fewReplacements?: number;
}

/** Several profiles, one of which a case is drawn from by its index. */
export interface Mix {
  readonly name: string;
  /** After so many cases the profiles come in the same turns again. */
  readonly period: number;
  /** The profile of the case at an index. */
  profileAt(index: number): CaseProfile;
}

/** What the cases of a campaign are drawn from. */
export type Drawing = CaseProfile | Mix;

/** The operators whose operands and result have one shape, and whose values are not whole numbers. */
const elementwise: readonly OperatorName[] = primitiveNames.filter(
  (name) => primitives[name].isElementwise === true && !["floor", "less", "equal"].includes(name),
);

/** Whether the operator's values are rational numbers where its operands are. */
function isRational(name: PrimitiveName): boolean {
  const { needs } = primitives[name];
  return needs !== "real" && needs !== "orderedReal";
}

/** Small tensors of rank 0 to 3 and every primitive: what engines are judged by unless one says otherwise. */
export const tensorProfile: CaseProfile = {
  name: "tensor",
  nodes: [1, 14],
  inputs: [1, 4],
  operators: primitiveNames,
  ranks: [0, 1, 1, 2, 2, 3, 3],
  maximumRank: 3,
  extents: [2, 3, 4],
  maximumElements: 24,
  maximumDegree: 16,
  maximumOperands: 3,
  isChain: false,
};

/** Twenty nodes on scalars: what the benchmark counts. */
export const scalar20Profile: CaseProfile = {
  ...tensorProfile,
  name: "scalar20",
  nodes: [20, 20],
  inputs: [1, 5],
  operators: ["constant", ...elementwise],
  maximumRank: 0,
};

/** Operators that rationals can compute, so that an answer is judged to the last bit of the true value. */
export const exactProfile: CaseProfile = {
  ...tensorProfile,
  name: "exact",
  operators: primitiveNames.filter(isRational),
};

/** The composites that have no graph within them. */
const wholeNames: readonly CompositeName[] = compositeNames.filter((name) => name !== "differentiate");

/** A few composites, with primitives between them. */
export const compositeProfile: CaseProfile = {
  ...tensorProfile,
  name: "composite",
  nodes: [1, 6],
  inputs: [1, 3],
  operators: [...wholeNames, "add", "multiply", "sin", "broadcast_to", "reshape", "constant"],
  // Most expansions divide numbers that are not rational, and nothing grows there; exact truth has a limit of its own.
  maximumDegree: 1024,
};

/** Every operator, mostly in pairs of which any is as likely as another: one that reads what the other gives. */
export const pairProfile: CaseProfile = {
  ...compositeProfile,
  name: "pair",
  nodes: [7, 15],
  operators: [...primitiveNames, ...wholeNames],
  // Two axes of an image or a batch, and those of what is taken of it.
  maximumRank: 5,
  plants: "pairs",
};

/** What networks are made of: about half of the nodes are those of motifs, the others of any operators. */
export const networkProfile: CaseProfile = {
  ...pairProfile,
  name: "network",
  nodes: [4, 12],
  plants: "motifs",
};

/** Operators that move elements, among them those whose shapes may be empty, and one that tells them apart. */
export const arrangingProfile: CaseProfile = {
  ...tensorProfile,
  name: "arranging",
  nodes: [1, 8],
  operators: [
    "sum",
    "broadcast_to",
    "reshape",
    "permute_dims",
    "concat",
    "take",
    "slice",
    "pad",
    "take_along_axis",
    "gather",
    "scatter_add",
    "cumulative_sum",
    "multiply",
  ],
};

/** Few operators, with kinks, poles and masks, on few operands of few shapes: so that one meets the other. */
export const kinkProfile: CaseProfile = {
  ...tensorProfile,
  name: "kink",
  nodes: [2, 8],
  inputs: [1, 2],
  operators: ["constant", "negative", "sqrt", "log", "pow", "relu", "subtract", "divide", "maximum", "where"],
  maximumRank: 1,
};

/**
 * Fewer and larger shapes: for engines that compile each operator for each shape, which takes them longer than all the
 * numbers. A case has some twenty times the numbers of one of `tensor`.
 */
export const wideProfile: CaseProfile = {
  ...tensorProfile,
  name: "wide",
  maximumRank: 2,
  extents: [3, 40],
  maximumElements: 2048,
};

/** Up to 200 scalar nodes, mostly one after the other. */
export const chainProfile: CaseProfile = {
  ...scalar20Profile,
  name: "chain",
  nodes: [120, 200],
  inputs: [1, 3],
  isChain: true,
};

/** Up to six axes of few elements each: what is written for three axes shows here. */
export const ranksProfile: CaseProfile = {
  ...tensorProfile,
  name: "ranks",
  nodes: [1, 8],
  ranks: [0, 1, 2, 3, 4, 4, 5, 5, 6, 6],
  maximumRank: 6,
  extents: [2, 2, 3],
  maximumElements: 72,
  operators: [
    ...primitiveNames,
    "mean",
    "max",
    "softmax",
    "log_softmax",
    "batch_norm_eval",
    "cumulative_prod",
    "sort",
    "einsum",
    "inv",
  ],
};

/** Operators whose attributes have many corners, on matrices and on up to three axes before them. */
export const cornersProfile: CaseProfile = {
  ...compositeProfile,
  name: "corners",
  nodes: [2, 7],
  ranks: [1, 2, 2, 3, 3, 4, 4, 5],
  maximumRank: 5,
  extents: [2, 3, 4],
  maximumElements: 72,
  operators: [
    "broadcast_to",
    "permute_dims",
    "take",
    "concat",
    "matmul",
    "solve",
    "det",
    "scatter_add",
    "constant",
    "reshape",
    "add",
    "prod",
    "min",
    "var",
    "logsumexp",
    "norm",
    "argmax",
    "stack",
    "split",
    "roll",
    "tile",
    "one_hot",
    "diagonal",
    "tril",
    "triu",
    "top_k",
    "trace",
    "cholesky",
    "triangular_solve",
    "layer_norm",
    "scaled_dot_product_attention",
    "nll",
  ],
};

/** Convolution and pooling along one axis, two and three, on images of few elements. */
export const windowsProfile: CaseProfile = {
  ...compositeProfile,
  name: "windows",
  nodes: [2, 5],
  inputs: [1, 2],
  ranks: [3, 4, 4, 5, 5],
  maximumRank: 5,
  extents: [1, 2, 4],
  maximumElements: 72,
  operators: ["conv", "conv_transpose", "max_pool", "avg_pool", "group_norm", "reshape", "constant", "relu"],
};

/** Axes of a thousand elements and some, of which the last fill no vector register, under few nodes. */
export const longProfile: CaseProfile = {
  ...tensorProfile,
  name: "long",
  nodes: [1, 3],
  inputs: [1, 2],
  ranks: [1, 1, 2],
  maximumRank: 2,
  extents: [1001, 1003, 1006, 1013, 1022, 1039],
  maximumElements: 2100,
  maximumDegree: 4,
  operators: [
    ...primitiveNames.filter((name) => !["matmul", "solve", "det"].includes(name)),
    "mean",
    "max",
    "softmax",
    "vecdot",
  ],
};

/** Many inputs, and operators of many operands. */
export const crowdProfile: CaseProfile = {
  ...tensorProfile,
  name: "crowd",
  nodes: [4, 14],
  inputs: [11, 16],
  ranks: [1, 2, 3, 3],
  maximumRank: 3,
  extents: [1, 2, 3],
  maximumElements: 72,
  maximumOperands: 9,
  operators: [
    "concat",
    "stack",
    "einsum",
    "where",
    "add",
    "subtract",
    "multiply",
    "maximum",
    "hypot",
    "sin",
    "sum",
    "reshape",
    "broadcast_to",
    "permute_dims",
    "scatter_add",
    "matmul",
    "constant",
  ],
};

/** Few primitives on few small tensors, at NaN, infinities, zeros of either sign and the ends of the formats' ranges. */
export const edgesProfile: CaseProfile = {
  ...tensorProfile,
  name: "edges",
  nodes: [1, 6],
  inputs: [1, 3],
  ranks: [0, 1, 1, 2],
  maximumRank: 2,
  extents: [2, 3],
  maximumElements: 6,
  replacements: edges,
};

/** Arithmetic, and two functions, on small tensors of numbers where the precision of posits changes; most of the sums are inner products. */
export const positsProfile: CaseProfile = {
  ...edgesProfile,
  name: "posits",
  nodes: [1, 2],
  inputs: [2, 3],
  ranks: [2],
  maximumDegree: 2,
  operators: [
    "add",
    "subtract",
    "multiply",
    "multiply",
    "divide",
    "sqrt",
    "negative",
    "floor",
    "exp",
    "sin",
    "sum",
    "matmul",
    "matmul",
    "matmul",
  ],
  replacements: positEdges,
  fewReplacements: 4,
};

/** A chain of scalars in which more than 256 nodes come one after the other. */
export const deepProfile: CaseProfile = {
  ...chainProfile,
  name: "deep",
  nodes: [420, 480],
};

/** How often a derivative is drawn for each primitive that is. */
const NESTED_WEIGHT = 40;

/** What a derivative of a derivative tells most of, drawn so often again. */
const toldWithin = [
  "multiply",
  "multiply",
  "stop_gradient",
  "stop_gradient",
  "relu",
  "where",
  "pow",
] as const;
const TOLD_WEIGHT = 6;

/** Few smooth operators and some with kinks on small tensors, and derivatives of parts of the graph, up to three within each other. */
export const nestedProfile: CaseProfile = {
  ...tensorProfile,
  name: "nested",
  nodes: [4, 12],
  inputs: [1, 3],
  ranks: [0, 0, 1, 1, 2],
  maximumRank: 2,
  extents: [2, 3],
  maximumElements: 9,
  operators: [
    ...primitiveNames,
    "sigmoid",
    "softmax",
    "logsumexp",
    "inv",
    ...Array.from({ length: NESTED_WEIGHT }, () => "differentiate" as const),
    ...Array.from({ length: TOLD_WEIGHT }, () => toldWithin).flat(),
  ],
};

/** The profiles by name, for the command line and for replay. */
export const profiles: ReadonlyMap<string, CaseProfile> = new Map(
  [
    tensorProfile,
    compositeProfile,
    pairProfile,
    networkProfile,
    arrangingProfile,
    kinkProfile,
    scalar20Profile,
    exactProfile,
    wideProfile,
    chainProfile,
    ranksProfile,
    cornersProfile,
    windowsProfile,
    longProfile,
    crowdProfile,
    deepProfile,
    edgesProfile,
    nestedProfile,
    positsProfile,
  ].map((profile) => [profile.name, profile]),
);

/**
 * `profile` with only the operators that `supported` names too: what an engine that lacks some is asked. Made once for both, since every
 * case of a campaign asks for it.
 */
export function restrict(profile: CaseProfile, supported: readonly OperatorName[]): CaseProfile {
  const made = restrictions.get(profile) ?? new WeakMap<readonly OperatorName[], CaseProfile>();
  restrictions.set(profile, made);
  const known = made.get(supported);
  if (known !== undefined) return known;
  const restricted = { ...profile, operators: profile.operators.filter((name) => supported.includes(name)) };
  made.set(supported, restricted);
  return restricted;
}

const restrictions = new WeakMap<CaseProfile, WeakMap<readonly OperatorName[], CaseProfile>>();
