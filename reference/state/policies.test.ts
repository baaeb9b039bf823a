import { describe, expect, test } from "vitest";
import { type Issue, type Program, program, type Result } from "../../spec/index.ts";
import { type Rational, rational } from "../algebras/rational.ts";
import { type PolicyOrNone, policies, type SweepOutcome, sweepUnder } from "./policies.ts";
import { exactly, shown, startAt } from "./state.test.kit.ts";

const sum = { axes: [0], keepdims: false } as const;

/** `y = x·x; x = x + 1`, in place: the sweep of y needs the old x. */
const square = program(({ input, buffer }) => {
  const x = buffer(input("x", [2]));
  const y = x.multiply(x);
  x.update("add", 1);
  return [y.add(x).sum(sum)];
});

/** What is read depends on the input by one operand alone: the other is a constant. */
const partly = program(({ input, buffer }) => {
  const a = buffer(input("x", [2]).multiply(3));
  const y = a.multiply(a);
  a.update("add", 1);
  return [y.sum(sum)];
});

/** One element of the location is overwritten, not all. */
const row = program(({ input, buffer }) => {
  const a = buffer(input("x", [2]));
  const y = a.multiply(a);
  a.writeRows([0], 1, "add");
  return [y.sum(sum)];
});

const element = program(({ input, buffer }) => {
  const a = buffer(input("x", [2]));
  const y = a.multiply(a);
  a.at(0).update("add", 1);
  return [y.sum(sum)];
});

/** A location that is overwritten stands beside what the sweep needs. */
const beside = program(({ input, buffer }) => {
  const a = buffer(input("x", [2]));
  const y = a.at(1).multiply(a.at(1));
  a.at(0).update("add", 1);
  return [y];
});

/** The rule of exp reads its value, and that of sum nothing: what was read is not needed. */
const unneeded = program(({ input, buffer }) => {
  const a = buffer(input("x", [2]));
  const y = a.sum(sum);
  a.update("multiply", 0);
  return [y];
});

/** The overwritten location that is needed is needed by nothing that depends on an input. */
const constant = program(({ input, buffer }) => {
  const x = input("x", [2]);
  const a = buffer(x.detach());
  const y = a.multiply(a);
  a.update("add", 1);
  return [y.sum(sum).add(x.sum(sum))];
});

/** A factor that is overwritten in a loop, one element a turn. */
const loop = program(({ input, buffer, for_ }) => {
  const x = input("x", [2]);
  const a = buffer(x);
  const total = x.sum(sum).multiply(0);
  for_(2, (i) => {
    total.becomes(total.add(a.multiply(x).sum(sum)));
    a.at(i).update("multiply", 2);
  });
  return [total];
});

function swept(policy: PolicyOrNone, given: Program): Result<SweepOutcome<Rational>, Issue[]> {
  return sweepUnder(policy, rational, given, startAt([exactly([2], 3, 4)]), new Map([[0, exactly([], 1)]]));
}

/** Returns the cotangents as text, or by whom the sweep was refused and which statement is to blame. */
function told(policy: PolicyOrNone, given: Program): string {
  const outcome = swept(policy, given);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  if (outcome.value.kind === "refused") return `${outcome.value.by} ${outcome.value.issue.pointer}`;
  return outcome.value.cotangents
    .map((tensor) => (tensor === undefined ? "nothing" : shown(tensor)))
    .join("; ");
}

describe("a saved operand that is overwritten", () => {
  test.each([
    ["whole", square, "/procedures/0/body/3", "7 9", "9 11"],
    ["where a constant made it too", partly, "/procedures/0/body/5", "54 72", "60 78"],
    ["in one element", element, "/procedures/0/body/5", "6 8", "8 8"],
    ["in a row", row, "/procedures/0/body/3", "6 8", "8 8"],
    ["in a loop", loop, "/procedures/0/body/4/body/7", "18 16", "21 24"],
  ])("is an error or makes no difference, and is silently wrong where nobody looks: %s", (_, given, place, right, wrong) => {
    expect(told("version", given)).toMatch(/^sweep \//);
    expect(told("copy", given)).toBe(right);
    expect(told("recompute", given)).toBe(right);
    expect(told("none", given)).toBe(wrong);
    expect(told("forbid", given)).toBe(`write ${place}`);
  });

  test.each([
    ["what is overwritten stands beside it", beside, "0 8"],
    ["no rule reads it", unneeded, "1 1"],
    ["nothing that depends on an input reads it", constant, "1 1"],
  ])("is nothing where %s: no policy refuses, and none copies", (_, given, right) => {
    for (const policy of [...policies, "none" as const]) expect(told(policy, given)).toBe(right);
    const copied = swept("copy", given);
    expect(copied.ok && copied.value.kind === "gradient" && copied.value.copies).toBe(0);
  });

  test("is copied once for each operand that a write finds in its way", () => {
    const [copied, again] = [swept("copy", loop), swept("recompute", loop)];
    // The first turn's product is overwritten, and the second's; x is a value, which nobody overwrites.
    expect(copied.ok && copied.value.kind === "gradient" && copied.value.copies).toBe(2);
    expect(again.ok && again.value.kind === "gradient" && again.value.recomputed).toBeGreaterThan(0);
  });

  test("is found through composites, whose primitives read it", () => {
    const gate = program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const y = a.square();
      a.update("add", 1);
      return [y.sum(sum)];
    });
    expect(told("version", gate)).toMatch(/^sweep /);
    expect(told("copy", gate)).toBe("6 8");
    expect(told("none", gate)).toBe("8 10");
  });
});
