import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { type Drawing, drawings } from "../../oracle/generate/index.ts";
import { scriptAt } from "../../oracle/tapes/index.ts";
import { operatorNames } from "../composites/index.ts";
import {
  checkTapeCase,
  checkTapeVector,
  encodeTapeCase,
  encodeTapeVector,
  type TapeVector,
} from "../documents/index.ts";
import { sampled } from "../sampled.test.kit.ts";
import { formatIssue, nodeId, present } from "../shapes/index.ts";
import type { TapeCase } from "../tapes/index.ts";
import { frameOf, readText, tapeCaseText, tapeVectorText } from "./index.ts";

const suites = join(import.meta.dirname, "../../conformance/suites");

/** Reads every vector of tapes, whether it is kept as JSON or as text. */
function vectorsKept(): readonly TapeVector[] {
  const json = globSync("manners/*.json", { cwd: suites }).map((path): unknown =>
    JSON.parse(readFileSync(join(suites, path), "utf8")),
  );
  const texts = globSync("manners*/**/*.adj", { cwd: suites }).concat(
    globSync("manners*.adj", { cwd: suites }),
  );
  const read = texts.flatMap((path) => documentsOf(readFileSync(join(suites, path), "utf8")));
  return [...json, ...read].map((one) => {
    const checked = checkTapeVector(one);
    if (checked.ok) return checked.value;
    throw new Error(checked.error.map(formatIssue).join("\n"));
  });
}

function documentsOf(text: string): readonly unknown[] {
  const read = readText(text);
  if (read.ok) return read.value.map(({ json }) => json);
  throw new Error(read.error.map((fault) => frameOf("text", text, fault).join("\n")).join("\n"));
}

/** Tells whether a text is read as this case. */
function isCase(question: TapeCase, text: string): boolean {
  const read = readText(text);
  const checked = read.ok ? checkTapeCase(read.value[0]?.json) : read;
  return checked.ok && isDeepStrictEqual(encodeTapeCase(checked.value), encodeTapeCase(question));
}

const layers = `tapes layers_of_one
  graph g(w1, w2) given (x)
    a = x * w1
    b = a * w2
  record t of g hooks a, b at w1 = 2, w2 = 3, x = 1
  sweep t from b = 1
    expect cotangent w1 = 3
    expect cotangent w2 = 2
    expect hook a = 3
    expect hook b = 1
  release t
  sweep t from b = 1 must refuse
note "two layers of one number"
faults hooks_are_not_called
`;

const vectors = vectorsKept();

describe("tapes", () => {
  test("are a vector where something is expected, steps in their order", () => {
    const checked = checkTapeVector(documentsOf(layers)[0]);
    const vector = checked.ok ? checked.value : expect.unreachable("it is a vector");
    expect(vector).toMatchObject({
      name: "layers_of_one",
      clause: "4.10",
      note: "two layers of one number",
      faults: ["hooks_are_not_called"],
    });
    expect(vector.case.steps).toMatchObject([
      { do: "record", tape: "t", graph: 0, life: "until released", of: [4], hooks: [3, 4] },
      { do: "sweep", refuse: "never", seeds: [{ id: 4 }] },
      { do: "release", tape: "t" },
      { do: "sweep", refuse: "must" },
    ]);
    expect(vector.expected).toMatchObject([
      { step: 1, cotangents: [{ id: 0 }, { id: 1 }], hooks: [{ id: 3 }, { id: 4 }] },
    ]);
  });

  test("may have numbers below a step, and expectations behind all steps", () => {
    const moved = layers
      .replace(" at w1 = 2, w2 = 3, x = 1", "\n    at x = 1\n    at w2 = 3, w1 = 2")
      .replace(" from b = 1\n    expect cotangent w1 = 3", "\n    seed b = 1")
      .concat("expect sweep 1 cotangent w1 = 3\n");
    expect(moved).not.toBe(layers);
    expect(documentsOf(moved)).toEqual(documentsOf(layers));
  });

  test("are swept from a cotangent of another shape only where that must be refused", () => {
    const shapes = documentsOf(`tapes t
  graph g(x: [2, 0])
    y = exp(x)
  record t of g at x = []
  sweep t from y = []
  sweep t from y = full([0, 2], 1) must refuse
  sweep t from y = [[1, 2]] must refuse
  sweep t from %7 = 1 must refuse
  release t
  sweep t from y = [] must refuse
  sweep t from nothing must refuse
`).flatMap((json) => {
      const checked = checkTapeCase(json);
      const steps = checked.ok ? checked.value.steps : [];
      return steps.flatMap((step) =>
        step.do === "sweep" ? [step.seeds.map(({ cotangent }) => cotangent.shape)] : [],
      );
    });
    expect(shapes).toEqual([[[2, 0]], [[0, 2]], [[1, 2]], [[]], [[2, 0]], []]);
  });

  test("are read as they are written: all vectors of the suite, in lines and in each other", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(65);
    const strange = vectors.flatMap((vector) =>
      (["lines", "nested"] as const).flatMap((style) => {
        const [json] = documentsOf(tapeVectorText(vector, style));
        const checked = checkTapeVector(json);
        const isSame = checked.ok && isDeepStrictEqual(checked.value, vector);
        return isSame ? [] : [`${vector.name}, ${style}`];
      }),
    );
    expect(strange).toEqual([]);
  });

  test("are read as they are written: random scripts with hooks", () => {
    const profiles = [...drawings.values()].flatMap((drawing: Drawing) =>
      Array.from({ length: 30 }, (_, index) => [drawing, index] as const),
    );
    for (const [drawing, index] of sampled("texts of scripts", profiles, 100)) {
      const lives = ["once", "until released"] as const;
      const script = scriptAt({ drawing, operators: operatorNames, lives, hooks: true }, 33, index);
      const text = tapeCaseText(script, "drawn", index % 2 === 0 ? "lines" : "nested");
      expect(isCase(script, text), `script ${index}:\n${text}`).toBe(true);
    }
  });

  test("are other tapes where a writer leaves out or swaps something", () => {
    const wrong: readonly (readonly [RegExp, string])[] = [
      [/ once/, ""],
      [/ hooks [^\n]*?(?= at|\n)/, ""],
      [/ beside/, ""],
      [/ (may|must) refuse/, ""],
      [/ {2}release \w+\n/, ""],
      [/ from (%\d+), /, " from "],
      [/full\(\[/, "full([1, "],
      [/ = -/, " = "],
    ];
    const texts = vectors.map((vector) => [vector.case, tapeCaseText(vector.case)] as const);
    for (const [sign, by] of wrong) {
      const touched = texts.filter(([, text]) => sign.test(text));
      expect(touched.length, String(sign)).toBeGreaterThan(0);
      for (const [question, text] of touched) expect(isCase(question, text.replace(sign, by))).toBe(false);
    }
  });

  test.each([
    ["once", "from", "at"],
    ["%0", "of", "%1"],
    ["__proto__", "constructor", "toString"],
    ['"', "a b", "\\"],
    ["in", "hooks", "beside"],
    ["1", "λ", "#;=>"],
  ])("have names that are hostile to read: %s, %s, %s", (tape, first, second) => {
    const question = present(vectors[0], "a vector").case;
    const named: TapeCase = {
      ...question,
      graphs: question.graphs.map((graph) => ({
        ...graph,
        inputs: graph.inputs.map((input, i) => ({ ...input, name: [first, second][i] ?? `x${i}` })),
      })),
      steps: question.steps
        .slice(0, 1)
        .flatMap((step) =>
          step.do === "record" ? [{ ...step, tape, of: [nodeId(0)], hooks: [nodeId(1)] }] : [],
        ),
    };
    const checked = checkTapeCase(JSON.parse(JSON.stringify(encodeTapeCase(named))));
    const hostile = checked.ok ? checked.value : expect.unreachable("the case is well-formed");
    expect(isCase(hostile, tapeCaseText(hostile))).toBe(true);
  });
});

describe("a mistake in tapes is shown where it is", () => {
  /** Shows the code, the marked part and the hint of each fault. */
  const faultsOf = (text: string): readonly string[] => {
    const read = readText(text);
    if (read.ok) return [];
    return read.error.map(
      ({ code, place, hint }) => `${code} ${text.slice(place.start, place.end)}: ${hint}`,
    );
  };

  test.each([
    ["record t of g", "record t of h", "text/graph h: there are g"],
    ["sweep t from b = 1\n", "sweep u from b = 1\n", "text/tape u: there are t"],
    ["hooks a, b", "hooks a, c", "text/name c: there are w1, w2, a, b"],
    [", x = 1", "", "text/point record: write it behind at: at x = …"],
    ["w1 = 2", "w3 = 2", 'text/name w3: did you mean "w1"?'],
    ["from b = 1 must", "must", "text/step sweep: sweep t from b = 1"],
    ["must refuse", "may refuse", 'tape/refuse refuse: write "must"'],
    ["must refuse", "must refus", 'text/step refus: did you mean "refuse"?'],
    ["hook b = 1", "hooks b = 1", 'text/expect hooks: did you mean "hook"?'],
    [
      "hook b = 1",
      "hook b = [1, 2]",
      "text/shape [1, 2]: the shape is [] here; one number outside of any list stands for all elements",
    ],
    ["  release t", "  release t, g", "text/step g: release t"],
    [
      "    expect cotangent w2 = 2\n",
      "",
      "vector/component sweep: give each of them, in order, a set for each component",
    ],
    [
      "note",
      "  record t of g at w1 = 1, w2 = 1, x = 1\nnote",
      "tape/twice t: give each recording a name of its own",
    ],
    [
      "from b = 1\n",
      "from b = full([2], 1)\n",
      "text/shape full([2], 1): one number outside of any list stands for all elements",
    ],
    [
      "from b = 1 must",
      "from b = full(2) must",
      "text/shape full(2): write full([0, 3], 1) for a tensor of the shape [0, 3]",
    ],
    ["b = a * w2", "b = a * w2 in m", "text/measure m: leave it out, or give it to the graph around"],
  ])("%s → %s", (right, wrong, shown) => {
    expect(layers).toContain(right);
    expect(faultsOf(layers.replace(right, wrong))).toEqual([shown]);
  });

  test("and numbers for huge tensors are not made", () => {
    const huge = layers.replace("given (x)", "given (x: [4096, 4096])").replace("a * w2", "a * w2 + sum(x)");
    expect(faultsOf(huge)).toContain(
      "text/too-large 1: use smaller extents, or write the document as JSON, in base64",
    );
  });

  test("and a first word that is none has the one that was meant", () => {
    expect(faultsOf(layers.replace("release t", "relaese t"))[0]).toBe(
      'text/syntax t: did you mean "release"?',
    );
  });

  test("and three mistakes are three", () => {
    const text = layers.replace("w1 = 2", "w3 = 2").replace("hooks a", "hook a").replace("refuse", "refus");
    expect(faultsOf(text).length).toBeGreaterThanOrEqual(3);
  });
});

test("tapes stand from their first line to the last one, whatever stands below it", () => {
  const text = `tapes t
  graph g(x)
    y = x * x
  record t of g at x = 1
  sweep t from y = 1
    expect cotangent x = 2`;
  const read = readText(`# one\n${text}\n# two\n`);
  expect(read.ok && read.value[0]?.place).toEqual({ start: 6, end: 6 + text.length });
});

test("a vector's JSON and its text say the same", () => {
  const [vector] = vectors;
  const first = present(vector, "a vector");
  expect(JSON.stringify(documentsOf(tapeVectorText(first))[0])).toBe(JSON.stringify(encodeTapeVector(first)));
});
