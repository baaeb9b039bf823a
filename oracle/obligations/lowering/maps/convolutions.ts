import { type Expected, type Extent, lowering, type MapCase } from "./case.ts";

/** The spatial axis of a convolution, and its groups; what is unknown besides depends on the case. */
interface Along {
  readonly groups: 1 | 2;
  readonly stride: number;
  readonly dilation: number;
  /** So many zeros lie before the first element; there are none behind the last. */
  readonly low: number;
}

interface Extents {
  readonly batch: Extent;
  /** Kernels and channels of each group. */
  readonly kernels: Extent;
  readonly channels: Extent;
  readonly taps: Extent;
  readonly length: Extent;
  readonly count: Extent;
}

/** Makes the case of a convolution along one axis at some unknown extents, the others being numbers. */
function convolution(
  name: string,
  { groups, stride, dilation, low }: Along,
  extents: Extents,
  rest: Omit<MapCase, "name" | "lower">,
): MapCase {
  const { batch, kernels, channels, taps, length, count } = extents;
  return {
    ...rest,
    name: `conv/${name}`,
    lower: (part, values) => {
      const all = (extent: Extent): number =>
        groups * (typeof extent === "number" ? extent : (values[extent] ?? 0));
      return lowering({
        op: "conv",
        attributes: () => ({ strides: [stride], padding: [[low, 0]], dilations: [dilation], groups }),
        shapes: [
          [batch, all(channels), length],
          [all(kernels), channels, taps],
        ],
        shape: [batch, all(kernels), count],
      })(part, values);
    },
  };
}

const fold = { instruction: 1, kind: "fold" } as const;

/** An output is a sum over channels and taps of the padded input, in which all groups lie side by side. */
const image = convolution(
  "image",
  { groups: 2, stride: 2, dilation: 3, low: 1 },
  { batch: "n", kernels: 3, channels: "c", taps: 2, length: "l", count: "m" },
  {
    symbols: ["n", "m", "c", "l"],
    degree: 2,
    fits: "(< (+ (* 2 (- m 1)) 3) (+ 1 l))",
    accesses: [
      {
        ...fold,
        part: "value",
        site: "read_0",
        loops: ["n", "2", "3", "m", "c", "2"],
        tensor: ["n", "(* 2 c)", "(+ 1 l)"],
        at: ["i0", "(+ (* c i1) i4)", "(+ (* 2 i3) (* 3 i5))"],
      },
      {
        ...fold,
        part: "cotangent_1",
        site: "read_1",
        loops: ["2", "3", "c", "2", "n", "m"],
        tensor: ["n", "(* 2 c)", "(+ 1 l)"],
        at: ["i4", "(+ (* c i0) i2)", "(+ (* 2 i5) (* 3 i3))"],
      },
    ],
  },
);

const inGroups = { groups: 2, stride: 2, dilation: 3, low: 1 } as const;

/** The kernels of a group lie together, and so do their weights. */
const weights = convolution(
  "weights",
  inGroups,
  { batch: 2, kernels: "o", channels: "c", taps: "k", length: 3, count: 3 },
  {
    symbols: ["k", "c", "o"],
    degree: 3,
    accesses: [
      {
        ...fold,
        part: "value",
        site: "read_1",
        loops: ["2", "2", "o", "3", "c", "k"],
        tensor: ["(* 2 o)", "c", "k"],
        at: ["(+ (* o i1) i2)", "i4", "i5"],
      },
    ],
  },
);

/** The cotangent of the output that a kernel's cotangent reads. */
const outputs = convolution(
  "outputs",
  inGroups,
  { batch: "n", kernels: "o", channels: 3, taps: 2, length: 5, count: "m" },
  {
    symbols: ["n", "o", "m"],
    degree: 3,
    accesses: [
      {
        ...fold,
        part: "cotangent_1",
        site: "read_0",
        loops: ["2", "o", "3", "2", "n", "m"],
        tensor: ["n", "(* 2 o)", "m"],
        at: ["i4", "(+ (* o i0) i1)", "i5"],
      },
    ],
  },
);

const alone = { groups: 1, stride: 3, dilation: 2, low: 1 } as const;

/** The input's cotangent reads a spread output's, backwards by each tap, and the kernels as they are. */
const spread = convolution(
  "spread",
  alone,
  { batch: "n", kernels: "o", channels: 3, taps: 2, length: "l", count: "m" },
  {
    symbols: ["n", "m", "o", "l"],
    degree: 2,
    accesses: [
      {
        ...fold,
        instruction: 2,
        part: "cotangent_0",
        site: "read_0",
        loops: ["n", "1", "3", "l", "o", "2"],
        tensor: ["n", "o", "(+ 3 l)"],
        at: ["i0", "(+ (* o i1) i4)", "(+ 3 (- i3 (* 2 i5)))"],
      },
    ],
  },
);

const kernels = convolution(
  "kernels",
  alone,
  { batch: 2, kernels: "o", channels: "c", taps: "k", length: 3, count: 3 },
  {
    symbols: ["k", "c", "o"],
    degree: 3,
    accesses: [
      {
        ...fold,
        instruction: 2,
        part: "cotangent_0",
        site: "read_1",
        loops: ["2", "1", "c", "3", "o", "k"],
        tensor: ["o", "c", "k"],
        at: ["(+ (* o i1) i4)", "i2", "i5"],
      },
    ],
  },
);

/** Puts a row of each image among zeros. */
function pieces(
  row: Pick<Expected, "part" | "instruction">,
  own: string,
  whole: string,
  at: string,
): readonly Expected[] {
  const piece = { ...row, kind: "assemble", loops: ["n", "1", own] } as const;
  return [
    { ...piece, site: "read_0", tensor: piece.loops, at: ["i0", "i1", "i2"] },
    { ...piece, site: "place_0", tensor: ["n", "1", whole], at: ["i0", "i1", at] },
  ];
}

/** The input lies among zeros at its ends. */
const padding = convolution(
  "padding",
  alone,
  { batch: "n", kernels: 3, channels: 1, taps: 2, length: "l", count: 3 },
  {
    symbols: ["n", "l"],
    degree: 2,
    accesses: pieces({ part: "value", instruction: 0 }, "l", "(+ 1 l)", "(+ 1 i2)"),
  },
);

/** The output's cotangent lies among zeros, a stride apart, with room for all taps at both ends. */
const gaps = convolution(
  "gaps",
  alone,
  { batch: "n", kernels: 1, channels: 3, taps: 2, length: "l", count: "m" },
  {
    symbols: ["m", "n", "l"],
    degree: 2,
    fits: "(< (* 3 (- m 1)) (+ 1 l))",
    apart: "(< (* 3 (- m 1)) (+ 1 l))",
    accesses: pieces({ part: "cotangent_0", instruction: 1 }, "m", "(+ 3 l)", "(+ 2 (* 3 i2))").slice(1),
  },
);

/** Lists a convolution's accesses, each at the extents that it depends on: at all of them. */
export const convolutions: readonly MapCase[] = [image, weights, outputs, spread, kernels, padding, gaps];
