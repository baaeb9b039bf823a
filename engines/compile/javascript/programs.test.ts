import { describe, expect, it } from "vitest";
import { sizeOf } from "../../../spec/index.ts";
import type { Precision } from "../plan/executable.ts";
import { apply, literal, read } from "../plan/expression.ts";
import type { LoopProgram, Read } from "../plan/program.ts";
import type { Regime } from "../plan/rewrite.ts";
import { buildAs, type CodeShape } from "./backend.ts";
import { answerOf, difference, meaningOf, plainLayout, type Specimen } from "./specimens.test.kit.ts";

function from(value: number, strides: readonly number[], offset = 0): Read {
  return { value, offset, strides, indirections: [] };
}

function program(
  sources: readonly (readonly number[])[],
  instructions: LoopProgram["instructions"],
): LoopProgram {
  return {
    sources: sources.map((shape, position) => ({ origin: { kind: "input", position }, shape })),
    indexSources: [],
    instructions,
    results: instructions.map((_, n) => sources.length + n),
  };
}

const product = apply("multiply", read(0), read(1));

/** Makes `[m, k] × [k, n]`, with extents that tiles of 4 do not divide. */
function matmul(m: number, k: number, n: number): LoopProgram {
  const reads = [from(0, [k, 0, 1]), from(1, [0, 1, n])];
  return program(
    [
      [m, k],
      [k, n],
    ],
    [{ kind: "fold", operation: "add", shape: [m, n], over: [k], reads, expression: product }],
  );
}

/** Filters two images of three channels, padded by one, by five 3 × 3 kernels in steps of two. */
function convolution(): LoopProgram {
  const padded = { offset: 9 + 1, strides: [243, 81, 9, 1], indirections: [] };
  return program(
    [
      [2, 3, 7, 7],
      [5, 3, 3, 3],
    ],
    [
      {
        kind: "assemble",
        shape: [2, 3, 9, 9],
        isCovered: false,
        pieces: [
          { shape: [2, 3, 7, 7], place: padded, reads: [from(0, [147, 49, 7, 1])], expression: read(0) },
        ],
      },
      {
        kind: "fold",
        operation: "add",
        shape: [2, 5, 4, 4],
        over: [3, 3, 3],
        reads: [from(2, [243, 0, 18, 2, 81, 9, 1]), from(1, [0, 27, 0, 0, 9, 3, 1])],
        expression: product,
      },
    ],
  );
}

/** Makes the gradient of log Σ exp of `n` numbers. */
function logsumexp(n: number): LoopProgram {
  return program(
    [[n]],
    [
      {
        kind: "fold",
        operation: "maximum",
        shape: [],
        over: [n],
        reads: [from(0, [1])],
        expression: read(0),
      },
      {
        kind: "map",
        shape: [n],
        reads: [from(0, [1]), from(1, [0])],
        expression: apply("exp", apply("subtract", read(0), read(1))),
      },
      { kind: "fold", operation: "add", shape: [], over: [n], reads: [from(2, [1])], expression: read(0) },
      {
        kind: "map",
        shape: [n],
        reads: [from(2, [1]), from(3, [0])],
        expression: apply("divide", read(0), read(1)),
      },
    ],
  );
}

/** Makes sums down the columns, a transposition, and a running sum down the columns. */
function columns(m: number, n: number): LoopProgram {
  return program(
    [[m, n]],
    [
      {
        kind: "fold",
        operation: "add",
        shape: [n],
        over: [m],
        reads: [from(0, [1, n])],
        expression: read(0),
      },
      { kind: "map", shape: [n, m], reads: [from(0, [1, n])], expression: apply("add", read(0), literal(1)) },
      { kind: "scan", shape: [m, n], axis: 0, direction: -1, reads: [from(0, [n, 1])], expression: read(0) },
    ],
  );
}

/** Makes sum and maximum of all elements of a tensor, along two axes that do not merge. */
function everything(m: number, n: number): LoopProgram {
  const over = [m, n];
  const reads = [from(0, [1, m])];
  return program(
    [[n, m]],
    [
      { kind: "fold", operation: "add", shape: [], over, reads, expression: read(0) },
      { kind: "fold", operation: "maximum", shape: [], over, reads, expression: read(0) },
    ],
  );
}

const cases: readonly (readonly [string, LoopProgram])[] = [
  ["a product of matrices", matmul(9, 7, 11)],
  ["a product with a column", matmul(6, 13, 1)],
  ["a convolution", convolution()],
  ["the gradient of logsumexp", logsumexp(23)],
  ["columns", columns(13, 19)],
  ["a sum of everything", everything(5, 21)],
];

/** Draws small integers, whose sums and products are exact in either precision and any order. */
function integers(subject: LoopProgram): Specimen {
  const sources = subject.sources.map(({ shape }, n) =>
    Float32Array.from({ length: sizeOf(shape) }, (_, i) => ((i * 37 + n * 11) % 15) - 7),
  );
  return { program: subject, sources, indices: [] };
}

/** Draws numbers whose sums are rounded. */
function fractions(subject: LoopProgram): Specimen {
  const sources = subject.sources.map(({ shape }, n) =>
    Float32Array.from({ length: sizeOf(shape) }, (_, i) => Math.sin(1 + i + 100 * n)),
  );
  return { program: subject, sources, indices: [] };
}

function failure(
  subject: Specimen,
  precision: Precision,
  regime: Regime,
  shape: CodeShape,
): string | undefined {
  const layout = plainLayout(subject.program);
  const executable = buildAs({ program: subject.program, layout, precision, regime }, shape);
  return difference(answerOf(subject, executable, precision), meaningOf(subject, precision));
}

describe.each(cases)("%s", (_name, subject) => {
  it.each<[Precision, CodeShape]>([
    ["float64", "loops"],
    ["float64", "straight"],
    ["float32", "loops"],
    ["float32", "straight"],
  ])("is summed in the order of its definition, in %s as %s", (precision, shape) => {
    expect(failure(fractions(subject), precision, "bit_exact", shape)).toBeUndefined();
  });
});

describe.each(cases.filter(([name]) => name !== "the gradient of logsumexp"))("%s", (_name, subject) => {
  it.each<[Precision, CodeShape]>([
    ["float64", "loops"],
    ["float32", "loops"],
    ["float64", "straight"],
    ["float32", "pieces"],
  ])("has no term left out or added twice in the fast regime, in %s as %s", (precision, shape) => {
    expect(failure(integers(subject), precision, "fast", shape)).toBeUndefined();
  });
});

it("a term left out is told, in either regime", () => {
  const short = matmul(9, 7, 11);
  const [fold] = short.instructions;
  if (fold?.kind !== "fold") throw new Error("no fold");
  const subject = integers(short);
  const order = { program: { ...short, instructions: [{ ...fold, over: [6] }] }, layout: plainLayout(short) };
  for (const regime of ["bit_exact", "fast"] as const) {
    const executable = buildAs({ ...order, precision: "float64", regime }, "loops");
    expect(difference(answerOf(subject, executable, "float64"), meaningOf(subject, "float64"))).toBeDefined();
  }
});

it("the fast regime adds in another order, where that is faster", () => {
  const reciprocals = program(
    [[100]],
    [
      {
        kind: "fold",
        operation: "add",
        shape: [],
        over: [100],
        reads: [from(0, [1])],
        expression: apply("divide", literal(1), read(0)),
      },
    ],
  );
  expect(failure(fractions(reciprocals), "float64", "bit_exact", "loops")).toBeUndefined();
  expect(failure(fractions(reciprocals), "float64", "fast", "loops")).toBeDefined();
});

it("an executable answers with the same arrays at every call, and says what they take", () => {
  const subject = fractions(matmul(2, 3, 4));
  const order = { program: subject.program, layout: plainLayout(subject.program) } as const;
  const executable = buildAs({ ...order, precision: "float32", regime: "fast" }, "loops");
  const first = executable.results[0];
  expect(executable.bytes).toBe(4 * 8);
  executable.run(subject.sources, []);
  expect(executable.results[0]).toBe(first);
});
