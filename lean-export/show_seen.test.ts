import { describe, expect, test } from "vitest";
import type { NamedCase } from "./emit/obstruction.ts";
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
  table: undefined,
  run: {
    inputs: [["1/3"]],
    environment: [],
    seeds: [{ id: 1, numbers: ["1"] }],
    values: [["1/3"], ["1/9"]],
    cotangents: [["2/3"], ["1"]],
  },
};
const seenOf = (shown: SeenTrace): SeenFile => ({
  statement,
  about: { kind: "run", algebra: "rational", trace: shown },
});
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

describe("a run that rounds", () => {
  const shown = (bounds: readonly (readonly string[])[]): readonly string[] => {
    const engine = {
      arithmetic: { kind: "float", unit: "1/256", smallest: "1/2" },
      values: [["1/2"], ["1/4"]],
      cotangents: [["1"], ["1"]],
      valueBounds: bounds,
      cotangentBounds: [["0"], ["0"]],
    } as const;
    return showSeen({ statement, about: { kind: "run", algebra: "bfloat16", trace: { ...trace, engine } } });
  };

  test("is shown with its format, what the engine computed, and the bounds, rounded up", () => {
    expect(shown([["0"], ["5243/4722366482869645213696"]])).toEqual([
      `proved: ${statement}`,
      "  the engine computes in bfloat16: each operation is off by 1/256 of it at most",
      "  its bounds are derived: of values 1.12e-18 at most, of cotangents 0",
      "  0 = input []: value [1/3], cotangent [2/3]",
      "      the engine: value [0.5±0], cotangent [1±0]",
      "  1 = multiply(0, 0) []: value [1/9], cotangent [1], seed [1]",
      "      the engine: value [0.25±1.12e-18], cotangent [1±0]",
    ]);
  });

  test("is said to have numbers of which its bounds say little, where they are as large", () => {
    expect(shown([["0"], ["10000000"]])).toContain(
      "  1 of its 4 numbers are no larger than their bounds, which say little of them",
    );
  });
});

test("equations between dimensions are shown as Lean has them", () => {
  const equations = [
    [
      { id: 2, times: "1" },
      { id: 0, times: "-1" },
    ],
  ];
  const proved = "Adjudge.DimensionSystem.Obstructed Trace.system";
  const shown = (named: NamedCase | undefined): readonly string[] =>
    showSeen({ statement: proved, about: { kind: "system", system: { bases: 2, equations }, named } });
  expect(shown(undefined)).toEqual([`proved: ${proved}`, "  ids below 2 are bases", "  0 = 2 + -1·0"]);
  expect(shown({ hash: "0a", names: ["kg", "m", "x\u001b[2J"] })).toEqual([
    `proved: ${proved}`,
    "  of the case 0a, by the names that the file gives",
    "  the first 2 of them are bases",
    "  0 = x\\u{1b}[2J + -1·kg",
  ]);
  expect(shown({ hash: "0a", names: ["kg", "m", "kg"] }).at(-1)).toBe("  0 = kg (2) + -1·kg (0)");
});
