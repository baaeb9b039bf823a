import { readFileSync } from "node:fs";
import { createColors } from "picocolors";
import { describe, expect, test } from "vitest";
import type { Verdict, Witness } from "../../oracle/index.ts";
import { caseOf, graph, nodeId, present, type ReportJson } from "../../spec/index.ts";
import { readText } from "../../spec/text/index.ts";
import { verdictLines } from "./engine_table.ts";
import { findingLines, findingsOf, headline, kindsTold } from "./findings.ts";
import { reportJson, type Section } from "./json.ts";
import { ruleOf, rules } from "./rules.ts";
import { description, disagreement, section } from "./sections.test.kit.ts";
import { witnessLines } from "./witness_lines.ts";

const plain = createColors(false);
const run = { adjudge: "0.1.0", seed: 1, cases: 10, profile: "mix", lawsEvery: 4, shares: [] };

function reportOf(...sections: readonly Section[]): ReportJson {
  return reportJson(run, sections);
}

const wrong = disagreement(0);
if (wrong.kind !== "disagrees") throw new Error(wrong.kind);
const { witness } = wrong;

/** A disagreement about y = relu(x), z = log(y) at x = −1. */
function atRelu(change: Partial<Witness> = {}): Verdict {
  const asked = caseOf(
    graph(({ input }) => input("x", []).relu().log()),
    { point: { x: [-1] } },
  );
  const question = asked.ok ? asked.value : expect.unreachable();
  const sentence = "node 1 (relu) hands on a wrong cotangent, asked alone too.";
  return {
    kind: "disagrees",
    witness: {
      question: "vjp",
      id: nodeId(0),
      element: 0,
      answer: "nan",
      expected: "0x0p+0",
      bound: "0x0p+0",
      case: question,
      blame: { id: nodeId(1), op: "relu", part: "cotangent", sentence },
      ...change,
    },
  };
}

/** Larger than others: the same fault with another node beside it. */
function larger(): Verdict {
  const asked = caseOf(
    graph(({ input }) => input("x", [2]).relu().log().exp()),
    { point: { x: [-1, 2] } },
  );
  const question = asked.ok ? asked.value : expect.unreachable();
  return atRelu({ case: question });
}

describe("a fault", () => {
  const verdicts = [
    { case: 1, verdict: larger() },
    { case: 2, verdict: atRelu() },
    { case: 7, verdict: larger() },
  ];

  test("is counted once, whatever its attributes, precisions and cases", () => {
    const axes = [0, 2, 3, 0, 2].map((axis, place) => ({ case: place, verdict: disagreement(axis) }));
    const report = reportOf(section({ verdicts: axes }), section({ verdicts: axes, dtype: "float32" }));
    const [finding, ...others] = findingsOf(report);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ title: "sum value", cases: 10, dtypes: ["float64", "float32"] });
    expect(kindsTold(present(finding, "a finding"), 1)).toBe(
      "3 with axes=[>1], keepdims=false in float64 (case 1); and 3 kinds more",
    );
  });

  test("is another one of another engine, at another operator, or of another part", () => {
    const tangent = { ...witness, blame: { ...witness.blame, part: "tangent" } } as const;
    const both = [
      { case: 1, verdict: wrong },
      { case: 2, verdict: { kind: "disagrees", witness: tangent } as const },
      { case: 3, verdict: atRelu() },
    ];
    const named = { ...description, name: "another" };
    expect(findingsOf(reportOf(section({ verdicts: both })))).toHaveLength(3);
    expect(
      findingsOf(
        reportOf(section({ verdicts: both }), section({ verdicts: both, label: "two", description: named })),
      ),
    ).toHaveLength(6);
  });

  test("is shown by its smallest failure, wherever that stands", () => {
    const [finding] = findingsOf(reportOf(section({ verdicts })));
    expect(finding?.shown.entry.case).toBe(2);
    expect(finding?.alike.map(({ entry }) => entry.case)).toEqual([2, 1, 7]);
  });

  test("is told in order: what nobody disputes, then the more frequent, then crashes, then what is known", () => {
    const crash = { case: 9, verdict: { kind: "crashed", message: "error: lost 7" } as const };
    const twice = {
      ...witness,
      blame: { ...witness.blame, part: "tangent" },
      expected: "0x1p+0",
      answer: "0x0p+0",
    } as const;
    const once = { ...twice, blame: { ...witness.blame, op: "sin" } } as const;
    const told = findingsOf(
      reportOf(
        section({
          verdicts: [
            crash,
            ...verdicts,
            { case: 11, verdict: { kind: "disagrees", witness: once } },
            { case: 12, verdict: { kind: "disagrees", witness: twice } },
            { case: 13, verdict: { kind: "disagrees", witness: twice } },
          ],
        }),
      ),
    );
    expect(told.map(({ title }) => title)).toEqual([
      "sum tangent",
      "sin value",
      "relu cotangent",
      "error: lost #",
    ]);
  });

  test("is written as a compiler writes its errors: diagnosis, what was given, graph, rule, replay", () => {
    const report = reportOf(section({ verdicts }));
    const [finding] = findingsOf(report);
    const shown = present(finding, "a finding");
    expect([headline(shown), ...findingLines(shown, report, { palette: plain })]).toEqual([
      "error[wrong-gradient]: relu cotangent: adjudge interpreter 0.1.0, float64 (3 cases)",
      "  given: x = -1; seed %2 = 1",
      "  dL/dx: got NaN, want exactly 0",
      "    graph f(x)",
      "      %1: [] = relu(x)",
      "      #        ^^^^ wrong cotangent",
      "      %2: [] = log(%1)",
      "  blame: node 1 (relu) hands on a wrong cotangent, asked alone too.",
      "  why: what a choice leaves out contributes nothing, whatever arrives: it is no",
      "       product with 0 (docs/truth.md#downstream-of-a-singular-point)",
      "  replay: adjudge replay -e one --dtype float64 --profile mix --seed 1 --case 2 --no-laws",
    ]);
  });
});

describe("a witness", () => {
  const linesOf = (change: Partial<Witness>, style = {}): string => {
    const verdict = atRelu(change);
    return verdict.kind === "disagrees"
      ? witnessLines(verdict.witness, { palette: plain, ...style }).join("\n")
      : "";
  };

  test("has decimals and how far off they are; hexadecimals where they are asked for", () => {
    const numbers = {
      question: "evaluate",
      id: nodeId(2),
      answer: "0x1.8p+1",
      expected: "0x1.8000004p+1",
      bound: "0x1p-40",
    } as const;
    const told = linesOf(numbers);
    expect(told).toContain("  %2: got 3, want 3.0000000298023224 ± 9.1e-13");
    expect(told).toContain("    relative error 9.9e-9 where 3e-13 is allowed");
    expect(told).not.toContain("0x");
    expect(linesOf(numbers, { isHex: true })).toContain(
      "    got  3 (0x1.8p+1)\n    want 3.0000000298023224 (0x1.8000004p+1) ± ",
    );
  });

  test("is of forward mode told with the tangents that were asked along, and no other", () => {
    expect(linesOf({ question: "jvp", id: nodeId(1) })).toMatch(/given: x = -1; tangent x = /);
    expect(linesOf({})).not.toContain("tangent x");
    expect(linesOf({ question: "evaluate", id: nodeId(1) })).not.toContain("seed");
  });

  test("can be read back as text where it is whole, with its mark", () => {
    const shown = linesOf({}, { isWhole: true })
      .split("\n")
      .filter((line) => /^ {4}(graph|at|tangent|seed| {2}[%#])/.test(line))
      .map((line) => line.slice(4));
    expect(shown).toContainEqual(expect.stringMatching(/^ {2}# +\^{4} wrong cotangent$/));
    expect(readText(`${shown.join("\n")}\n`)).toMatchObject({ ok: true });
  });

  test("is no longer than a screen, however large the graph is, and shows the node to blame", () => {
    const asked = caseOf(
      graph(({ input }) =>
        Array.from({ length: 400 }).reduce((x: ReturnType<typeof input>) => x.sin(), input("x", [])),
      ),
      { point: { x: [1] } },
    );
    const question = asked.ok ? asked.value : expect.unreachable();
    const blame = { id: nodeId(200), op: "sin", part: "value", sentence: "wrong." } as const;
    const lines = linesOf({ case: question, question: "evaluate", id: nodeId(200), blame }).split("\n");
    expect(lines.length).toBeLessThan(50);
    expect(lines).toContainEqual(expect.stringMatching(/%200: \[\] = sin\(%199\)$/));
    expect(lines).toContainEqual(expect.stringMatching(/\d+ lines left out$/));
  });
});

describe("the rule of a witness", () => {
  const ruleWith = (change: Partial<Witness>): string => {
    const verdict = atRelu(change);
    return verdict.kind === "disagrees" ? ruleOf(verdict.witness).name : "";
  };

  test.each([
    ["exact", { answer: "0x1p+0", expected: "0x1p+1" }],
    ["bound", { answer: "0x1p+0", expected: "0x1p+1", bound: "0x1p-9" }],
    ["bound", { question: "evaluate", answer: "0x1p+0", expected: "-23/24", bound: "0x1p-54" }],
    ["ieee", { question: "evaluate", answer: "0x1p+0", expected: "inf" }],
    ["ieee", { question: "evaluate", answer: "0x0p+0", expected: "-0x0p+0" }],
    ["unchosen", {}],
    ["singular", { expected: "0x1p+0" }],
    ["law", { question: "linearity" }],
    ["protocol", { answer: "1 tensor", expected: "2 tensors" }],
  ] as const)("is %s", (name, change) => {
    expect(ruleWith(change)).toBe(name);
  });

  test("is a convention where another declaration explains the answer", () => {
    const sentence = "wrong. It is right for an engine that declares reluAtZero: one in its handshake.";
    expect(
      ruleWith({ answer: "0x1p+0", blame: { id: nodeId(1), op: "relu", part: "cotangent", sentence } }),
    ).toBe("convention");
  });

  test.each(Object.values(rules).map(({ link }) => link))("is told at %s", (link) => {
    const [path = "", anchor = ""] = link.split("#");
    const text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, "")
        .replaceAll(" ", "-"),
    );
    expect(anchors).toContain(anchor);
  });
});

describe("the verdict of a run", () => {
  const told = (...sections: readonly Section[]): string =>
    verdictLines(sections, findingsOf(reportOf(...sections)), plain)
      .join(" ")
      .replaceAll(/ +/g, " ");
  const counts = { ...section({}).tally.counts, agrees: 10 };
  const good = section({ tally: { ...section({}).tally, counts } });

  test("names engines that are wrong, and counts faults and crashes apart", () => {
    const crash = { case: 9, verdict: { kind: "crashed", message: "lost" } as const };
    const bad = section({
      label: "two",
      description: { ...description, name: "another" },
      verdicts: [{ case: 1, verdict: wrong }, crash],
    });
    expect(told(good, bad)).toBe(
      "✗ 1 fault in 1 of 2 engines: another 0.1.0 (sum value); 1 crash in 1 of 2 engines: another 0.1.0 (lost)",
    );
  });

  test("says that all agree, or that too little is known", () => {
    expect(told(good)).toBe("✓ adjudge interpreter 0.1.0 agrees with the truth");
    expect(told(good, { ...good, label: "two", description: { ...description, name: "another" } })).toBe(
      "✓ 2 engines agree with the truth",
    );
    expect(told(section({}))).toMatch(
      /^– no fault was found, but too little is known of adjudge interpreter/,
    );
  });
});
