import { describe, expect, test } from "vitest";
import { stridesOf } from "../../../../spec/index.ts";
import { applicationsOf, apply, type Expression, literal, read, type ScalarFunction } from "../expression.ts";
import { bodiesOf, type Instruction, type LoopProgram, type Read } from "../program.ts";
import { deadCode } from "./dead_code.ts";
import { foldFusion } from "./fold_fusion.ts";
import { mapFusion } from "./map_fusion.ts";
import { expectUntouched, from, map, program, rewrittenBy, sum } from "./written.test.kit.ts";

/** Applies both fusions, and drops dead code. */
function fused(before: LoopProgram): LoopProgram {
  return deadCode(foldFusion(mapFusion(before).program).program).program;
}

/** Lists the loops that are left, each with the functions it applies. */
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

  test("reaches 24 reads and 200 applications, and stops there", () => {
    const width = [7];
    const each = (value: number): Read => from(value, [1]);
    const wide = (reads: number): LoopProgram => {
      const added = Array.from({ length: reads }, (_, n) => read(n)).reduce((a, b) => apply("add", a, b));
      return program(
        Array.from({ length: reads + 1 }, () => width),
        [
          map(width, added, ...Array.from({ length: reads }, (_, n) => each(n))),
          map(width, apply("multiply", read(0), read(1)), each(reads + 1), each(reads)),
        ],
      );
    };
    expect([23, 24].map((reads) => fused(wide(reads)).instructions.length)).toEqual([1, 2]);
    const long = (applications: number): LoopProgram => {
      let expression: Expression = read(0);
      for (let n = 0; n < applications; n++) expression = apply("sin", expression);
      return program([width], [map(width, expression, each(0)), map(width, unary("cos"), each(1))]);
    };
    expect([199, 200].map((count) => fused(long(count)).instructions.length)).toEqual([1, 2]);
  });

  test("keeps up to 4096 elements alive across a loop, and no more", () => {
    const kept = (size: number): number => {
      const shape = [size];
      const dot = (value: number): Instruction =>
        sum(shape, [2], apply("multiply", read(0), read(1)), from(value, [1, 0]), from(value, [1, 0]));
      const made = program(
        [shape],
        [
          dot(0),
          dot(0),
          map(shape, apply("add", read(0), read(1)), from(1, [1]), from(2, [1])),
          sum([], shape, read(0), from(0, [1])),
          map(shape, unary("negative"), from(3, [1])),
        ],
        4,
        5,
      );
      return rewrittenBy(mapFusion, made).fired;
    };
    expect([4096, 4097].map(kept)).toEqual([1, 0]);
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

describe("a fusion", () => {
  const row = [2];
  const all = stridesOf([2]);

  test("is of maps into folds, or of maps into what is none", () => {
    const before = program(
      [x],
      [map(x, unary("exp"), from(0, whole)), sum([100], [40], read(0), from(1, whole))],
    );
    expectUntouched(mapFusion, before);
    expect(rewrittenBy(foldFusion, before).fired).toBe(1);
    const maps = program(
      [x],
      [map(x, unary("exp"), from(0, whole)), map(x, unary("negative"), from(1, whole))],
    );
    expectUntouched(foldFusion, maps);
    expect(rewrittenBy(mapFusion, maps).fired).toBe(1);
  });

  test("shares the expression of what it takes in, and leaves what it does not change as it is", () => {
    const before = program(
      [[2]],
      [
        map(row, unary("exp"), from(0, all)),
        map(row, unary("negative"), from(1, all)),
        map(row, unary("tan"), from(0, all)),
      ],
      2,
      3,
    );
    const [exp, negative, tan] = rewrittenBy(mapFusion, before).program.instructions;
    const made =
      negative?.kind === "map" && negative.expression.kind === "apply" ? negative.expression : undefined;
    expect(made?.operands[0]).toBe(exp?.kind === "map" ? exp.expression : exp);
    expect(tan).toBe(before.instructions[2]);
  });

  test("does not compute a map for a routine and for a loop", () => {
    const determinant = { kind: "determinant", n: 2 } as const;
    expectUntouched(
      mapFusion,
      program(
        [[2, 2]],
        [
          map([2, 2], unary("exp"), from(0, [2, 1])),
          { kind: "routine", shape: [], routine: determinant, operands: [1] },
          map([2, 2], unary("negative"), from(1, [2, 1])),
        ],
        2,
        3,
      ),
    );
  });

  test("does not compute a map for one loop that must be computed for another", () => {
    const transposed = map([3, 2], unary("negative"), from(0, [1, 3]));
    const straight = map([3, 2], unary("exp"), from(1, [2, 1]));
    const flat = map([6], unary("sin"), from(1, [1]));
    expectUntouched(mapFusion, program([[6]], [transposed, straight, flat], 2, 3));
    expect(rewrittenBy(mapFusion, program([[6]], [transposed, straight])).fired).toBe(1);
  });

  test("repeats in no fold, however cheap it is, what a map may repeat", () => {
    const cheap = map(row, unary("negative"), from(0, all));
    const repeated = apply("add", read(0), read(1));
    const reads = [from(1, [0, 1]), from(0, [1, 0])];
    const folded = program([[2]], [cheap, sum([2], [2], repeated, ...reads)]);
    expectUntouched(foldFusion, folded);
    expect(rewrittenBy(mapFusion, program([[2]], [cheap, map([2, 2], repeated, ...reads)])).fired).toBe(1);
    const once = program(
      [[2]],
      [cheap, sum([], [2], read(0), from(1, all)), map(row, unary("exp"), from(1, all))],
      2,
      3,
    );
    expect(rewrittenBy(foldFusion, once).fired).toBe(1);
  });

  test("does a division twice, or a root, if that is cheaper than a loop, but no other function", () => {
    const twice = (expression: Expression, size: number): LoopProgram =>
      program(
        [[size]],
        [
          map([size], expression, from(0, [1])),
          map([size], unary("exp"), from(1, [1])),
          map([size], unary("tan"), from(1, [1])),
        ],
        2,
        3,
      );
    for (const dear of [unary("sqrt"), apply("divide", read(0), literal(3))]) {
      expect(rewrittenBy(mapFusion, twice(dear, 2)).fired).toBe(2);
      expectUntouched(mapFusion, twice(dear, 100));
    }
    expectUntouched(mapFusion, twice(unary("sin"), 2));
  });

  test("counts what it reads again only where the reader does not read it", () => {
    const size = [1000];
    const three = apply("add", apply("add", read(0), read(1)), read(2));
    const each = [from(0, [1]), from(1, [1]), from(2, [1])];
    const reader = (last: Expression, isKnown: boolean): Instruction =>
      isKnown
        ? map(
            size,
            apply("multiply", apply("multiply", read(1), read(2)), apply("multiply", read(3), last)),
            from(3, [1]),
            ...each,
          )
        : map(size, last, from(3, [1]));
    const twice = (isKnown: boolean): LoopProgram =>
      program(
        [size, size, size],
        [map(size, three, ...each), reader(read(0), isKnown), reader(unary("negative"), isKnown)],
        4,
        5,
      );
    expect(rewrittenBy(mapFusion, twice(true)).fired).toBe(2);
    expectUntouched(mapFusion, twice(false));
  });
});

describe("a fusion keeps no large operands alive", () => {
  const large = [100, 100];
  const straight = [100, 1];
  const product = (value: number): Instruction =>
    sum(large, [2], apply("multiply", read(0), read(1)), from(value, [100, 1, 0]), from(value, [1, 100, 0]));
  const added = apply("add", read(0), read(1));
  const negative = unary("negative");
  /** Makes a sum of the operands, another instruction, and a reader of the sum. */
  const apart = (operands: readonly [Instruction, Instruction], between: Instruction): LoopProgram =>
    program(
      [large],
      [
        ...operands,
        map(large, added, from(1, straight), from(2, straight)),
        between,
        map(large, negative, from(3, straight)),
      ],
      4,
      5,
    );
  const products = [product(0), product(0)] as const;
  const another = map(large, unary("exp"), from(0, straight));

  test("across a loop, but across maps unless it is frugal", () => {
    expectUntouched(mapFusion, apart(products, sum([], large, read(0), from(0, straight))));
    expect(rewrittenBy(mapFusion, apart(products, another)).fired).toBe(1);
    expectUntouched((before) => mapFusion(before, true), apart(products, another));
  });

  test("that would be alive anyway, or are sources", () => {
    const before = apart(products, sum([], large, read(0), from(0, straight)));
    const later = program(
      [large],
      [...before.instructions, map(large, added, from(1, straight), from(2, straight))],
      4,
      5,
      6,
    );
    expect(rewrittenBy(mapFusion, later).fired).toBe(1);
    const ofSources = program(
      [large, large],
      [
        map(large, added, from(0, straight), from(1, straight)),
        sum([], large, read(0), from(0, straight)),
        map(large, negative, from(2, straight)),
      ],
      3,
      4,
    );
    expect(rewrittenBy(mapFusion, ofSources).fired).toBe(1);
    expect(rewrittenBy((some) => mapFusion(some, true), ofSources).fired).toBe(1);
  });

  test("but small ones, unless it is frugal", () => {
    const folded = (value: number): Instruction => sum([2], [2], read(0), from(value, [1, 0]));
    const before = program(
      [[2]],
      [
        folded(0),
        folded(0),
        map([2], added, from(1, [1]), from(2, [1])),
        folded(0),
        map([2], negative, from(3, [1])),
      ],
      4,
      5,
    );
    expect(rewrittenBy(mapFusion, before).fired).toBe(1);
    expectUntouched((some) => mapFusion(some, true), before);
  });
});

describe("of two reads that differ in one part a fusion makes no one:", () => {
  const lookup = { index: 0, offset: 1, strides: [1], scale: 1 };
  const base = from(0, [1], 0, [lookup]);
  test.each([
    ["the offset", { ...base, offset: 1 }],
    ["the strides", { ...base, strides: [2] }],
    ["a lookup more", { ...base, indirections: [lookup, lookup] }],
    ["the index", { ...base, indirections: [{ ...lookup, index: 1 }] }],
    ["the lookup's offset", { ...base, indirections: [{ ...lookup, offset: 2 }] }],
    ["the lookup's strides", { ...base, indirections: [{ ...lookup, strides: [2] }] }],
    ["the scale", { ...base, indirections: [{ ...lookup, scale: 2 }] }],
    ["the value", { ...base, value: 1 }],
  ])("%s", (_, other) => {
    const before = program(
      [[9], [9]],
      [map([2], unary("negative"), base), map([2], apply("add", read(0), read(1)), from(2, [1]), other)],
    );
    expect(rewrittenBy(mapFusion, before).fired).toBe(1);
  });
});
