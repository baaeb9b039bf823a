import { describe, expect, test } from "vitest";
import { stridesOf } from "../../../spec/core.ts";
import { applicationsOf, apply, type Expression, literal, read, type ScalarFunction } from "../expression.ts";
import { bodiesOf, type Instruction, type LoopProgram, type Read } from "../program.ts";
import { deadCode } from "./dead_code.ts";
import { foldFusion } from "./fold_fusion.ts";
import { mapFusion } from "./map_fusion.ts";

const from = (value: number, strides: readonly number[], offset = 0): Read => ({
  value,
  offset,
  strides,
  indirections: [],
});

function program(
  sources: readonly (readonly number[])[],
  instructions: readonly Instruction[],
  ...results: readonly number[]
): LoopProgram {
  return {
    sources: sources.map((shape, position) => ({ origin: { kind: "input", position }, shape })),
    indexSources: [],
    instructions,
    results: results.length > 0 ? results : [sources.length + instructions.length - 1],
  };
}

const map = (shape: readonly number[], expression: Expression, ...reads: readonly Read[]): Instruction => ({
  kind: "map",
  shape,
  reads,
  expression,
});

const sum = (
  shape: readonly number[],
  over: readonly number[],
  expression: Expression,
  ...reads: readonly Read[]
): Instruction => ({
  kind: "fold",
  operation: "add",
  shape,
  over,
  reads,
  expression,
});

/** The program after both fusions, without what is superfluous. */
function fused(before: LoopProgram): LoopProgram {
  return deadCode(foldFusion(mapFusion(before).program).program).program;
}

/** The loops that are left, each with the functions it applies. */
function loops(before: LoopProgram): readonly string[] {
  return fused(before).instructions.map((instruction) => {
    const names = bodiesOf(instruction).flatMap(({ body }) =>
      applicationsOf(body.expression).map((one) => one.function),
    );
    return [instruction.kind, ...names].join(" ");
  });
}

const unary = (name: ScalarFunction): Expression => apply(name, read(0));
const x = [100, 40];
const whole = stridesOf(x);

describe("fusion", () => {
  test("makes one fold of the sum of exp(x − m), with m repeated along each row", () => {
    const made = loops(
      program(
        [x, [100]],
        [
          map(x, read(0), from(1, [1, 0])),
          map(x, apply("subtract", read(0), read(1)), from(0, whole), from(2, whole)),
          map(x, unary("exp"), from(3, whole)),
          sum([100], [40], read(0), from(4, whole)),
        ],
      ),
    );
    expect(made).toEqual(["fold subtract exp"]);
  });

  test("computes a function that is dear once, however many read it", () => {
    const made = loops(
      program(
        [x],
        [
          map(x, unary("exp"), from(0, whole)),
          sum([100], [40], read(0), from(1, whole)),
          map(x, apply("divide", read(0), read(1)), from(1, whole), from(2, [1, 0])),
        ],
      ),
    );
    expect(made).toEqual(["map exp", "fold", "map divide"]);
  });

  test("computes a cheap map in each of two readers", () => {
    const made = loops(
      program(
        [x],
        [
          map(x, apply("add", read(0), literal(1)), from(0, whole)),
          map(x, unary("exp"), from(1, whole)),
          map(x, unary("sin"), from(1, whole)),
        ],
        2,
        3,
      ),
    );
    expect(made).toEqual(["map add exp", "map add sin"]);
  });

  test("leaves the operands of a product of matrices alone, but not those of a product with a vector", () => {
    const product = (columns: number): readonly string[] =>
      loops(
        program(
          [x, [40, columns]],
          [
            map(x, unary("negative"), from(0, whole)),
            sum(
              [100, columns],
              [40],
              apply("multiply", read(0), read(1)),
              from(2, [40, 0, 1]),
              from(1, [0, 1, columns]),
            ),
          ],
        ),
      );
    expect(product(7)).toEqual(["map negative", "fold multiply"]);
    expect(product(1)).toEqual(["fold negative multiply"]);
  });

  test("fuses nothing into another place than all readers, and never a result", () => {
    const twice = program(
      [x],
      [map(x, unary("exp"), from(0, whole)), map(x, unary("negative"), from(1, whole))],
      1,
      2,
    );
    expect(loops(twice)).toEqual(["map exp", "map negative"]);
    const base = program(
      [x],
      [
        map(x, unary("negative"), from(0, whole)),
        {
          kind: "scatter",
          shape: x,
          base: 1,
          over: [3],
          place: from(0, [1]),
          reads: [from(1, [1])],
          expression: read(0),
        },
      ],
    );
    expect(loops(base)).toEqual(["map negative", "scatter"]);
  });

  test("of a long chain keeps bodies within 200 applications and 24 reads", () => {
    const length = 1000;
    const chain = Array.from({ length }, (_, n) =>
      map(x, apply("add", apply("sin", read(0)), read(1)), from(n, whole), from(0, whole, 0)),
    );
    const { instructions } = fused(program([x], chain));
    expect(instructions.length).toBe(10);
    for (const instruction of instructions)
      for (const { body } of bodiesOf(instruction)) {
        expect(applicationsOf(body.expression).length).toBeLessThanOrEqual(200);
        expect(body.reads.length).toBeLessThanOrEqual(24);
      }
    const wide = Array.from({ length: 60 }, (_, n) =>
      map(x, apply("add", read(0), read(1)), from(n === 0 ? 0 : 59 + n, whole), from(n, whole)),
    );
    const sources = Array.from({ length: 60 }, () => x);
    for (const instruction of fused(program(sources, wide)).instructions)
      for (const { body } of bodiesOf(instruction)) expect(body.reads.length).toBeLessThanOrEqual(24);
  });

  test("does not keep large products alive to sum them at once", () => {
    const square = [100, 100];
    const product = (value: number): Instruction =>
      sum(
        square,
        [100],
        apply("multiply", read(0), read(1)),
        from(value, [100, 0, 1]),
        from(value, [0, 1, 100]),
      );
    const add = (a: number, b: number): Instruction =>
      map(square, apply("add", read(0), read(1)), from(a, [100, 1]), from(b, [100, 1]));
    const sums = program(
      [square],
      [product(0), product(1), add(1, 2), product(2), add(3, 4), product(4), add(5, 6)],
    );
    expect(loops(sums).filter((one) => one === "map add")).toHaveLength(3);
  });
});
