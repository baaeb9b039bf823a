import { expect, test } from "vitest";
import { apply, literal, read } from "../expression.ts";
import type { Instruction } from "../program.ts";
import { deadCode } from "./dead_code.ts";
import { expectUntouched, from, map, program, rewrittenBy, sum } from "./written.test.kit.ts";

const exp = apply("exp", read(0));
const whole = (value: number) => from(value, [1]);

test("a chain that nothing needs goes at once, and what is left is numbered anew", () => {
  const before = program(
    [[2]],
    [
      map([2], exp, whole(0)),
      map([2], exp, whole(1)),
      map([2], apply("sin", read(0)), whole(0)),
      map([2], exp, whole(3)),
    ],
  );
  const { program: after, fired } = rewrittenBy(deadCode, before);
  expect(fired).toBe(2);
  expect(after.instructions).toMatchObject([{ reads: [{ value: 0 }] }, { reads: [{ value: 1 }] }]);
  expect(after.results).toEqual([2]);
});

test("a read that is not used goes, with what it kept alive", () => {
  const before = program(
    [[2]],
    [map([2], exp, whole(0)), map([2], apply("sin", read(1)), whole(1), whole(0))],
  );
  const { program: after, fired } = rewrittenBy(deadCode, before);
  expect(fired).toBe(2);
  expect(after.instructions).toEqual([map([2], apply("sin", read(0)), whole(0))]);
});

test("a loop that runs for no index reads nothing, and such a piece is none", () => {
  const assembly: Instruction = {
    kind: "assemble",
    shape: [2],
    isCovered: false,
    pieces: [
      { shape: [0], place: from(0, [1]), reads: [whole(1)], expression: read(0) },
      { shape: [1], place: from(0, [1]), reads: [whole(0)], expression: read(0) },
    ],
  };
  const before = program(
    [[2]],
    [map([2], exp, whole(0)), assembly, sum([2], [0], exp, from(1, [1, 1]))],
    2,
    3,
  );
  const { program: after, fired } = rewrittenBy(deadCode, before);
  expect(fired).toBe(3);
  expect(after.instructions).toMatchObject([{ pieces: [{ shape: [1] }] }, { reads: [] }]);
  expect(after.instructions).toHaveLength(2);
});

test("what needs nothing of this stays as it is, even where something else goes", () => {
  const assembly: Instruction = {
    kind: "assemble",
    shape: [3],
    isCovered: false,
    pieces: [{ shape: [2], place: from(0, [1]), reads: [whole(1)], expression: read(0) }],
  };
  const live = [map([2], exp, whole(0)), assembly];
  expectUntouched(deadCode, program([[2]], live));
  const { program: after } = rewrittenBy(deadCode, program([[2]], [...live, map([2], literal(1))], 2));
  expect(after.instructions[0]).toBe(live[0]);
  expect(after.instructions[1]).toBe(live[1]);
});
