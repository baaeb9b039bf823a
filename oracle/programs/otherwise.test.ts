import { describe, expect, test } from "vitest";
import { entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import type { Block, Statement } from "../../spec/programs/index.ts";
import { readable } from "./beginnings.ts";
import { floatPrograms, taskAt } from "./draw.ts";
import { Origins } from "./origins.ts";
import { otherwise } from "./otherwise.ts";
import { isSameRun, leavingIn } from "./written_out.ts";

/** A statement of a random program, and others that are said to do the same. */
interface Written {
  readonly given: ProgramCase;
  readonly statement: Statement;
  readonly before: Block;
  readonly block: Block;
}

/** Lists what is written out for the statements around others in the entries of random programs. */
function writtenOut(seed: number, programs: number): readonly Written[] {
  const tasks = Array.from({ length: programs }, (_, index) => taskAt(floatPrograms, seed, index));
  // One that must be refused ends with an error, and one whose said derivative overflows has no meaning.
  const cases = tasks.map(({ case: given }) => given).filter(hasEnd);
  expect(cases.length).toBeGreaterThan(0.9 * programs);
  return cases.flatMap((given) => {
    const { body } = entryOf(given.program);
    return body.flatMap((statement, place) => {
      const before = body.slice(0, place);
      const all = [...otherwise(given, before, statement, new Origins())];
      return all
        .filter(({ of }) => of === statement)
        .map(({ block }) => ({ given, statement, before, block }));
    });
  });
}

/** Tells whether a program has an end. */
function hasEnd(given: ProgramCase): boolean {
  const { body } = entryOf(given.program);
  return isSameRun(given, body, body, []);
}

/** Tells whether a program has an end, and what is in its place leaves the same there. */
function areSame({ given, statement, before }: Written, block: Block): boolean {
  const whole = [...before, statement];
  const names = readable(given, [...before, ...block]).map(({ name }) => name);
  const results = readable(given, whole).filter(({ name }) => names.includes(name));
  return isSameRun(given, whole, [...before, ...block], results);
}

function isLeft(statement: Statement): boolean {
  return (
    (statement.do === "for" || statement.do === "while") && leavingIn(statement.body, "break").length > 0
  );
}

describe("what is written out for a statement around others", () => {
  const all = writtenOut(5, 60);
  const kinds = ["call", "checkpoint", "for", "if", "no_grad", "while"] as const;

  test.each(kinds)("does what %s does", (kind) => {
    const some = all.filter(({ statement }) => statement.do === kind);
    expect(some.length).toBeGreaterThanOrEqual(5);
    const others = some.filter((written) => !areSame(written, written.block));
    // A turn that a break ends is written out as a whole: whoever asks compares the runs.
    expect(others.filter(({ statement }) => !isLeft(statement))).toEqual([]);
    expect(others.length).toBeLessThan(0.5 * some.length);
  });

  test("does something else without its last statement that binds, writes or draws", () => {
    const shorter = all.filter(({ block }) => block.length > 0).slice(0, 60);
    const told = shorter.filter((written) => !areSame(written, written.block.slice(0, -1)));
    expect(told.length).toBeGreaterThan(0.3 * shorter.length);
  });
});
