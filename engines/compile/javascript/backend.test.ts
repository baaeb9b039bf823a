import { describe, expect, it } from "vitest";
import { at } from "../../../spec/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import type { Precision } from "../plan/executable.ts";
import { read } from "../plan/expression.ts";
import { plan } from "../plan/planned.ts";
import type { LoopProgram } from "../plan/program.ts";
import { buildAs, type CodeShape } from "./backend.ts";
import { answerOf, difference, meaningOf, plainLayout, specimen } from "./specimens.test.kit.ts";

const precisions: readonly Precision[] = ["float64", "float32"];
const seeds = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const codeShapes: readonly CodeShape[] = ["loops", "straight", "pieces", "chosen"];

describe.each(precisions)("in %s", (precision) => {
  describe.each(codeShapes)("as %s", (shape) => {
    it("random programs get, bit for bit, what they mean", () => {
      for (const seed of sampled(`random ${precision} ${shape}`, seeds(500), 100)) {
        const subject = specimen(seed);
        const { program } = subject;
        const order = { program, layout: plainLayout(program), precision, regime: "bit_exact" } as const;
        const answer = answerOf(subject, buildAs(order, shape), precision);
        expect(difference(answer, meaningOf(subject, precision)), `seed ${seed}`).toBeUndefined();
      }
    });

    it("and still do when the planner has fused them, and values lie where others lay", () => {
      for (const seed of sampled(`planned ${precision} ${shape}`, seeds(200), 40)) {
        const subject = specimen(seed);
        const planned = plan(subject.program, { precision, regime: "bit_exact" });
        const executable = buildAs({ ...planned, precision, regime: "bit_exact" }, shape);
        const answer = answerOf(subject, executable, precision);
        expect(difference(answer, meaningOf(subject, precision)), `seed ${seed}`).toBeUndefined();
      }
    });
  });
});

it.each(codeShapes)("in float32 as %s, in the fast regime, a number is equal to its stored copy", (shape) => {
  const size = 7;
  const product = { kind: "apply", function: "multiply", operands: [read(0), read(1)] } as const;
  const along = (value: number, stride: number) => ({
    value,
    offset: 0,
    strides: [stride],
    indirections: [],
  });
  const factors = [along(0, 1), along(1, 1)];
  const program: LoopProgram = {
    sources: [0, 1].map((position) => ({ origin: { kind: "input", position }, shape: [size] })),
    indexSources: [],
    instructions: [
      { kind: "fold", operation: "maximum", shape: [], over: [size], reads: factors, expression: product },
      {
        kind: "map",
        shape: [size],
        reads: [...factors, along(2, 0)],
        expression: { kind: "apply", function: "equal", operands: [product, read(2)] },
      },
    ],
    results: [3],
  };
  // No product of two of these is a float32 number.
  const thirds = Float32Array.from({ length: size }, (_, i) => (i + 4) / 3);
  const order = { program, layout: plainLayout(program), precision: "float32", regime: "fast" } as const;
  const built = buildAs(order, shape);
  built.run([thirds, thirds], []);
  expect([...at(built.results, 0)]).toEqual([0, 0, 0, 0, 0, 0, 1]);
});
