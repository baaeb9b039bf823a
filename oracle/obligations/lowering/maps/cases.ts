import type { LoweredName } from "../../../../engines/compile/plan/lower/index.ts";
import type { AttributesOf } from "../../../../spec/composites/index.ts";
import { type Entry, type Expected, type Extent, lowering, type MapCase, TANGENTS } from "./case.ts";
import { convolutions } from "./convolutions.ts";

const turns = String(TANGENTS);

function texts(extents: readonly Extent[]): readonly string[] {
  return extents.map(String);
}

/** Lists the coordinates that are the indices of loops, from one of them on. */
function indices(count: number, from = 0): readonly string[] {
  return Array.from({ length: count }, (_, n) => `i${n + from}`);
}

/** Counts the loops one further in: those of all tangents run outside. */
function inside(terms: readonly string[]): readonly string[] {
  return terms.map((term) => term.replaceAll(/\bi(\d)\b/g, (_, n) => `i${Number(n) + 1}`));
}

function insideEntries(entries: readonly Entry[] | undefined): { readonly entries?: readonly Entry[] } {
  return entries === undefined
    ? {}
    : { entries: entries.map((entry) => ({ ...entry, at: inside(entry.at) })) };
}

interface Move<K extends LoweredName> {
  readonly name: string;
  readonly op: K;
  readonly attributes: (value: (extent: Extent) => number) => AttributesOf[K];
  readonly symbols: readonly string[];
  readonly degree: number;
  readonly fits?: string;
  readonly apart?: string;
  readonly small?: string;
  readonly x: readonly Extent[];
  readonly shape: readonly Extent[];
  readonly index?: readonly Extent[];
  /** The element at the loops' indices comes from these coordinates. */
  readonly from: readonly string[];
  readonly entries?: readonly Entry[];
  /** What is done with the cotangent. */
  readonly back:
    | { readonly kind: "map"; readonly at: readonly string[] }
    | { readonly kind: "assemble" | "scatter" }
    | { readonly kind: "fold"; readonly over: readonly Extent[]; readonly at: readonly string[] };
}

/**
 * An operator that only moves elements: where its value and tangents read, and its cotangent reads or writes.
 */
function moved<K extends LoweredName>(move: Move<K>): MapCase {
  const { op, attributes, back, from } = move;
  const [x, shape] = [texts(move.x), texts(move.shape)];
  const entries = move.entries === undefined ? {} : { entries: move.entries };
  const whole = { instruction: 0, site: "read_0" } as const;
  const value: Expected = {
    ...whole,
    part: "value",
    kind: "map",
    loops: shape,
    tensor: x,
    at: from,
    ...entries,
  };
  const tangents: Expected = {
    ...value,
    part: "tangents",
    loops: [turns, ...shape],
    tensor: [turns, ...x],
    at: ["i0", ...inside(from)],
    ...insideEntries(move.entries),
  };
  const cotangent = { ...whole, part: "cotangent_0", kind: back.kind } as const;
  const pulled: readonly Expected[] =
    back.kind === "map"
      ? [{ ...cotangent, loops: x, tensor: shape, at: back.at }]
      : back.kind === "fold"
        ? [{ ...cotangent, loops: [...x, ...texts(back.over)], tensor: shape, at: back.at }]
        : [
            { ...cotangent, loops: shape, tensor: shape, at: indices(shape.length) },
            { ...cotangent, site: "place_0", loops: shape, tensor: x, at: from, ...entries },
          ];
  return {
    ...move,
    accesses: [value, tangents, ...pulled],
    lower: lowering({
      op,
      attributes,
      shapes: [move.x],
      shape: move.shape,
      ...(move.index === undefined ? {} : { index: move.index }),
    }),
  };
}

const abc = { symbols: ["a", "b", "c"], degree: 3 } as const;

const permuted = (axes: readonly number[]): MapCase => {
  const names = ["a", "b", "c"];
  return moved({
    ...abc,
    name: `permute_dims/${axes.join("")}`,
    op: "permute_dims",
    attributes: () => ({ axes }),
    x: names,
    shape: axes.map((axis) => names[axis] ?? ""),
    from: names.map((_, axis) => `i${axes.indexOf(axis)}`),
    back: { kind: "map", at: axes.map((axis) => `i${axis}`) },
  });
};

const broadcasts: readonly MapCase[] = [
  moved({
    ...abc,
    name: "broadcast_to/new_axis",
    op: "broadcast_to",
    attributes: (value) => ({ shape: ["a", "b", "c"].map(value) }),
    x: ["b", "c"],
    shape: ["a", "b", "c"],
    from: ["i1", "i2"],
    back: { kind: "fold", over: ["a"], at: ["i2", "i0", "i1"] },
  }),
  moved({
    ...abc,
    name: "broadcast_to/middle_axis",
    op: "broadcast_to",
    attributes: (value) => ({ shape: ["a", "b", "c"].map(value) }),
    x: ["a", 1, "c"],
    shape: ["a", "b", "c"],
    from: ["i0", "0", "i2"],
    back: { kind: "fold", over: ["b"], at: ["i0", "i3", "i2"] },
  }),
];

/** A slice and a pad along each of two axes; the other one is whole. */
const [s, p, n, l, g] = ["start", "step", "count", "low", "gap"];
const alongAxis = (axis: 0 | 1): readonly MapCase[] => {
  const other = axis === 0 ? "y" : "x";
  const put = <T>(own: T, one: T): readonly [T, T] => (axis === 0 ? [own, one] : [one, own]);
  const forwards = `(+ ${s} (* ${p} i${axis}))`;
  const backwards = `(- ${s} (* ${p} i${axis}))`;
  const spread = `(+ ${l} (* (+ 1 ${g}) i${axis}))`;
  const own = axis === 0 ? "x" : "y";
  const ahead = `(and (<= 0 ${s}) (<= 1 ${p}) (< (+ ${s} (* ${p} (- ${n} 1))) ${own}))`;
  const behind = `(and (< ${s} ${own}) (<= 1 ${p}) (<= 0 (- ${s} (* ${p} (- ${n} 1)))))`;
  return [
    moved({
      name: `slice/forwards_${axis}`,
      op: "slice",
      symbols: [p ?? "", n ?? "", s ?? "", other, own],
      degree: 2,
      attributes: (value) => ({
        starts: put(value(s ?? ""), 0),
        stops: put(value(own), value(other)),
        steps: put(value(p ?? ""), 1),
      }),
      x: ["x", "y"],
      shape: put<Extent>(n ?? "", other),
      from: put(forwards, `i${1 - axis}`),
      fits: ahead,
      apart: axis === 0 ? `(<= 1 ${p})` : ahead,
      small: `(<= ${own} 20)`,
      back: { kind: "assemble" },
    }),
    moved({
      name: `slice/backwards_${axis}`,
      op: "slice",
      symbols: [p ?? "", n ?? "", s ?? "", other, own],
      degree: 2,
      attributes: (value) => ({
        starts: put(value(s ?? ""), 0),
        stops: put(-value(own) - 1, value(other)),
        steps: put(-value(p ?? ""), 1),
      }),
      x: ["x", "y"],
      shape: put<Extent>(n ?? "", other),
      from: put(backwards, `i${1 - axis}`),
      fits: behind,
      apart: axis === 0 ? `(<= 1 ${p})` : behind,
      back: { kind: "assemble" },
    }),
    padded(axis, other, own, put(spread, `i${1 - axis}`)),
  ];
};

/** The elements of an axis go, low and gaps between them apart, to another of `out` elements. */
function padded(axis: 0 | 1, other: string, own: string, at: readonly string[]): MapCase {
  const put = <T>(one: T, two: T): readonly [T, T] => (axis === 0 ? [one, two] : [two, one]);
  const [x, shape] = [["x", "y"], put<string>("out", other)];
  const common = { instruction: 0, loops: x } as const;
  const fits = `(and (<= 0 ${l}) (<= 0 ${g}) (< (+ ${l} (* (+ 1 ${g}) (- ${own} 1))) out))`;
  return {
    name: `pad/${axis}`,
    symbols: [l ?? "", g ?? "", own, other, "out"],
    degree: 2,
    fits,
    // Along the inner axis rows meet unless each fits.
    apart: axis === 0 ? `(<= 0 ${g})` : fits,
    small: "(<= out 60)",
    accesses: [
      { ...common, part: "value", kind: "assemble", site: "read_0", tensor: x, at: ["i0", "i1"] },
      { ...common, part: "value", kind: "assemble", site: "place_0", tensor: shape, at },
      {
        ...common,
        part: "tangents",
        kind: "assemble",
        site: "read_0",
        loops: [turns, ...x],
        tensor: [turns, ...x],
        at: indices(3),
      },
      {
        ...common,
        part: "tangents",
        kind: "assemble",
        site: "place_0",
        loops: [turns, ...x],
        tensor: [turns, ...shape],
        at: ["i0", ...inside(at)],
      },
      { ...common, part: "cotangent_0", kind: "map", site: "read_0", tensor: shape, at },
    ],
    lower: lowering({
      op: "pad",
      attributes: (value) => ({
        low: put(value(l ?? ""), 0),
        high: [0, 0],
        interior: put(value(g ?? ""), 0),
      }),
      shapes: [x],
      shape,
    }),
  };
}

const lookups: readonly MapCase[] = [
  moved({
    name: "take/0",
    op: "take",
    symbols: ["q", "a", "b"],
    degree: 3,
    attributes: () => ({ axis: 0, indices: "k" }),
    x: ["a", "b"],
    shape: ["q", "b"],
    index: ["q"],
    from: ["e0", "i1"],
    entries: [{ shape: ["q"], at: ["i0"], below: "a" }],
    back: { kind: "scatter" },
  }),
  moved({
    name: "take/1",
    op: "take",
    symbols: ["q", "a", "b", "c"],
    degree: 3,
    attributes: () => ({ axis: 1, indices: "k" }),
    x: ["a", "b", "c"],
    shape: ["a", "q", "c"],
    index: ["q"],
    from: ["i0", "e0", "i2"],
    entries: [{ shape: ["q"], at: ["i1"], below: "b" }],
    back: { kind: "scatter" },
  }),
  moved({
    name: "take_along_axis/1",
    op: "take_along_axis",
    symbols: ["q", "a", "b", "c"],
    degree: 3,
    attributes: () => ({ axis: 1, indices: "k" }),
    x: ["a", "b", "c"],
    shape: ["a", "q", "c"],
    index: ["a", "q", "c"],
    from: ["i0", "e0", "i2"],
    entries: [{ shape: ["a", "q", "c"], at: ["i0", "i1", "i2"], below: "b" }],
    back: { kind: "scatter" },
  }),
  moved({
    name: "gather/rows",
    op: "gather",
    symbols: ["r", "a", "b"],
    degree: 3,
    attributes: () => ({ indices: "k" }),
    x: ["a", "b"],
    shape: ["r", "b"],
    index: ["r", 1],
    from: ["e0", "i1"],
    entries: [{ shape: ["r", "1"], at: ["i0", "0"], below: "a" }],
    back: { kind: "scatter" },
  }),
  moved({
    name: "gather/pairs",
    op: "gather",
    symbols: ["r", "a", "b", "c"],
    degree: 3,
    attributes: () => ({ indices: "k" }),
    x: ["a", "b", "c"],
    shape: ["r", "c"],
    index: ["r", 2],
    from: ["e0", "e1", "i1"],
    entries: [
      { shape: ["r", "2"], at: ["i0", "0"], below: "a" },
      { shape: ["r", "2"], at: ["i0", "1"], below: "b" },
    ],
    back: { kind: "scatter" },
  }),
];

const scattered: MapCase = {
  name: "scatter_add/rows",
  symbols: ["r", "a", "b"],
  degree: 3,
  accesses: (["value", "tangents", "cotangent_1"] as const).flatMap((part): readonly Expected[] => {
    const isMany = part === "tangents";
    const outer = isMany ? [turns] : [];
    const common = { part, instruction: 0, loops: [...outer, "r", "b"] } as const;
    const row = isMany ? "i1" : "i0";
    const place = {
      tensor: [...outer, "a", "b"],
      at: isMany ? ["i0", "e0", "i2"] : ["e0", "i1"],
      entries: [{ shape: ["r", "1"], at: [row, "0"], below: "a" }],
    };
    if (part === "cotangent_1") return [{ ...common, ...place, kind: "map", site: "read_0" }];
    return [
      { ...common, kind: "scatter", site: "read_0", tensor: common.loops, at: indices(isMany ? 3 : 2) },
      { ...common, ...place, kind: "scatter", site: "place_0" },
    ];
  }),
  lower: lowering({
    op: "scatter_add",
    attributes: () => ({ indices: "k" }),
    shapes: [
      ["a", "b"],
      ["r", "b"],
    ],
    shape: ["a", "b"],
    index: ["r", 1],
  }),
};

/** Loops of a sum run over the result, then over what is summed. */
const sums = (keepdims: boolean): MapCase => {
  const kept: readonly Extent[] = keepdims ? ["1", "b", "1"].map((one) => (one === "1" ? 1 : one)) : ["b"];
  const first = keepdims ? 3 : 1;
  const at = [`i${first}`, keepdims ? "i1" : "i0", `i${first + 1}`];
  const common = { instruction: 0, site: "read_0" } as const;
  return {
    ...abc,
    name: `sum/${keepdims ? "kept" : "dropped"}`,
    accesses: [
      {
        ...common,
        part: "value",
        kind: "fold",
        loops: [...texts(kept), "a", "c"],
        tensor: ["a", "b", "c"],
        at,
      },
      {
        ...common,
        part: "tangents",
        kind: "fold",
        loops: [turns, ...texts(kept), "a", "c"],
        tensor: [turns, "a", "b", "c"],
        at: ["i0", ...inside(at)],
      },
      {
        ...common,
        part: "cotangent_0",
        kind: "map",
        loops: ["a", "b", "c"],
        tensor: texts(kept),
        at: keepdims ? ["0", "i1", "0"] : ["i1"],
      },
    ],
    lower: lowering({
      op: "sum",
      attributes: () => ({ axes: [0, 2], keepdims }),
      shapes: [["a", "b", "c"]],
      shape: kept,
    }),
  };
};

/** Factors and their tangents, read where a product of a stack of matrices needs them. */
const matmul: MapCase = {
  name: "matmul/stack",
  symbols: ["n", "r", "k", "c"],
  degree: 3,
  accesses: [
    ...factors(
      "value",
      ["n", "r", "c", "k"],
      [
        ["n", "r", "k", "i0", "i1", "i3"],
        ["n", "k", "c", "i0", "i3", "i2"],
      ],
    ),
    ...factors(
      "tangents",
      [turns, "n", "r", "c", "k"],
      [
        ["n", "r", "k", "i1", "i2", "i4"],
        ["n", "k", "c", "i1", "i4", "i3"],
        [turns, "n", "r", "k", "i0", "i1", "i2", "i4"],
        [turns, "n", "k", "c", "i0", "i1", "i4", "i3"],
      ],
    ),
    ...factors(
      "cotangent_0",
      ["n", "r", "k", "c"],
      [
        ["n", "r", "c", "i0", "i1", "i3"],
        ["n", "k", "c", "i0", "i2", "i3"],
      ],
    ),
    ...factors(
      "cotangent_1",
      ["n", "k", "c", "r"],
      [
        ["n", "r", "k", "i0", "i3", "i1"],
        ["n", "r", "c", "i0", "i3", "i2"],
      ],
    ),
  ],
  lower: lowering({
    op: "matmul",
    attributes: () => ({}),
    shapes: [
      ["n", "r", "k"],
      ["n", "k", "c"],
    ],
    shape: ["n", "r", "c"],
  }),
};

/** Each factor has the extents of its tensor, then as many coordinates. */
function factors(
  part: Expected["part"],
  loops: readonly string[],
  reads: readonly (readonly string[])[],
): readonly Expected[] {
  return reads.map((read, position) => ({
    part,
    instruction: 0,
    kind: "fold",
    site: `read_${position}`,
    loops,
    tensor: read.slice(0, read.length / 2),
    at: read.slice(read.length / 2),
  }));
}

/** Operands lie side by side: along the outer axis, and along the inner one. */
const concat = (axis: 0 | 1): MapCase => {
  const put = (one: string, two: string): readonly [string, string] => (axis === 0 ? [one, two] : [two, one]);
  const whole = put("(+ m n)", "b");
  const joined = ["m", "n"].flatMap((own, piece): readonly Expected[] => {
    const at = put(piece === 0 ? `i${axis}` : `(+ m i${axis})`, `i${1 - axis}`);
    const common = { part: "value", instruction: 0, loops: put(own, "b") } as const;
    return [
      { ...common, kind: "assemble", site: `read_${piece}`, tensor: put(own, "b"), at: indices(2) },
      { ...common, kind: "assemble", site: `place_${piece}`, tensor: whole, at },
      {
        ...common,
        part: "tangents",
        kind: "assemble",
        site: `place_${piece}`,
        loops: [turns, ...common.loops],
        tensor: [turns, ...whole],
        at: ["i0", ...inside(at)],
      },
      { ...common, part: `cotangent_${piece}`, kind: "map", site: "read_0", tensor: whole, at },
    ];
  });
  return {
    name: `concat/${axis}`,
    symbols: ["m", "n", "b"],
    degree: 3,
    fits: "(and (<= 0 m) (<= 0 n))",
    ...(axis === 0 ? {} : { apart: "(and (<= 0 m) (<= 0 n))" }),
    accesses: joined,
    lower: (part, values) =>
      lowering({
        op: "concat",
        attributes: () => ({ axis }),
        shapes: [put("m", "b"), put("n", "b")],
        shape: put("both", "b"),
      })(part, { ...values, both: (values.m ?? 0) + (values.n ?? 0) }),
  };
};

const running: MapCase = {
  ...abc,
  name: "cumulative_sum/1",
  accesses: (["value", "tangents", "cotangent_0"] as const).map((part): Expected => {
    const loops = part === "tangents" ? [turns, "a", "b", "c"] : ["a", "b", "c"];
    return {
      part,
      instruction: 0,
      kind: "scan",
      site: "read_0",
      loops,
      tensor: loops,
      at: indices(loops.length),
    };
  }),
  lower: lowering({
    op: "cumulative_sum",
    attributes: () => ({ axis: 1 }),
    shapes: [["a", "b", "c"]],
    shape: ["a", "b", "c"],
  }),
};

const elementwise: MapCase = {
  ...abc,
  name: "multiply",
  accesses: (
    [
      ["value", [0, 1]],
      ["tangents", [0, 1, 4, 5]],
      ["cotangent_0", [1, 4]],
      ["cotangent_1", [0, 4]],
    ] as const
  ).flatMap(([part, reads]) =>
    reads.map((read): Expected => {
      const isMany = part === "tangents";
      const loops = isMany ? [turns, "a", "b", "c"] : ["a", "b", "c"];
      const isStill = isMany && read < 4;
      return {
        part,
        instruction: 0,
        kind: "map",
        site: `read_${read}`,
        loops,
        tensor: isStill ? ["a", "b", "c"] : loops,
        at: isStill ? indices(3, 1) : indices(loops.length),
      };
    }),
  ),
  lower: lowering({
    op: "multiply",
    attributes: () => ({}),
    shapes: [
      ["a", "b", "c"],
      ["a", "b", "c"],
    ],
    shape: ["a", "b", "c"],
  }),
};

/** The running sum of ones is read where it is; no extent but the axis's, the least, is limited. */
const counted: MapCase = {
  symbols: ["b", "a", "c"],
  degree: 3,
  name: "iota/1",
  accesses: [
    {
      part: "value",
      instruction: 1,
      kind: "map",
      site: "read_0",
      loops: ["a", "b", "c"],
      tensor: ["a", "b", "c"],
      at: indices(3),
    },
  ],
  lower: lowering({
    op: "iota",
    attributes: (value) => ({ axis: 1, shape: ["a", "b", "c"].map(value) }),
    shapes: [],
    shape: ["a", "b", "c"],
  }),
};

/** Lists operators at extents that are unknown. */
export const mapCases: readonly MapCase[] = [
  elementwise,
  permuted([2, 0, 1]),
  permuted([1, 2, 0]),
  permuted([0, 2, 1]),
  ...broadcasts,
  ...alongAxis(0),
  ...alongAxis(1),
  ...lookups,
  scattered,
  sums(false),
  sums(true),
  matmul,
  concat(0),
  concat(1),
  running,
  counted,
  ...convolutions,
];
