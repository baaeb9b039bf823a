import { describe, expect, test } from "vitest";
import { type Program, program, withAliasesInside } from "../../spec/index.ts";
import { type Rational, rational } from "../algebras/rational.ts";
import { aliasesOf } from "./aliases.ts";
import { record, unroll } from "./execute.ts";
import { Session } from "./session.ts";
import { exactly, left, shown, startAt, wellFormed } from "./state.test.kit.ts";
import { toSsa } from "./to_ssa.ts";

/** Two parameters lie in one buffer, and one of them has a third name. */
const flat: Program = program(({ input, state, alias }) => {
  const x = input("x", [2]);
  const buffer = state("flat", [6]);
  const part = (start: number, size: number) =>
    ({ kind: "slice", starts: [start], sizes: [size], steps: [1] }) as const;
  const weight = alias("weight", buffer, part(0, 4), { kind: "reshape", shape: [2, 2] });
  const bias = alias("bias", buffer, part(4, 2));
  const tied = alias("tied", weight, { kind: "permute", axes: [1, 0] });
  const whole = alias("whole", buffer);
  bias.update("add", x);
  tied.at(0).write(x);
  whole.update("multiply", 2);
  return [weight.multiply(tied), bias];
});

const contents = exactly([6], 1, 2, 3, 4, 5, 6);
const start = startAt([exactly([2], 7, 9)], { state: [contents] });

/** The program with a copy for each other name: what an engine has that ties nothing. */
function untied(tied: Program): Program {
  const { procedures, ...rest } = withAliasesInside(tied);
  const copied = procedures.map((procedure) => ({
    ...procedure,
    body: procedure.body.flatMap((one) =>
      one.do === "view" && tied.aliases?.includes(one) === true
        ? [
            { ...one, name: `${one.name}~` },
            { do: "buffer" as const, name: one.name, from: `${one.name}~` },
          ]
        : [one],
    ),
  }));
  return { ...rest, procedures: copied };
}

describe("other names of a persistent location", () => {
  test("see what is written under any of them, and the location holds it", () => {
    expect(left(wellFormed(flat), start)).toEqual(["196 72 72 64", "24 30", "14 4 18 8 24 30"]);
  });

  test("mean views at the beginning of the entry, and no copies", () => {
    const inside = wellFormed(withAliasesInside(flat));
    expect(inside.aliases).toBeUndefined();
    expect(left(inside, start)).toEqual(left(flat, start));
    expect(left(wellFormed(untied(flat)), start)).not.toEqual(left(flat, start));
    expect(withAliasesInside(inside)).toBe(inside);
  });

  test("have one input together in the recording, and the form without memory has the same graph", () => {
    const recording = record(rational, flat, start);
    const form = toSsa(flat);
    if (!recording.ok || !form.ok) throw new Error("no recording");
    expect(recording.value.graph.inputs.map(({ name }) => name)).toEqual(["x", "flat"]);
    const { decisions } = recording.value;
    const unrolled = unroll(rational, flat, form.value, decisions, start);
    expect(unrolled.ok && unrolled.value.graph).toEqual(recording.value.graph);
  });

  test("share it in later calls of a session", () => {
    const session = new Session<Rational, unknown>(rational, flat, start);
    const results = [1, 2].map(() => session.call(start.parameters));
    const states = results.map((result) => result.ok && result.value.state.map(shown));
    expect(states).toEqual([["14 4 18 8 24 30"], ["14 8 18 16 62 78"]]);
  });

  test("share it with all its names without a run, and with no other location", () => {
    const two = wellFormed(
      program(({ state, alias }) => {
        const [a, b] = [state("a", [2]), state("b", [2])];
        const other = alias("c", alias("d", a));
        b.update("add", other);
        return [];
      }),
    );
    const aliasing = aliasesOf(two);
    const [a, b] = two.state;
    for (const name of two.aliases ?? []) {
      expect(a && aliasing(a, name)).not.toBe("cannot");
      expect(b && aliasing(b, name)).toBe("cannot");
    }
  });
});

describe("an update under a mask", () => {
  const masked = (op: "multiply" | "divide", ...mask: readonly number[]): string[] =>
    left(
      program(({ input, buffer }) => {
        const b = buffer(input("x", [3]));
        b.writeWhere(input("mask", [3]), input("y", [3]), op);
        return [b];
      }),
      startAt([exactly([3], 2, 3, 5), exactly([3], ...mask), exactly([3], 4, 0, 8)]),
    );

  test("updates where the mask is not 0, and leaves the rest", () => {
    expect(masked("multiply", 1, 0, -2)).toEqual(["8 3 40"]);
    expect(masked("multiply", 1, 1, 1)).toEqual(["8 0 40"]);
    expect(masked("multiply", 0, 0, 0)).toEqual(["2 3 5"]);
  });

  test("computes nothing beside it: a number is divided by 0 only under the mask", () => {
    expect(masked("divide", 1, 0, 1)).toEqual(["1/2 3 5/8"]);
    expect(masked("divide", 1, 1, 1)).not.toEqual(["1/2 3 5/8"]);
  });
});
