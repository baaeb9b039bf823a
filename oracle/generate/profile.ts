import { type CompositeName, compositeNames, type OperatorName } from "../../spec/composites/index.ts";
import { type PrimitiveName, primitiveNames, primitives } from "../../spec/operators/index.ts";
import type { InPart } from "../../spec/promises/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import type { Limits } from "../../spec/wire/index.ts";
import { edges, positEdges, type Replacements } from "./edges.ts";

/** A campaign draws its cases from a profile. Every bound is inclusive. */
export interface CaseProfile {
  readonly name: string;
  /** These bound the computed nodes. Fewer come where no operator fits; more where a motif is finished. */
  readonly nodes: readonly [number, number];
  /** No more nodes are drawn once all expand to this many primitives, which stand for the cost of a case. */
  readonly maximumPrimitives?: number;
  readonly inputs: readonly [number, number];
  readonly operators: readonly OperatorName[];
  /** Each of these ranks is equally likely for a drawn shape, and capped by `maximumRank`. */
  readonly ranks: readonly [number, ...number[]];
  /** If this is 0, all values are scalars. */
  readonly maximumRank: number;
  /** Inputs have these shapes, or such as broadcast to them; else ranks and extents are drawn. */
  readonly shapes?: readonly [Shape, ...Shape[]];
  /** A case takes its extents from these, and from 1 and 0. */
  readonly extents: readonly number[];
  /** No value has more elements. */
  readonly maximumElements: number;
  /**
   * No value is a product of more factors. Every product adds the bits of numerators and a squaring chain
   * doubles them: without this bound exact numbers outgrow any computer.
   */
  readonly maximumDegree: number;
  /** An operator of any number of operands, `concat` or `stack`, gets at most this many. */
  readonly maximumOperands: number;
  /** Operands are mostly the values just computed, so that graphs are long rather than wide. */
  readonly isChain: boolean;
  /**
   * Between single nodes come pairs of an operator and one that reads it, motifs of networks, or fusions; or
   * there are only operators in turn, which read inputs, with or without numbers of every class.
   */
  readonly plants?: "pairs" | "motifs" | "fusions" | "readers" | "turns";
  /**
   * All tangents and cotangents are generic; or those of some cases are huge, tiny, equal or zero; or even
   * infinite or NaN.
   */
  readonly seeds: "generic" | "finite" | "any";
  readonly replacements?: Replacements;
  /** Nodes are moved into these limits of an engine, or else not drawn. */
  readonly promised?: InPart;
}

/** A mix draws each case from one of several profiles, chosen by the case's index. */
export interface Mix {
  readonly name: string;
  /** The profiles repeat after this many cases. */
  readonly period: number;
  /** Returns the profile of the case at an index. */
  profileAt(index: number): CaseProfile;
}

/**
 * Several cases in a row are about one graph: the first is drawn from a profile or the mix, those behind it
 * ask elsewhere. An engine that compiles each graph for its shapes then does so once for all of them.
 */
export interface AtPoints {
  /** The name of what is drawn from, and the number of points: `mix:16`. */
  readonly name: string;
  readonly of: CaseProfile | Mix;
  readonly points: number;
}

/** The cases of a campaign are drawn from one of these. */
export type Drawing = CaseProfile | Mix | AtPoints;

/** These operators keep one shape and do not give whole numbers. */
const elementwise: readonly OperatorName[] = primitiveNames.filter(
  (name) => primitives[name].isElementwise === true && !["floor", "less", "equal"].includes(name),
);

/** Tells whether the operator maps rational numbers to rational numbers. */
function isRational(name: PrimitiveName): boolean {
  const { needs } = primitives[name];
  return needs !== "real" && needs !== "orderedReal";
}

/** Draws small tensors of rank 0 to 3 and every primitive. */
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
  seeds: "finite",
};

/** Draws twenty scalar nodes, as the benchmark counts them. */
export const scalar20Profile: CaseProfile = {
  ...tensorProfile,
  name: "scalar20",
  seeds: "generic",
  nodes: [20, 20],
  inputs: [1, 5],
  operators: ["constant", ...elementwise],
  maximumRank: 0,
};

/** Draws operators that rationals can compute, so that answers are judged to the last bit. */
export const exactProfile: CaseProfile = {
  ...tensorProfile,
  name: "exact",
  seeds: "generic",
  operators: primitiveNames.filter(isRational),
};

/** These composites have no inner graph. */
const wholeNames: readonly CompositeName[] = compositeNames.filter((name) => name !== "differentiate");

/** Draws a few composites with primitives between them. */
export const compositeProfile: CaseProfile = {
  ...tensorProfile,
  name: "composite",
  nodes: [1, 6],
  inputs: [1, 3],
  operators: [...wholeNames, "add", "multiply", "sin", "broadcast_to", "reshape", "constant"],
  // Expansions mostly divide irrational numbers, whose digits do not grow; exact truth has its own limit.
  maximumDegree: 1024,
};

/** Draws few different operators in a case, many of which read each other; other cases have other ones. */
export const pairProfile: CaseProfile = {
  ...compositeProfile,
  name: "pair",
  seeds: "any",
  nodes: [20, 26],
  maximumPrimitives: 52,
  // Small tensors leave time for more pairs, and meet more often; other profiles draw the larger ones.
  extents: [2, 2, 3],
  maximumElements: 24,
  operators: [...primitiveNames, ...wholeNames],
  // This has room for two axes of images or batches, and for those of what is taken of them.
  maximumRank: 5,
  plants: "pairs",
};

/** Draws networks: about half of the nodes belong to motifs, the others are of any operator. */
export const networkProfile: CaseProfile = {
  ...compositeProfile,
  operators: pairProfile.operators,
  maximumRank: 5,
  name: "network",
  seeds: "finite",
  nodes: [4, 12],
  extents: [2, 3, 4],
  maximumElements: 24,
  plants: "motifs",
};

/** Draws what compilers rewrite, and what comes next to it, on few small tensors. */
export const fusedProfile: CaseProfile = {
  ...networkProfile,
  name: "fused",
  seeds: "any",
  nodes: [6, 16],
  ranks: [1, 2, 2, 3, 3, 4],
  extents: [2, 2, 3],
  maximumElements: 60,
  plants: "fusions",
  replacements: {
    numbers: [0, 1, Number.NaN, Number.POSITIVE_INFINITY],
    few: 1,
    every: 12,
    areUniform: true,
  },
};

/** Draws operators that move elements, some on empty shapes, and `multiply`, which tells elements apart. */
export const arrangingProfile: CaseProfile = {
  ...tensorProfile,
  name: "arranging",
  nodes: [1, 8],
  // biome-ignore format: a list
  operators: [
    "sum", "broadcast_to", "reshape", "permute_dims", "concat", "take", "slice", "pad", "take_along_axis",
    "gather", "scatter_add", "cumulative_sum", "multiply",
  ],
};

/** Draws few operators, with kinks, poles and masks, on few operands of few shapes, so that they meet. */
export const kinkProfile: CaseProfile = {
  ...tensorProfile,
  name: "kink",
  seeds: "any",
  nodes: [2, 8],
  inputs: [1, 2],
  operators: ["constant", "negative", "sqrt", "log", "pow", "relu", "subtract", "divide", "maximum", "where"],
  maximumRank: 1,
};

/**
 * Draws fewer and larger shapes, for engines that spend most time compiling for each shape. A case has some
 * twenty times the numbers of one of `tensor`.
 */
export const wideProfile: CaseProfile = {
  ...tensorProfile,
  name: "wide",
  maximumRank: 2,
  extents: [3, 40],
  maximumElements: 2048,
};

/** Draws up to 165 scalar nodes, mostly one after the other. */
export const chainProfile: CaseProfile = {
  ...scalar20Profile,
  name: "chain",
  nodes: [130, 165],
  inputs: [1, 3],
  isChain: true,
};

/** Draws up to eight axes of few elements each, to reveal code written for three axes. */
export const ranksProfile: CaseProfile = {
  ...tensorProfile,
  name: "ranks",
  nodes: [1, 8],
  ranks: [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 8],
  maximumRank: 8,
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
    "var",
    "min",
    "prod",
    "logsumexp",
    "argmax",
    "top_k",
    "flip",
    "roll",
    "stack",
    "split",
    "layer_norm",
    "diagonal",
    "vecdot",
    "inv",
  ],
};

/** Draws operators whose attributes have many corners, on matrices with up to three batch axes. */
export const cornersProfile: CaseProfile = {
  ...compositeProfile,
  name: "corners",
  nodes: [2, 7],
  ranks: [1, 2, 2, 3, 3, 4, 4, 5],
  maximumRank: 5,
  extents: [2, 3, 4],
  maximumElements: 72,
  // biome-ignore format: a list
  operators: [
    "broadcast_to", "permute_dims", "take", "concat", "matmul", "solve", "det", "scatter_add", "constant",
    "reshape", "add", "prod", "min", "var", "logsumexp", "norm", "argmax", "stack", "split", "roll",
    "tile", "one_hot", "diagonal", "tril", "triu", "top_k", "trace", "cholesky", "triangular_solve",
    "layer_norm", "scaled_dot_product_attention", "nll",
  ],
};

/** Draws convolution and pooling along one axis, two and three, on images of few elements. */
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

/** These operators, beside products, are cheap enough for long axes. */
const lengthwise: readonly OperatorName[] = [
  ...primitiveNames.filter((name) => !["matmul", "solve", "det"].includes(name)),
  ...(["mean", "max", "softmax", "vecdot"] as const),
];

/**
 * Draws few nodes on axes next to 256, 1024, 2048 and 4096 elements, the longer ones seldom: most do not fill
 * the last vector register, or the last block of a blocked sum.
 */
export const longProfile: CaseProfile = {
  ...tensorProfile,
  name: "long",
  nodes: [1, 3],
  inputs: [1, 2],
  ranks: [1, 1, 2],
  maximumRank: 2,
  extents: [257, 257, 258, 259, 263, 271, 273, 287, 289, 300, 1025, 1039, 2100, 4097, 4097],
  maximumElements: 4200,
  maximumDegree: 4,
  operators: lengthwise,
};

/** Draws in turn what runs along an axis, on axes of more than 256 and of more than 1024 elements. */
export const lengthsProfile: CaseProfile = {
  ...longProfile,
  name: "lengths",
  nodes: [4, 5],
  shapes: [[271], [300], [1025], [1039], [1100]],
  extents: [2, 3],
  maximumElements: 1100,
  // biome-ignore format: a list
  operators: [
    "sum", "broadcast_to", "reshape", "permute_dims", "concat", "take", "slice", "pad", "take_along_axis",
    "gather", "scatter_add", "cumulative_sum", "constant", "mean", "max", "min", "var", "norm", "logsumexp",
    "softmax", "log_softmax", "layer_norm", "split", "flip", "roll", "vecdot",
  ],
  plants: "turns",
};

/** Draws products of matrices whose inner axis has 33 to 129 elements, and batches of 128 to 300. */
export const broadProfile: CaseProfile = {
  ...longProfile,
  name: "broad",
  nodes: [3, 7],
  // biome-ignore format: a list
  shapes: [
    [2, 33], [3, 65], [2, 129], [1, 100], [33, 2], [128, 2, 2], [257, 1, 2], [130, 2, 1], [300, 1, 1],
  ],
  maximumRank: 3,
  extents: [2, 3],
  maximumElements: 900,
  // biome-ignore format: a list
  operators: [
    "matmul", "matmul", "matmul", "matmul", "vecdot", "einsum", "sum", "softmax", "layer_norm",
    "batch_norm_train", "multiply", "add", "permute_dims", "broadcast_to", "constant", "concat",
    "cumulative_sum", "solve", "take", "gather", "scatter_add",
  ],
};

/** Draws many inputs, and operators of many operands. */
export const crowdProfile: CaseProfile = {
  ...tensorProfile,
  name: "crowd",
  nodes: [4, 14],
  inputs: [11, 20],
  ranks: [1, 2, 3, 3],
  maximumRank: 3,
  extents: [1, 2, 3],
  maximumElements: 72,
  maximumOperands: 18,
  // biome-ignore format: a list
  operators: [
    "concat", "stack", "einsum", "where", "add", "subtract", "multiply", "maximum", "hypot", "sin", "sum",
    "reshape", "broadcast_to", "permute_dims", "scatter_add", "matmul", "constant",
  ],
};

/** Draws few primitives at NaN, infinities, zeros of either sign and the ends of the formats' ranges. */
export const edgesProfile: CaseProfile = {
  ...tensorProfile,
  name: "edges",
  // biome-ignore format: a list
  operators: [
    ...primitiveNames, "abs", "sign", "minimum", "clip", "max", "min", "argmax", "sort", "top_k", "softmax",
    "logsumexp", "cumulative_prod", "remainder",
  ],
  nodes: [1, 6],
  inputs: [1, 3],
  ranks: [0, 1, 1, 2],
  maximumRank: 2,
  extents: [2, 3],
  maximumElements: 6,
  seeds: "any",
  replacements: { numbers: edges, few: 3, every: 1, areUniform: false },
};

/** Draws every operator in turn on inputs of any rank and of numbers of every class. */
export const reachProfile: CaseProfile = {
  ...compositeProfile,
  name: "reach",
  nodes: [3, 5],
  inputs: [2, 3],
  ranks: [0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8],
  maximumRank: 8,
  extents: [2, 2, 3, 3, 17],
  maximumElements: 24,
  operators: [...primitiveNames, ...wholeNames],
  seeds: "any",
  plants: "readers",
};

/** Draws arithmetic, exp and sin where the precision of posits changes; most sums are inner products. */
export const positsProfile: CaseProfile = {
  ...edgesProfile,
  name: "posits",
  nodes: [1, 2],
  inputs: [2, 3],
  ranks: [2],
  maximumDegree: 2,
  // biome-ignore format: a list
  operators: [
    "add", "subtract", "multiply", "multiply", "divide", "sqrt", "negative", "floor", "exp", "sin", "sum",
    "matmul", "matmul", "matmul",
  ],
  seeds: "generic",
  replacements: { numbers: positEdges, few: 3, every: 1, areUniform: true },
};

/** Draws a chain of scalars in which more than 256 nodes follow each other. */
export const deepProfile: CaseProfile = {
  ...chainProfile,
  name: "deep",
  nodes: [350, 390],
};

/** Derivatives are drawn so often for each time that a primitive is. */
const NESTED_WEIGHT = 40;

/** Derivatives of derivatives go wrong mostly at these, so they are drawn more often. */
const toldWithin = [
  "multiply",
  "multiply",
  "stop_gradient",
  "stop_gradient",
  "relu",
  "where",
  "pow",
  "take",
] as const;
const TOLD_WEIGHT = 6;

/** Draws derivatives of parts of the graph, up to three within each other, mostly of smooth operators. */
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

/** Names the profiles, for the command line and for replay. */
export const profiles: ReadonlyMap<string, CaseProfile> = new Map(
  [
    tensorProfile,
    compositeProfile,
    pairProfile,
    networkProfile,
    fusedProfile,
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
    lengthsProfile,
    broadProfile,
    crowdProfile,
    deepProfile,
    edgesProfile,
    reachProfile,
    nestedProfile,
    positsProfile,
  ].map((profile) => [profile.name, profile]),
);

/**
 * Restricts `profile` to the operators in `supported`: what an engine that lacks some is asked. The result is
 * kept for both, since every case of a campaign asks for it.
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

/** Limits `profile` to what an engine promises in part. The result is kept, as by {@link restrict}. */
export function limited(profile: CaseProfile, { limits, written }: InPart): CaseProfile {
  if (limits === undefined) return profile;
  const made = limitations.get(profile) ?? new WeakMap<Limits, CaseProfile>();
  limitations.set(profile, made);
  const known = made.get(limits);
  if (known !== undefined) return known;
  const { least = 0, greatest = Number.POSITIVE_INFINITY } = limits.every?.ranks ?? {};
  const maximumRank = Math.max(Math.min(profile.maximumRank, greatest), least);
  const promised = written === undefined ? { limits } : { limits, written };
  const inLimits = { ...profile, maximumRank, promised };
  made.set(limits, inLimits);
  return inLimits;
}

const limitations = new WeakMap<CaseProfile, WeakMap<Limits, CaseProfile>>();
