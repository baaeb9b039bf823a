import { describe, expect, test } from "vitest";
import { apply, literal } from "../expression.ts";
import type { Kind } from "../programs.test.kit.ts";
import { accumulationInPlace } from "./accumulation_in_place.ts";
import { commonSubexpressions } from "./common_subexpressions.ts";
import { deadCode } from "./dead_code.ts";
import { isLiteral, isZero } from "./expressions.ts";
import { foldFusion } from "./fold_fusion.ts";
import { mapFusion } from "./map_fusion.ts";
import type { Pass } from "./rewritten.ts";
import { anyNumbers, believing, integers, isFoundOut, spoiling, trial } from "./trial.test.kit.ts";
import { units } from "./units.ts";
import { viewComposition } from "./view_composition.ts";
import { zeros } from "./zeros.ts";

/** A pass, the numbers on which it is exact, and plausible mistakes in it. */
interface Row {
  readonly name: string;
  readonly pass: Pass;
  readonly kinds: readonly Kind[];
  readonly wrong: Readonly<Record<string, Pass>>;
}

const withoutOffset = (pass: Pass): Pass => spoiling(pass, (read) => ({ ...read, offset: 0 }));
const withoutLookups = (pass: Pass): Pass => spoiling(pass, (read) => ({ ...read, indirections: [] }));
const withoutFolded = (pass: Pass): Pass =>
  spoiling(pass, (read, rank) => ({
    ...read,
    strides: read.strides.map((stride, axis) => (axis < rank ? stride : 0)),
  }));

const rows: readonly Row[] = [
  {
    name: "dead_code",
    pass: deadCode,
    kinds: anyNumbers,
    wrong: {
      "forgets to rename results": (program) => {
        const { fired, program: after } = deadCode(program);
        const most = program.sources.length + after.instructions.length - 1;
        return { fired, program: { ...after, results: program.results.map((id) => Math.min(id, most)) } };
      },
      "forgets that a scatter needs its base": (program) => {
        const read = new Set(
          program.instructions.flatMap((one) => ("reads" in one ? one.reads.map(({ value }) => value) : [])),
        );
        const instructions = program.instructions.map((one) =>
          one.kind === "scatter" && one.base !== undefined && !read.has(one.base)
            ? { ...one, base: undefined }
            : one,
        );
        return deadCode({ ...program, instructions });
      },
    },
  },
  {
    name: "common_subexpressions",
    pass: commonSubexpressions,
    kinds: anyNumbers,
    wrong: {
      "takes 0 for −0": believing(commonSubexpressions, ({ function: name, operands }) =>
        operands.some((operand) => isLiteral(operand, -0))
          ? apply(name, ...operands.map((operand) => (isZero(operand) ? literal(0) : operand)))
          : undefined,
      ),
      "takes x − y for y − x": believing(commonSubexpressions, ({ function: name, operands: [x, y] }) =>
        name === "subtract" && x?.kind === "literal" && y?.kind === "read"
          ? apply("subtract", y, x)
          : undefined,
      ),
      "does not see where pieces read": (program) => {
        const blind = program.instructions.map((one) =>
          one.kind === "assemble"
            ? {
                ...one,
                pieces: one.pieces.map((piece) => ({
                  ...piece,
                  reads: piece.reads.map((read) => ({ ...read, offset: 0 })),
                })),
              }
            : one,
        );
        return commonSubexpressions({ ...program, instructions: blind });
      },
    },
  },
  {
    name: "view_composition",
    pass: viewComposition,
    kinds: anyNumbers,
    wrong: {
      "forgets offsets": withoutOffset(viewComposition),
      "forgets lookups": withoutLookups(viewComposition),
      "takes reversed axes for straight ones": spoiling(viewComposition, (read) => ({
        ...read,
        strides: read.strides.map(Math.abs),
      })),
    },
  },
  {
    name: "map_fusion",
    pass: mapFusion,
    kinds: anyNumbers,
    wrong: { "forgets offsets": withoutOffset(mapFusion), "forgets lookups": withoutLookups(mapFusion) },
  },
  {
    name: "fold_fusion",
    pass: foldFusion,
    kinds: anyNumbers,
    wrong: {
      "forgets offsets": withoutOffset(foldFusion),
      "forgets the folded axes": withoutFolded(foldFusion),
    },
  },
  {
    name: "units",
    pass: units,
    kinds: anyNumbers,
    wrong: {
      "takes +0 for the unit of sums": (program) => zeros(units(program).program),
      "believes that 0 · x is 0": believing(units, ({ function: name, operands }) =>
        name === "multiply" && operands.some((operand) => isLiteral(operand, 0)) ? literal(0) : undefined,
      ),
      "takes the other branch of a choice": believing(
        units,
        ({ function: name, operands: [condition, x, y] }) =>
          name === "select" && condition?.kind === "literal" ? (condition.value === 0 ? x : y) : undefined,
      ),
    },
  },
  {
    name: "zeros",
    pass: zeros,
    kinds: integers,
    wrong: {
      "believes that 0 · x is 0": believing(zeros, ({ function: name, operands }) =>
        name === "multiply" && operands.some(isZero) ? literal(0) : undefined,
      ),
      "believes that 0 − x is x": believing(zeros, ({ function: name, operands: [x, y] }) =>
        name === "subtract" && isZero(x) ? y : undefined,
      ),
    },
  },
  {
    name: "accumulation_in_place",
    pass: accumulationInPlace,
    kinds: integers,
    wrong: {
      "forgets what it adds to": (program) => {
        const after = accumulationInPlace(program);
        const instructions = after.program.instructions.map((one, n) =>
          one !== program.instructions[n] && one.kind === "scatter" ? { ...one, base: undefined } : one,
        );
        return { ...after, program: { ...after.program, instructions } };
      },
      "adds in the first place": (program) => {
        const after = accumulationInPlace(program);
        const instructions = after.program.instructions.map((one, n) =>
          one !== program.instructions[n] && one.kind === "scatter"
            ? { ...one, place: { ...one.place, offset: 0 } }
            : one,
        );
        return { ...after, program: { ...after.program, instructions } };
      },
    },
  },
];

describe.each(rows)("$name", ({ pass, kinds, wrong }) => {
  test("fires, and keeps the results of random programs", () => {
    const { fired, faults } = trial(pass, kinds);
    expect(faults).toEqual([]);
    expect(fired).toBeGreaterThan(30);
  });

  test("hands back the same program where nothing fires", () => {
    const nothing = { sources: [], indexSources: [], instructions: [], results: [] };
    expect(pass(nothing)).toEqual({ program: nothing, fired: 0 });
    expect(pass(nothing).program).toBe(nothing);
  });

  test.each(Object.entries(wrong))("one that %s is found out", (_, mutant) => {
    expect(isFoundOut(mutant, kinds)).toBe(true);
  });
});

test("what holds for integers does not hold bit for bit", () => {
  expect(isFoundOut(zeros, anyNumbers)).toBe(true);
});
