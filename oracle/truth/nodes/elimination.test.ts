import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { checkGraph, type FlatTensor, nodeId, type Shape } from "../../../spec/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import type { Case } from "../../case/index.ts";
import { truthOf } from "../case_truth.ts";
import { referenceStandard, type Standard } from "../standard/standard.ts";
import type { Truth } from "../truth.ts";
import {
  det,
  type Elimination,
  get,
  type Matrix,
  matrix,
  product,
  solve,
  transpose,
} from "./elimination.test.kit.ts";

type Precision = "float64" | "float32";

const honest: { readonly [P in Precision]: Elimination } = {
  float64: { round: (x) => x, pivots: true },
  float32: { round: Math.fround, pivots: true },
};

const flat = (x: Matrix, shape: Shape): FlatTensor => ({ shape, data: Float64Array.from(x.flat()) });

/** One node over matrices A and, for `solve`, B; with tangents and the cotangent of its value. */
interface Question {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly aDot: Matrix;
  readonly bDot: Matrix;
  readonly c: Matrix;
  readonly columns: number;
}

/** An answer: the value, the tangent, the cotangents of A and of B. */
type Answer = readonly [value: Matrix, tangent: Matrix, aBar: Matrix, bBar: Matrix];

type Engine = (engine: Elimination, question: Question) => Answer;

const negated = (x: Matrix): Matrix => x.map((row) => row.map((y) => -y));

const solving: Engine = (engine, { a, b, aDot, bDot, c, columns }) => {
  const n = a.length;
  const x = solve(engine, a, b, columns);
  const xDot = solve(engine, a, product(engine, negated(aDot), x, columns, bDot), columns);
  const bBar = solve(engine, transpose(a, n), c, columns);
  return [x, xDot, negated(product(engine, bBar, transpose(x, columns), n)), bBar];
};

const identity = (n: number): Matrix => matrix(n, n, (i, j) => (i === j ? 1 : 0));

/** det A · tr(A⁻¹ Ȧ) and c · det A · A⁻ᵀ */
const determining: Engine = (engine, { a, aDot, c }) => {
  const n = a.length;
  const { round } = engine;
  const d = det(engine, a);
  const slope = solve(engine, a, aDot, n);
  const trace = a.reduce((total, _, i) => round(total + get(slope, i, i)), 0);
  const inverse = solve(engine, a, identity(n), n);
  const scale = round(get(c, 0, 0) * d);
  return [[[d]], [[round(d * trace)]], matrix(n, n, (i, j) => round(scale * get(inverse, j, i))), []];
};

function caseOf(op: "solve" | "det", { a, b, aDot, bDot, c, columns }: Question): Case {
  const n = a.length;
  const shapes =
    op === "solve"
      ? [
          [n, n],
          [n, columns],
        ]
      : [[n, n]];
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: shapes.map((shape, i) => ({ name: `x${i}`, shape })),
    environment: [],
    nodes: [{ op, attributes: {}, parents: shapes.map((_, i) => i) }],
  });
  if (!graph.ok) throw new Error(JSON.stringify(graph.error));
  const lay = (x: Matrix, y: Matrix): FlatTensor[] => shapes.map((shape, i) => flat(i === 0 ? x : y, shape));
  const seed = flat(c, op === "solve" ? [n, columns] : []);
  return {
    graph: graph.value,
    point: { inputs: lay(a, b), environment: new Map() },
    tangents: lay(aDot, bDot),
    seeds: [{ id: nodeId(shapes.length), cotangent: seed }],
  };
}

type Counts = Record<"within" | "outside" | "undecided", number>;

function judge(truth: Truth, inputs: number, [value, tangent, aBar, bBar]: Answer, counts: Counts): void {
  const parts = [
    [truth.value(nodeId(inputs)), value],
    [truth.tangent(nodeId(inputs)), tangent],
    [truth.cotangent(nodeId(0)), aBar],
    [inputs > 1 ? truth.cotangent(nodeId(1)) : [], bBar],
  ] as const;
  for (const [components, answer] of parts) {
    const numbers = answer.flat();
    expect(numbers.length).toBe(components.length);
    for (const [i, component] of components.entries()) counts[component.judge(numbers[i] ?? Number.NaN)] += 1;
  }
}

/** Draws numbers between −1 and 1 of eleven bits, with which exact arithmetic is quick. */
function shortNumbers(random: Random): () => number {
  return () => random.nextInt(-(2 ** 11), 2 ** 11) / 2 ** 11;
}

/** A matrix is drawn in one of these ways. */
type Kind = "any" | "integer" | "graded" | "close to singular" | "with a small pivot" | "sparse";

function drawMatrix(random: Random, n: number, kind: Kind): Matrix {
  const uniform = shortNumbers(random);
  switch (kind) {
    case "any":
      return matrix(n, n, uniform);
    case "integer":
      return matrix(n, n, () => random.nextInt(-4, 4));
    case "sparse":
      return matrix(n, n, () => (random.nextInt(0, 1) === 0 ? 0 : uniform()));
    case "graded": {
      const exponents = Array.from({ length: n }, () => random.nextInt(-20, 20));
      return matrix(n, n, (_, j) => uniform() * 2 ** (exponents[j] ?? 0));
    }
    case "close to singular": {
      const [x, y] = [matrix(n, 1, uniform), matrix(1, n, uniform)];
      const distance = 2 ** -random.nextInt(2, 40);
      return matrix(n, n, (i, j) => get(x, i, 0) * get(y, 0, j) + distance * uniform());
    }
    case "with a small pivot": {
      const a = matrix(n, n, uniform);
      const tiny = 2 ** -random.nextInt(10, 60);
      return matrix(n, n, (i, j) => get(a, i, j) * (i === 0 && j === 0 ? tiny : 1));
    }
  }
}

const kinds: readonly Kind[] = [
  "any",
  "integer",
  "graded",
  "close to singular",
  "with a small pivot",
  "sparse",
];

function draw(
  random: Random,
  round: (x: number) => number,
  kind: Kind,
  orders: readonly [number, number],
): Question {
  const n = random.nextInt(...orders);
  const columns = random.nextInt(1, 2);
  const uniform = shortNumbers(random);
  return {
    a: drawMatrix(random, n, kind).map((row) => row.map(round)),
    b: matrix(n, columns, uniform),
    aDot: matrix(n, n, uniform),
    bDot: matrix(n, columns, uniform),
    c: matrix(n, columns, uniform),
    columns,
  };
}

interface Trial {
  readonly op: "solve" | "det";
  readonly dtype: Precision;
  readonly engine: Engine;
  readonly cases: number;
  readonly kinds?: readonly Kind[];
  readonly pivots?: boolean;
  readonly orders?: readonly [number, number];
}

/** Judges an engine on random matrices; by kind of matrix. */
function tried(trial: Trial): { readonly counts: Counts; readonly casesOutside: number } {
  const { op, dtype, engine, cases, pivots = true, orders = [0, 4] } = trial;
  const random = new Random(xoroshiro128plus(7));
  const standard: Standard = referenceStandard(dtype);
  const elimination = { ...honest[dtype], pivots };
  const counts: Counts = { within: 0, outside: 0, undecided: 0 };
  let casesOutside = 0;
  for (const kind of trial.kinds ?? kinds) {
    for (let index = 0; index < cases; index++) {
      const drawn = draw(random, elimination.round, kind, orders);
      const question = op === "det" ? { ...drawn, c: [[get(drawn.bDot, 0, 0) || 1]] } : drawn;
      const before = counts.outside;
      const posed = caseOf(op, question);
      judge(truthOf(posed, standard), posed.point.inputs.length, engine(elimination, question), counts);
      if (counts.outside > before) casesOutside += 1;
    }
  }
  return { counts, casesOutside };
}

const regular: readonly Kind[] = kinds.filter((kind) => kind === "any" || kind === "graded");

describe.each(
  sampled("eliminations", ["float64", "float32"] as const, 1),
)("an engine that eliminates with partial pivoting (%s)", (dtype) => {
  test("is never outside where it solves, however close to singular the matrices", () => {
    const { counts } = tried({ op: "solve", dtype, engine: solving, cases: 200 });
    expect(counts.outside).toBe(0);
    expect(counts.within).toBeGreaterThan(10_000);
  });

  test("is never outside where it takes determinants of matrices that have inverses", () => {
    const { counts } = tried({
      op: "det",
      dtype,
      engine: determining,
      cases: 120,
      kinds: ["any", "graded", "with a small pivot"],
    });
    expect(counts.outside).toBe(0);
    expect(counts.within).toBeGreaterThan(2_000);
  });

  test("is decided on matrices that are far from singular", () => {
    for (const [op, engine] of [
      ["solve", solving],
      ["det", determining],
    ] as const) {
      const { counts } = tried({ op, dtype, engine, cases: 150, kinds: ["any"] });
      expect(counts.undecided).toBeLessThan(counts.within / 20);
    }
  });

  test("is never outside on matrices of six rows", () => {
    const { counts } = tried({
      op: "solve",
      dtype,
      engine: solving,
      cases: 15,
      orders: [5, 6],
      kinds: regular,
    });
    expect(counts.outside).toBe(0);
  });
});

/** A fault in the derivatives, or in the elimination. */
const faulty: readonly {
  readonly fault: string;
  readonly op: "solve" | "det";
  readonly engine: Engine;
  readonly pivots?: boolean;
}[] = [
  {
    fault: "does not transpose in the reverse sweep",
    op: "solve",
    engine: (engine, question) => {
      const [x, xDot, aBar] = solving(engine, question);
      return [x, xDot, aBar, solve(engine, question.a, question.c, question.columns)];
    },
  },
  {
    fault: "loses the sign of a cotangent",
    op: "solve",
    engine: (engine, question) => {
      const [x, xDot, aBar, bBar] = solving(engine, question);
      return [x, xDot, negated(aBar), bBar];
    },
  },
  {
    fault: "takes the matrix for constant in forward mode",
    op: "solve",
    engine: (engine, question) => {
      const [x, , aBar, bBar] = solving(engine, question);
      return [x, solve(engine, question.a, question.bDot, question.columns), aBar, bBar];
    },
  },
  { fault: "eliminates without pivoting", op: "solve", engine: solving, pivots: false },
  {
    fault: "pulls back to the inverse, not transposed",
    op: "det",
    engine: (engine, question) => {
      const [d, dDot, aBar] = determining(engine, question);
      return [d, dDot, transpose(aBar, question.a.length), []];
    },
  },
  {
    fault: "ignores row exchanges in the sign",
    op: "det",
    engine: (engine, question) => {
      const [d, ...others] = determining(engine, question);
      return [[[Math.abs(get(d, 0, 0))]], ...others];
    },
  },
  { fault: "eliminates without pivoting", op: "det", engine: determining, pivots: false },
];

describe.each(["float64", "float32"] as const)("a faulty engine (%s)", (dtype) => {
  test.each(sampled(`faulty ${dtype}`, faulty, 3))("of $op that $fault is outside", ({
    op,
    engine,
    pivots = true,
  }) => {
    const drawn: readonly Kind[] = pivots ? regular : ["with a small pivot"];
    const { casesOutside } = tried({ op, dtype, engine, pivots, cases: 100, kinds: drawn, orders: [2, 4] });
    expect(casesOutside).toBeGreaterThan(pivots ? 50 : 40);
  });
});

describe("a singular matrix", () => {
  const question: Question = {
    a: [
      [1, 3],
      [2, 6],
    ],
    b: [[1], [1]],
    aDot: identity(2),
    bDot: [[0], [0]],
    c: [[5]],
    columns: 1,
  };

  test("has a determinant with a gradient: an engine that answers NaN is outside", () => {
    const truth = truthOf(caseOf("det", question), referenceStandard("float64"));
    const verdicts = (answers: readonly number[]): string[] =>
      truth.cotangent(nodeId(0)).map((component, i) => component.judge(answers[i] ?? 0));
    expect(verdicts([30, -10, -15, 5])).toEqual(["within", "within", "within", "within"]);
    expect(verdicts([Number.NaN, Number.NaN, Number.NaN, Number.NaN])).not.toContain("within");
    expect(verdicts([0, 0, 0, 0])).toEqual(["outside", "outside", "outside", "outside"]);
  });

  test("has no solution that anybody could be held to", () => {
    const truth = truthOf(caseOf("solve", { ...question, c: [[1], [2]] }), referenceStandard("float64"));
    for (const part of [truth.value(nodeId(2)), truth.tangent(nodeId(2)), truth.cotangent(nodeId(0))]) {
      for (const component of part) {
        for (const answer of [0, Number.NaN, 1e300]) expect(component.judge(answer)).toBe("undecided");
      }
    }
  });
});
