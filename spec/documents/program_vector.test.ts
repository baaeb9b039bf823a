import { describe, expect, test } from "vitest";
import { program } from "../program_builder/index.ts";
import {
  checkProgramVector,
  checkProgramVectorText,
  encodeProgramVector,
  type ProgramVector,
} from "./program_vector.ts";

const counting = program(({ input, state }) => {
  const x = input("x", [2]);
  const total = state("total", [2]);
  total.update("add", x);
  return [total.multiply(total)];
});

function numbers(...data: number[]): { shape: number[]; data: Float64Array } {
  return { shape: [data.length], data: Float64Array.from(data) };
}

const left: ProgramVector["expected"][number] = {
  kind: "left",
  results: [numbers(1, 0.1)],
  state: [numbers(-0, 0.1)],
  sent: [],
  drawn: 0,
  cotangents: [],
  retained: [],
};

const vector: ProgramVector = {
  name: "counting",
  clause: "10.10",
  note: "a call finds what the last one has left",
  defects: [],
  links: [],
  faults: ["state_not_carried"],
  refuse: "never",
  case: {
    program: counting,
    point: { inputs: [numbers(1, 0.1), numbers(0, 1e300)], environment: new Map() },
    generator: { key: [0, 1], drawn: 2 },
    received: new Map([["in", [numbers(Number.POSITIVE_INFINITY)]]]),
    seeds: [],
  },
  calls: [{ parameters: [numbers(3, 4)], received: new Map(), seeds: [] }],
  expected: [left, left],
};

/** Lists what is wrong with the vector's JSON, with some of its properties replaced. */
function faultsOf(parts: object): readonly string[] {
  const checked = checkProgramVector({ ...encodeProgramVector(vector), ...parts });
  return checked.ok ? [] : checked.error.map(({ code, pointer }) => `${code} ${pointer}`);
}

describe("checkProgramVector", () => {
  test("reads what encodeProgramVector writes, text of it too", () => {
    const json = JSON.stringify(encodeProgramVector(vector));
    expect(checkProgramVectorText(json)).toEqual({ ok: true, value: vector });
    expect(checkProgramVectorText(`${json}}`)).toMatchObject({ ok: false });
    const { calls: _, ...alone } = encodeProgramVector({ ...vector, expected: [left] });
    expect(checkProgramVector(alone)).toMatchObject({ ok: true, value: { calls: [] } });
  });

  test("keeps every float64 to the bit in decimal text", () => {
    const odd = numbers(0.1 + 0.2, 5e-324);
    const written = { ...vector, expected: [{ ...left, state: [odd] }, left] };
    const read = checkProgramVector(encodeProgramVector(written));
    expect(read.ok && read.value.expected[0]).toEqual({ ...left, state: [odd] });
  });

  test("says where the case, or a call, does not fit the program", () => {
    const json = encodeProgramVector(vector);
    expect(faultsOf({ case: { ...json.case, parameters: [] } })).toEqual(["point/count /case/parameters"]);
    expect(faultsOf({ case: { ...json.case, program: {} } })).toMatchObject([
      expect.stringContaining("/case/program"),
    ]);
    expect(faultsOf({ case: 3 })).toMatchObject([expect.stringContaining("/case")]);
    const [call] = json.calls ?? [];
    expect(faultsOf({ calls: [{ ...call, parameters: [{ shape: [3], data: [1, 2, 3] }] }] })).toEqual([
      "point/shape /calls/0/parameters/0/shape",
    ]);
    const seed = { id: 1, cotangent: { shape: [2], data: [1, 1] } };
    expect(faultsOf({ calls: [{ ...call, seeds: [seed] }] })).toEqual(["seed/id /calls/0/seeds/0/id"]);
    const read = checkProgramVector({ ...json, calls: [{ ...call, seeds: [seed] }] });
    expect(read.ok || read.error[0]?.message).toMatch(/^the entry has \d+ results?, and this is none/);
  });

  test("wants something expected of each call, in the shapes of the program", () => {
    const [own] = encodeProgramVector(vector).expected;
    expect(faultsOf({ expected: [own] })).toEqual(["vector/calls /expected"]);
    expect(faultsOf({ expected: [{ ...own, state: [] }, own] })).toEqual(["vector/shape /expected/0/state"]);
    expect(faultsOf({ expected: [{ ...own, results: [{ shape: [1], data: [1] }] }, own] })).toEqual([
      "vector/shape /expected/0/results",
    ]);
    const extra = { shape: [2], data: [0, 0] };
    expect(faultsOf({ expected: [own, { ...own, cotangents: [extra, extra] }] })).toEqual([
      "vector/shape /expected/1/cotangents",
    ]);
    expect(
      faultsOf({ expected: [own, { ...own, sent: [{ channel: "c", value: { shape: [1], data: [] } }] }] }),
    ).toEqual(["tensor/length /expected/1/sent/0/value/data"]);
  });

  test("has the last call refused if and only if it must be", () => {
    const [own] = encodeProgramVector(vector).expected;
    const refused = { kind: "refused", code: "program/released" };
    expect(faultsOf({ refuse: "must", expected: [own, refused] })).toEqual([]);
    expect(faultsOf({ refuse: "must" })).toEqual(["vector/refuse /expected/1/kind"]);
    expect(faultsOf({ refuse: "may", expected: [own, refused] })).toEqual(["vector/refuse /expected/1/kind"]);
    // Of the calls before the last each may be one that is refused, and is followed by others all the same.
    for (const refuse of ["never", "may"]) expect(faultsOf({ refuse, expected: [refused, own] })).toEqual([]);
    expect(faultsOf({ refuse: "must", expected: [refused, refused] })).toEqual([]);
  });
});
