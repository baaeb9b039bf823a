import { createColors } from "picocolors";
import { describe, expect, test } from "vitest";
import { javascriptEngine, referenceConventions } from "../../engines/index.ts";
import { emptyTally, noCounts } from "../../oracle/index.ts";
import type { OperatorName } from "../../spec/index.ts";
import { declaration } from "./declared.ts";
import { engineTable } from "./engine_table.ts";
import { COLUMNS, folded } from "./fold.ts";
import { reasonGroups } from "./groups.ts";
import type { Section } from "./json.ts";
import { operatorTable } from "./operator_table.ts";
import { description, section } from "./sections.test.kit.ts";

const plain = createColors(false);
/** Counts operators that agreed once, or were to blame so often. */
function operatorsOf(counts: Partial<Readonly<Record<OperatorName, number>>>): Section["tally"] {
  const rows = Object.entries(counts).map(
    ([op, disagrees]) => [op, { ...noCounts, agrees: 1, disagrees }] as const,
  );
  const operators = new Map(
    rows.flatMap(([op, row]) =>
      description.operators.filter((name) => name === op).map((name) => [name, row] as const),
    ),
  );
  return { ...emptyTally, operators, asked: new Set(operators.keys()) };
}

describe("reasonGroups", () => {
  test("joins reasons that differ only in numbers, the most frequent first", () => {
    const verdicts = [
      { case: 1, verdict: { kind: "crashed", message: "request 7: lost" } },
      { case: 2, verdict: { kind: "crashed", message: "shape [2] is none" } },
      { case: 3, verdict: { kind: "unsupported", reason: "shape [2] is none" } },
      { case: 4, verdict: { kind: "crashed", message: "shape [30] is none" } },
    ] as const;
    expect(reasonGroups(section({ verdicts }), "crashed")).toEqual([
      { reason: "shape [2] is none", cases: 2, first: 2 },
      { reason: "request 7: lost", cases: 1, first: 1 },
    ]);
    expect(reasonGroups(section({ verdicts }), "unsupported")).toHaveLength(1);
  });

  test("shows reasons without control characters", () => {
    const verdicts = [{ case: 1, verdict: { kind: "crashed", message: "\u001b[2J\n✓ all" } }] as const;
    expect(reasonGroups(section({ verdicts }), "crashed")[0]?.reason).toBe("\\u{1b}[2J ⏎ ✓ all");
  });
});

describe("declaration", () => {
  test("says only what differs from the reference", () => {
    expect(declaration(description)).toBe(
      "declares zeros: signed; zeroCotangents: sparse; singularPoints: reference; accuracy of 21 operators, at worst 6 ulp (erf); sums of 8 operators in order; slopes: accurate; repeatable: true",
    );
    const { slopes: _, repeatable: __, ...plain } = description;
    const nothing = { ...plain, conventions: referenceConventions, accuracy: {}, accumulation: {} };
    expect(declaration(nothing)).toBe("declares nothing: judged by the defaults");
    const wide = { matmul: { width: "float32" }, sum: { width: "float32" } } as const;
    expect(declaration({ ...nothing, accumulation: wide })).toBe(
      "declares sums of matmul and sum in float32",
    );
    expect(declaration({ ...nothing, conventions: { ...referenceConventions, maximumAtTie: "split" } })).toBe(
      "declares maximumAtTie: split",
    );
  });
});

describe("engineTable", () => {
  const toldOf = (change: Parameters<typeof section>[0]): string =>
    engineTable([section(change)], plain)
      .join(" ")
      .replaceAll(/\s+/g, " ");

  test("has a row for each engine and precision, under one head", () => {
    const lines = engineTable([section({}), section({ dtype: "float32" }), section({ label: "two" })], plain);
    expect(lines[0]).toMatch(/^ +agree +wrong +crashed +undecided +declined$/);
    expect(lines.filter((line) => /^[✓✗–] adjudge interpreter/.test(line))).toHaveLength(3);
  });

  test("says that no derivative was judged of an engine that promises none", () => {
    const told = (modes: Section["description"]["modes"]): string =>
      toldOf({ description: { ...description, modes } });
    expect(told(["evaluate"])).toContain("no derivative is promised, and none was judged");
    expect(told(["evaluate", "vjp"])).not.toContain("no derivative");
  });

  test("tells wrong answers and crashes apart, and counts as neither what is known", () => {
    const counts = { ...noCounts, agrees: 100, disagrees: 16, crashed: 3 };
    const tally = { ...emptyTally, counts };
    expect(toldOf({ tally })).toContain("✗ adjudge interpreter 0.1.0 float64 100/119 16 3 0 0");
    const excused = { disagrees: 16, crashed: 3 };
    const known = toldOf({ tally, excused, extent: { ...section({}).extent, cases: 119 } });
    expect(known).toMatch(
      /^ ?agree .*declined ✓ adjudge interpreter 0\.1\.0 float64 100\/119 0 0 0 0 19 cases more are known/,
    );
  });

  test("says by how much answers differ from call to call, and whether the engine declares it", () => {
    const tally = { ...emptyTally, varied: { cases: 3, most: 2.22e-16 } };
    const { repeatable: _, ...silent } = description;
    expect(toldOf({ tally, description: silent })).toContain(
      "! differs from call to call by at most 2.2e-16 of the number, in 3 cases; the engine did not say so",
    );
    expect(toldOf({ tally, description: { ...silent, repeatable: false } })).toContain(
      "in 3 cases, as it declares",
    );
    expect(toldOf({})).not.toContain("differs from call to call");
  });

  test("says what is declared beyond its ceiling, and what share of the cases that excuses", () => {
    const declared = { ...description, accuracy: { exp: 1e12, sin: 1e9, tanh: 4 } };
    const counts = { ...noCounts, agrees: 10 };
    const told = toldOf({ description: declared, tally: { ...emptyTally, counts, excused: 4 } });
    expect(told).toContain("! excused: 4 of 10 cases that agree (40 %) do so by what it declares alone");
    expect(told).toContain(
      "2 operators may be off by more than √u, which is 1.1e-8: exp by 2.2e-4 of the value",
    );
    expect(toldOf({ description: { ...description, saved: "sym4" } })).toContain("in sym4, so coarsely");
    expect(toldOf({ description: { ...description, saved: "sym8" } })).not.toContain("so coarsely");
  });

  test("is no wider than the terminal, whatever the names hold", () => {
    const name = `${"long name ".repeat(30)}\u001b[2J\n✓ all agree`;
    const hostile = section({ description: { ...description, name, version: name } });
    for (const width of [80, 120]) {
      const lines = engineTable([hostile], plain, { width });
      expect(lines.filter((line) => [...line].length > width)).toEqual([]);
      expect(lines.join("")).not.toMatch(/\p{Cc}/u);
      expect(lines.filter((line) => line.startsWith("✓"))).toEqual([]);
      expect(lines[1]).toContain("float64");
    }
  });
});

describe("operatorTable", () => {
  test("has no line where every operator that was asked agrees", () => {
    const agreeing = section({ tally: operatorsOf({ sum: 0, sin: 0 }) });
    expect(operatorTable([agreeing, agreeing], plain)).toEqual([]);
  });

  test("has rows only for operators that some engine failed", () => {
    const right = section({ tally: operatorsOf({ sum: 0, sin: 0 }) });
    const wrong = section({ tally: operatorsOf({ sum: 12, cos: 0 }) });
    const partial = section({ description: { ...javascriptEngine().describe(), operators: ["sin"] } });
    expect(operatorTable([right, wrong, partial], plain).slice(0, 2)).toEqual([
      "operator  [1]  [2]  [3]",
      "sum         ✓  ✗12",
    ]);
    expect(operatorTable([right, wrong], plain)[2]).toMatch(/^✗ to blame/);
  });

  test("shows a crash or a refusal only where no case with the operator was answered", () => {
    const counts = { ...noCounts, crashed: 1, unsupported: 1 };
    const operators = new Map([["sum", counts] as const]);
    const silent = section({ tally: { ...emptyTally, operators } });
    expect(operatorTable([silent], plain).slice(0, 2)).toEqual(["operator  [1]", "sum         !"]);
    const answered = section({ tally: { ...emptyTally, operators, asked: new Set(["sum"]) } });
    expect(operatorTable([answered], plain)).toEqual([]);
    const declining = new Map([["sum", { ...noCounts, unsupported: 1 }] as const]);
    const refused = section({ tally: { ...emptyTally, operators: declining } });
    expect(operatorTable([refused], plain)[1]).toBe("sum         –");
  });

  test("is no wider than a terminal, however many engines there are", () => {
    const every = Object.fromEntries(description.operators.map((op) => [op, 10_000]));
    const many = Array.from({ length: 14 }, () => section({ tally: operatorsOf(every) }));
    const lines = operatorTable(many, plain);
    expect(lines.filter((line) => line.length > COLUMNS)).toEqual([]);
    expect(lines.filter((line) => line.startsWith("sum "))).toHaveLength(3);
    expect(lines.join("\n")).toContain("[14]");
  });
});

test("folded text is the text, in lines that fit", () => {
  const text = "some words and more ".repeat(20).trim();
  const lines = folded(text, "  - ");
  expect(lines.every((line) => line.length <= COLUMNS)).toBe(true);
  expect(lines.map((line) => line.slice(4)).join(" ")).toBe(text);
  expect(folded("x".repeat(100))).toEqual(["x".repeat(100)]);
});
