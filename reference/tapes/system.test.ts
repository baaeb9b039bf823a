import { describe, expect, test } from "vitest";
import { fail, graph, isPrimitiveGraph, nodeId, ok } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import type { SparseContext } from "../context.ts";
import { noEnvironment } from "../hand.test.kit.ts";
import type { Tensor } from "../tensor.ts";
import { subjectOf } from "./subject.ts";
import { type RunTape, type SystemParts, type TapeSystem, tapeSystem } from "./system.ts";

const one: Tensor<number> = { shape: [2], data: [1, 1] };

function subject() {
  const built = graph(({ input }) => input("x", [2]).add(input("y", [2])));
  if (!isPrimitiveGraph(built)) return expect.unreachable("a sum is primitive");
  const found = subjectOf(built, float64);
  return found.ok ? found.value : expect.unreachable("floats are added");
}

/** A tape with two lines, that says of each id the cotangent that it is seeded with. */
const parts: Omit<SystemParts, "name"> = {
  summary: "keeps nothing",
  keep: ({ subject: { shapes } }) => {
    const entry = { op: "add", inputs: [], output: nodeId(2), saved: [], metadata: { shape: [2] } };
    return ok({
      entries: [entry, entry],
      *sweep(seed) {
        const found = shapes.flatMap((_, id) => seed.get(nodeId(id)) ?? []);
        for (const cotangent of found) yield { id: nodeId(0), cotangent };
        return shapes.flatMap(() => found.slice(0, 1));
      },
    });
  },
};

function recorded(system: TapeSystem, of?: readonly number[]): RunTape<number> {
  const point = { x: [one, one], environment: noEnvironment };
  const tape = system.record(subject(), point, of?.map(nodeId));
  return tape.ok ? tape.value : expect.unreachable("it is kept");
}

const seedAt = (id: number, at: Tensor<number> = one): SparseContext<number> => new Map([[nodeId(id), at]]);
const codeOf = (tape: RunTape<number>, seed: SparseContext<number>): string => {
  const swept = tape.backward(seed);
  return swept.ok ? `${swept.value.length} cotangents` : swept.error.code;
};

describe("a system made of its parts", () => {
  test("keeps bits, reaches all ids, lives until it is released, and settles, unless its parts say otherwise", () => {
    const { claim, reach, life, settles } = tapeSystem({ name: "plain", ...parts });
    expect([claim, reach, life, settles]).toEqual(["bits", "all", "until released", true]);
    const other = { claim: "exact", reach: "inputs", life: "once", settles: false } as const;
    expect(tapeSystem({ name: "other", ...parts, ...other })).toMatchObject(other);
  });

  test("hands on why nothing is kept, and counts the lines of what is", () => {
    const issues = [{ code: "tape/none", pointer: "", message: "nothing is kept", hint: "none" }];
    const none = tapeSystem({ name: "none", ...parts, keep: () => fail(issues) });
    const point = { x: [one, one], environment: noEnvironment };
    expect(none.record(subject(), point)).toEqual(fail(issues));
    const tape = recorded(tapeSystem({ name: "plain", ...parts }));
    expect([tape.system, tape.entries.length, tape.measure().entries]).toEqual(["plain", 2, 2]);
  });

  test("gives another tape where its parts make one of it", () => {
    const system = tapeSystem({ name: "plain", ...parts, tapeOf: (tape) => ({ ...tape, system: "made" }) });
    expect(recorded(system).system).toBe("made");
  });
});

describe("a tape", () => {
  test("sweeps as often as it is asked, until it is released", () => {
    const tape = recorded(tapeSystem({ name: "plain", ...parts }));
    expect([codeOf(tape, seedAt(2)), codeOf(tape, seedAt(2))]).toEqual(["3 cotangents", "3 cotangents"]);
    tape.release();
    tape.release();
    expect([codeOf(tape, seedAt(2)), tape.entries]).toEqual(["tape/released", []]);
  });

  test("that is swept once is spent by a sweep that comes to its end, and by no other", () => {
    const tape = recorded(tapeSystem({ name: "once", ...parts, life: "once" }));
    const begun = tape.begin(seedAt(2));
    if (!begun.ok) return expect.unreachable("it can be swept");
    expect(begun.value.next().done).toBe(false);
    expect(codeOf(tape, seedAt(2))).toBe("3 cotangents");
    expect([codeOf(tape, seedAt(2)), tape.entries]).toEqual(["tape/spent", []]);
    const released = recorded(tapeSystem({ name: "once", ...parts, life: "once" }));
    released.release();
    expect(codeOf(released, seedAt(2))).toBe("tape/released");
  });

  test("gives the cotangents of the inputs alone if it reaches no further", () => {
    expect(codeOf(recorded(tapeSystem({ name: "in", ...parts, reach: "inputs" })), seedAt(2))).toBe(
      "2 cotangents",
    );
  });

  test("refuses seeds at other ids than it was recorded for, and of other shapes", () => {
    const system = tapeSystem({ name: "plain", ...parts });
    const whole = recorded(system);
    expect([0, 1, 2, 3].map((id) => codeOf(whole, seedAt(id)))).toEqual([
      ...Array.from({ length: 3 }, () => "3 cotangents"),
      "tape/seed-id",
    ]);
    const some = recorded(system, [2]);
    expect([1, 2].map((id) => codeOf(some, seedAt(id)))).toEqual(["tape/seed-id", "3 cotangents"]);
    expect(codeOf(whole, seedAt(2, { shape: [1], data: [1] }))).toBe("tape/seed-shape");
  });
});
