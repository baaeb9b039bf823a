import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { damage, edits } from "../mutate.test.data.ts";
import { graph, type Json, node, tensor } from "../specimens.test.data.ts";
import { checkTapeCase, encodeTapeCase } from "./tape_case.ts";
import { checkTapeVector, encodeTapeVector } from "./tape_vector.ts";

const square = graph([["x", [2]]], [], [node("multiply", [0, 0])]);
const point: Json = { inputs: [tensor([2])], environment: {} };
const record: { [key: string]: Json } = {
  do: "record",
  tape: "a",
  graph: 0,
  point,
  life: "until released",
  of: [1],
};
const hooked: { [key: string]: Json } = { ...record, hooks: [0, 1] };
const seedAt = (id: number, shape: number[]): Json => ({ id, cotangent: tensor(shape) });
const sweep = (refuse: string, ...seeds: Json[]): { [key: string]: Json } => ({
  do: "sweep",
  tape: "a",
  seeds: seeds.length === 0 ? [seedAt(1, [2])] : seeds,
  refuse,
});
const release: Json = { do: "release", tape: "a" };
const script = (...steps: Json[]): { [key: string]: Json } => ({
  format: "adjudge.tape-case.v1",
  graphs: [square],
  steps,
});

const well = script(hooked, sweep("never"), sweep("must", seedAt(1, [3])), release, sweep("must"));

const refusals: readonly (readonly [what: string, steps: Json[], code: string, pointer: string])[] = [
  ["a tape of no graph", [{ ...record, graph: 1 }], "tape/graph", "/steps/0/graph"],
  ["seeds at an id that is not there", [{ ...record, of: [0, 2] }], "tape/of", "/steps/0/of/1"],
  ["a hook on an id that is not there", [{ ...record, hooks: [0, 2] }], "tape/hooks", "/steps/0/hooks/1"],
  ["two hooks on one id", [{ ...record, hooks: [1, 1] }], "schema/uniqueItems", "/steps/0/hooks"],
  ["hooks on nothing", [{ ...record, hooks: [] }], "schema/minItems", "/steps/0/hooks"],
  ["a name for two tapes", [record, record], "tape/twice", "/steps/1/tape"],
  ["a sweep before its tape", [sweep("never"), record], "tape/unknown", "/steps/0/tape"],
  ["a release of no tape", [{ do: "release", tape: "b" }], "tape/unknown", "/steps/0/tape"],
  ["an answer of a released tape", [record, release, sweep("never")], "tape/refuse", "/steps/2/refuse"],
  ["a doubt about a released tape", [record, release, sweep("may")], "tape/refuse", "/steps/2/refuse"],
  ["a refusal that nobody owes", [record, sweep("must")], "tape/refuse", "/steps/1/refuse"],
  [
    "an answer to another shape",
    [record, sweep("never", seedAt(1, [1, 2]))],
    "tape/refuse",
    "/steps/1/refuse",
  ],
  [
    "an answer at an id that was not named",
    [record, sweep("never", seedAt(0, [2]))],
    "tape/refuse",
    "/steps/1/refuse",
  ],
  [
    "a second answer of a tape for one",
    [{ ...record, life: "once" }, sweep("never"), sweep("never")],
    "tape/refuse",
    "/steps/2/refuse",
  ],
  [
    "two seeds at one id",
    [record, sweep("never", seedAt(1, [2]), seedAt(1, [2]))],
    "seed/twice",
    "/steps/1/seeds/1/id",
  ],
  [
    "a sweep beside a recording",
    [record, { ...sweep("never"), together: true }],
    "tape/together",
    "/steps/1/together",
  ],
  [
    "a point of another shape",
    [{ ...record, point: { inputs: [tensor([3])], environment: {} } }],
    "point/shape",
    "/steps/0/point/inputs/0/shape",
  ],
  [
    "sixty-five tapes",
    Array.from({ length: 65 }, (_, i) => ({ ...record, tape: `t${i}` })),
    "tape/count",
    "/steps/64",
  ],
  ["no step", [], "schema/minItems", "/steps"],
];

describe("a tape case", () => {
  test("that is well-formed comes back as it was", () => {
    const checked = checkTapeCase(well);
    if (!checked.ok) return expect.unreachable(JSON.stringify(checked.error));
    const again = checkTapeCase(JSON.parse(JSON.stringify(encodeTapeCase(checked.value))));
    expect(again).toEqual(checked);
  });

  test.each(refusals)("is refused for %s, with a place and a hint", (_, steps, code, pointer) => {
    const checked = checkTapeCase(script(...steps));
    if (checked.ok) return expect.unreachable("it is refused");
    const [issue] = checked.error;
    expect([issue?.code, issue?.pointer]).toEqual([code, pointer]);
    expect(issue?.hint).not.toBe("");
  });

  test("has its graphs checked as graphs are", () => {
    const cyclic = graph([["x", [2]]], [], [node("multiply", [0, 1])]);
    const checked = checkTapeCase({ ...well, graphs: [square, cyclic] });
    if (checked.ok) return expect.unreachable("it is refused");
    expect(checked.error[0]?.pointer).toMatch(/^\/graphs\/1\/nodes\/0/);
  });

  test("may say of a second sweep of a tape for one that it may be refused, or must", () => {
    for (const word of ["may", "must"])
      expect(checkTapeCase(script({ ...record, life: "once" }, sweep("never"), sweep(word)))).toMatchObject({
        ok: true,
      });
  });

  test("that is damaged is a case or an issue, never an exception", () => {
    fc.assert(
      fc.property(edits, (list) => {
        const checked = checkTapeCase(damage(well, list));
        if (!checked.ok) expect(checked.error.length).toBeGreaterThan(0);
      }),
      { seed: 18, numRuns: 300 },
    );
  });
});

describe("a vector of a tape", () => {
  const sets: Json = [{ kind: "exact", value: "1" }, { kind: "nan" }];
  const vector: { [key: string]: Json } = {
    format: "adjudge.tape-vector.v1",
    name: "square",
    clause: "4.10",
    note: "x · x",
    defects: [],
    links: [],
    faults: [],
    case: well,
    expected: [{ step: 1, cotangents: [{ id: 0, sets }], hooks: [0, 1].map((id) => ({ id, sets })) }],
  };

  test("that is well-formed comes back as it was", () => {
    const checked = checkTapeVector(vector);
    if (!checked.ok) return expect.unreachable(JSON.stringify(checked.error));
    expect(checkTapeVector(JSON.parse(JSON.stringify(encodeTapeVector(checked.value))))).toEqual(checked);
  });

  test.each([
    ["nothing is expected of a sweep that is owed", { expected: [] }, "vector/sweeps", "/expected"],
    [
      "something is expected of one that must be refused",
      { expected: [{ step: 2, cotangents: [{ id: 0, sets }] }] },
      "vector/sweeps",
      "/expected",
    ],
    [
      "an input has too few sets",
      { expected: [{ step: 1, cotangents: [{ id: 0, sets: [{ kind: "nan" }] }] }] },
      "vector/component",
      "/expected/0",
    ],
    [
      "nothing is expected of its hooks",
      { expected: [{ step: 1, cotangents: [{ id: 0, sets }] }] },
      "vector/component",
      "/expected/0",
    ],
    [
      "its hooks are others",
      { expected: [{ step: 1, cotangents: [{ id: 0, sets }], hooks: [{ id: 1, sets }] }] },
      "vector/component",
      "/expected/0",
    ],
    ["its case is none", { case: script(sweep("never")) }, "tape/unknown", "/case/steps/0/tape"],
  ])("is refused where %s", (_, change, code, pointer) => {
    const checked = checkTapeVector({ ...vector, ...change });
    if (checked.ok) return expect.unreachable("it is refused");
    expect([checked.error[0]?.code, checked.error[0]?.pointer]).toEqual([code, pointer]);
  });
});
