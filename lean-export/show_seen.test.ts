import { expect, test } from "vitest";
import type { SeenTrace } from "./run/seen.ts";
import { showSeen } from "./show_seen.ts";
import type { SeenFile } from "./verdict.ts";

const statement = "Adjudge.Program.Runs Rat Adjudge.instScalarRat Trace.program Trace.run";
const trace: SeenTrace = {
  program: {
    inputs: [[]],
    environment: [],
    nodes: [{ operator: "multiply", attributes: [], parents: [0, 0], shape: [] }],
  },
  engine: undefined,
  run: {
    inputs: [["1/3"]],
    environment: [],
    seeds: [{ id: 1, numbers: ["1"] }],
    values: [["1/3"], ["1/9"]],
    cotangents: [["2/3"], ["1"]],
  },
};
const seenOf = (shown: SeenTrace): SeenFile => ({ statement, about: { kind: "run", trace: shown } });
const square = seenOf(trace);

test("the statement, the graph and the run are shown as Lean has them", () => {
  expect(showSeen(square)).toEqual([
    `proved: ${statement}`,
    "  0 = input []: value [1/3], cotangent [2/3]",
    "  1 = multiply(0, 0) []: value [1/9], cotangent [1], seed [1]",
  ]);
});

test("a seed that is zero everywhere is said, and no other", () => {
  const zero = /seed is zero everywhere/;
  for (const seeds of [[], [{ id: 1, numbers: ["0"] }]]) {
    const lines = showSeen(seenOf({ ...trace, run: { ...trace.run, seeds } }));
    expect(lines.at(-1)).toMatch(zero);
  }
  expect(showSeen(square).join("\n")).not.toMatch(zero);
});

test("a long run is shown by its ends", () => {
  const nodes = Array.from({ length: 999 }, (_, id) => ({
    operator: "gather",
    attributes: [["3"], Array.from({ length: 50 }, () => "1")],
    parents: [id],
    shape: [9],
  }));
  const long = "9".repeat(500);
  const rows = nodes.map(() => Array.from({ length: 9 }, () => long));
  const { program, run } = trace;
  const lines = showSeen(seenOf({ ...trace, program: { ...program, nodes }, run: { ...run, values: rows } }));
  expect(lines).toHaveLength(18);
  expect(lines[9]).toBe("  … 984 ids more");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(700);
  expect(lines[1]).toContain("… 9 in all");
});

test("equations between dimensions are shown as Lean has them", () => {
  const equations = [
    [
      { id: 2, times: "1" },
      { id: 0, times: "-1" },
    ],
  ];
  const proved = "Adjudge.DimensionSystem.Obstructed Trace.system";
  const lines = showSeen({ statement: proved, about: { kind: "system", system: { bases: 2, equations } } });
  expect(lines).toEqual([`proved: ${proved}`, "  ids below 2 are bases", "  0 = 2 + -1·0"]);
});
