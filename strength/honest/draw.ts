import type { Random } from "fast-check";
import type { Case } from "../../oracle/case/case.ts";
import { type Graph, graph, nodeId, type OperatorName, type Shape, type Value } from "../../spec/index.ts";
import { floatWith, item, type Question, type Row } from "./algorithms/algorithm.ts";
import { matrix, product, transposed } from "./algorithms/matrices.ts";

/** This is a question about one composite, and the case that asks the judge about it. */
export interface Drawn {
  readonly question: Question;
  readonly case: Case;
}

/** Draws twelve bits, so that differences and products may be exact, which no algorithm owes. */
function short(random: Random): number {
  return random.nextInt(-(2 ** 11), 2 ** 11) / 2 ** 9;
}

/** Numbers are drawn in these ways. */
const kinds = [
  "short",
  "float",
  "integer",
  "far from 0",
  "graded",
  "nearly equal",
  "large",
  "some zeros",
] as const;

/** Draws this many numbers of one kind. */
function numbers(random: Random, count: number, kind: (typeof kinds)[number]): Row {
  const shift = short(random) * 2 ** random.nextInt(4, 10);
  const one = (): number => {
    switch (kind) {
      case "short":
        return short(random);
      case "float":
        return 8 * random.nextDouble() - 4;
      case "integer":
        return random.nextInt(-4, 4);
      case "far from 0":
        return shift + short(random);
      case "graded":
        return short(random) * 2 ** random.nextInt(-12, 6);
      case "nearly equal":
        return shift + short(random) / 2 ** 8;
      case "large":
        return short(random) * 2 ** 7;
      case "some zeros":
        return random.nextInt(0, 2) === 0 ? 0 : short(random);
    }
  };
  return Array.from({ length: count }, () => Math.fround(one()));
}

function anyKind(random: Random): (typeof kinds)[number] {
  return kinds[random.nextInt(0, kinds.length - 1)] ?? "short";
}

/** A layout has a composite's operands, their shapes and numbers, and its node. */
interface Layout {
  readonly shapes: readonly Shape[];
  readonly operands: readonly Row[];
  readonly settings: Partial<Pick<Question, "columns" | "epsilon" | "correction" | "upper">>;
  readonly order: number;
  write(operands: readonly Value[]): Value;
}

function only(values: readonly Value[]): Value {
  const [value] = values;
  if (value === undefined) throw new Error("an operand is missing");
  return value;
}

/** Draws a mask of −∞ for all but one element at least, one time in six. */
function masked(random: Random, layout: Layout): Layout {
  if (random.nextInt(0, 5) !== 0) return layout;
  const seen = random.nextInt(0, layout.order - 1);
  const hide = (x: Row): Row =>
    x.map((a, i) => (i !== seen && random.nextInt(0, 1) === 0 ? Number.NEGATIVE_INFINITY : a));
  return { ...layout, operands: layout.operands.map(hide) };
}

function vector(random: Random, least: number, write: (x: Value) => Value): Layout {
  const n = random.nextInt(0, 9) === 0 ? random.nextInt(9, 40) : random.nextInt(least, 8);
  const operands = [numbers(random, n, anyKind(random))];
  return { shapes: [[n]], operands, settings: {}, order: n, write: (values) => write(only(values)) };
}

function drawEpsilon(random: Random): number {
  return random.nextInt(0, 1) === 0 ? 2 ** -10 : 2 ** -17;
}

/** Draws x and its normalisation's other operands: the elements of x are one layer, group or channel. */
function normalization(random: Random, op: "layer_norm" | "batch_norm_train" | "group_norm"): Layout {
  const n = random.nextInt(2, 9);
  const epsilon = drawEpsilon(random);
  const factors = op === "batch_norm_train" ? 1 : n;
  const kind = anyKind(random);
  const scale = random.nextInt(0, 7) === 0 ? 2 ** 50 : 1;
  return {
    shapes: [op === "layer_norm" ? [n] : op === "group_norm" ? [1, n] : [n, 1], [factors], [factors]],
    operands: [
      numbers(random, n, kind).map((x) => x * scale),
      numbers(random, factors, "short"),
      numbers(random, factors, anyKind(random)),
    ],
    settings: { epsilon },
    order: n,
    write: ([x, scale, offset]) => {
      if (x === undefined || scale === undefined || offset === undefined) throw new Error("three operands");
      if (op === "group_norm") return x.group_norm(scale, offset, { groups: 1, epsilon });
      return op === "layer_norm"
        ? x.layer_norm(scale, offset, { axes: [0], epsilon })
        : x.batch_norm_train(scale, offset, { axis: 1, epsilon });
    },
  };
}

/** Draws a channel's numbers, and a mean near them or not. */
function normalizationAsGiven(random: Random): Layout {
  const n = random.nextInt(1, 9);
  const epsilon = drawEpsilon(random);
  const [mean = 0, ...x] = numbers(random, n + 1, anyKind(random));
  const [variance = 0] = numbers(random, 1, anyKind(random));
  return {
    shapes: [[n, 1], [1], [1], [1], [1]],
    operands: [
      x,
      numbers(random, 1, "short"),
      numbers(random, 1, anyKind(random)),
      [mean],
      [Math.fround(Math.abs(variance) + 2 ** -9)],
    ],
    settings: { epsilon },
    order: n,
    write: ([of, scale, offset, ...given]) => {
      const [m, v] = given;
      if (
        of === undefined ||
        scale === undefined ||
        offset === undefined ||
        m === undefined ||
        v === undefined
      )
        throw new Error("five operands");
      return of.batch_norm_eval(scale, offset, m, v, { axis: 1, epsilon });
    },
  };
}

function triangularSystem(random: Random): Layout {
  const [n, columns] = [random.nextInt(1, 5), random.nextInt(1, 3)];
  const upper = random.nextInt(0, 1) === 0;
  const kind = anyKind(random);
  const entries = numbers(random, n * n, kind);
  const a = matrix(n, n, (i, j) => (i === j ? item(entries, i * n + j) || 1 : item(entries, i * n + j)));
  return {
    shapes: [
      [n, n],
      [n, columns],
    ],
    operands: [a, numbers(random, n * columns, anyKind(random))],
    settings: { columns, upper },
    order: n,
    write: ([t, b]) => {
      if (t === undefined || b === undefined) throw new Error("two operands");
      return t.triangular_solve(b, { upper });
    },
  };
}

/** Draws G Gᵀ plus a little of the identity: the smaller, the closer to singular. */
function definite(random: Random): Layout {
  const n = random.nextInt(1, 5);
  const upper = random.nextInt(0, 1) === 0;
  const g = numbers(random, n * n, random.nextInt(0, 1) === 0 ? "short" : "integer");
  const squares = product(floatWith(Math.fround), g, transposed(g, n, n), n);
  const more = 2 ** -random.nextInt(-2, 6);
  const a = matrix(n, n, (i, j) => Math.fround(item(squares, i * n + j) + (i === j ? more : 0)));
  return {
    shapes: [[n, n]],
    operands: [a],
    settings: { upper },
    order: n,
    write: (values) => only(values).cholesky({ upper }),
  };
}

/** Draws matrices, some of them close to rank 1. */
function square(random: Random, op: "inv" | "det"): Layout {
  const n = random.nextInt(1, 4);
  const entries = numbers(random, n * n, anyKind(random));
  const near = random.nextInt(0, 3) === 0;
  const [u, v] = [numbers(random, n, "short"), numbers(random, n, "short")];
  const a = near
    ? matrix(n, n, (i, j) => Math.fround(item(u, i) * item(v, j) + item(entries, i * n + j) * 2 ** -6))
    : entries;
  return {
    shapes: [[n, n]],
    operands: [a],
    settings: {},
    order: n,
    write: (values) => (op === "inv" ? only(values).inv() : only(values).det()),
  };
}

/** Draws queries, keys and values, of kinds of their own, and a mask or none; it is causal at times. */
function attention(random: Random): Layout {
  const [queries, keys] = [random.nextInt(1, 3), random.nextInt(1, 6)];
  const [depth, width] = [random.nextInt(1, 4), random.nextInt(1, 2)];
  const causal = random.nextInt(0, 3) === 0;
  const shapes: Shape[] = [
    [queries, depth],
    [keys, depth],
    [keys, width],
  ];
  if (random.nextInt(0, 2) === 0) shapes.push([queries, keys]);
  return {
    shapes,
    operands: shapes.map(([rows = 0, columns = 0]) => numbers(random, rows * columns, anyKind(random))),
    settings: { columns: depth, upper: causal },
    order: keys,
    write: ([q, k, v, ...mask]) => {
      if (q === undefined || k === undefined || v === undefined) throw new Error("three operands");
      return q.scaled_dot_product_attention(k, v, ...mask, { causal });
    },
  };
}

function layoutOf(random: Random, op: OperatorName): Layout {
  const all = { axes: [0], keepdims: false };
  switch (op) {
    case "softmax":
      return masked(
        random,
        vector(random, 1, (x) => x.softmax({ axis: 0 })),
      );
    case "logsumexp":
      return masked(
        random,
        vector(random, 1, (x) => x.logsumexp(all)),
      );
    case "sigmoid":
      return vector(random, 1, (x) => x.sigmoid());
    case "silu":
      return vector(random, 1, (x) => x.silu());
    case "mean":
      return vector(random, 1, (x) => x.mean(all));
    case "var": {
      const correction = random.nextInt(0, 1);
      return { ...vector(random, 2, (x) => x.var({ ...all, correction })), settings: { correction } };
    }
    case "norm":
      return vector(random, 1, (x) => x.norm(all));
    case "cumulative_prod":
      return vector(random, 1, (x) => x.cumulative_prod({ axis: 0 }));
    case "layer_norm":
    case "batch_norm_train":
    case "group_norm":
      return normalization(random, op);
    case "batch_norm_eval":
      return normalizationAsGiven(random);
    case "scaled_dot_product_attention":
      return attention(random);
    case "triangular_solve":
      return triangularSystem(random);
    case "cholesky":
      return definite(random);
    case "inv":
    case "det":
      return square(random, op);
    default:
      throw new Error(`no questions are drawn about ${op}`);
  }
}

/** Draws a question about a composite. The result depends on the generator alone. */
export function drawQuestion(random: Random, op: OperatorName): Drawn {
  const { shapes, operands, settings, order, write } = layoutOf(random, op);
  const shape: { of: Shape } = { of: [] };
  const program: Graph = graph(({ input }) => {
    shape.of = write(shapes.map((extents, place) => input(`x${place}`, extents))).shape;
  });
  const kind = anyKind(random);
  const tangents = operands.map((x) => numbers(random, x.length, kind));
  const cotangent = numbers(
    random,
    shape.of.reduce((size, extent) => size * extent, 1),
    anyKind(random),
  );
  const flat = (x: Row, place: number): Case["tangents"][number] => ({
    shape: shapes[place] ?? [],
    data: Float64Array.from(x),
  });
  return {
    question: {
      columns: 1,
      epsilon: 0,
      correction: 0,
      upper: false,
      ...settings,
      order,
      operands,
      tangents,
      cotangent,
    },
    case: {
      graph: program,
      point: { inputs: operands.map(flat), environment: new Map() },
      tangents: tangents.map(flat),
      seeds: [
        { id: nodeId(shapes.length), cotangent: { shape: shape.of, data: Float64Array.from(cotangent) } },
      ],
    },
  };
}
