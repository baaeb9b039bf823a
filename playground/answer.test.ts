import { describe, expect, test } from "vitest";
import { type Answer, answerTo, type Question } from "./answer.ts";
import { examples } from "./build.ts";

const usual = { document: 0, dtype: "float64", mode: "vjp" } as const;

function answer(text: string, more: Partial<Question> = {}): Answer {
  return answerTo({ text, ...usual, ...more });
}

/** Answers a text without mistakes. */
function told(text: string, more: Partial<Question> = {}): NonNullable<Answer["told"]> {
  const { told: found, marks } = answer(text, more);
  expect(marks).toEqual([]);
  if (found === undefined) throw new Error("nothing was told");
  return found;
}

/** Returns what the table shows: of each value its name, its numbers and its gradient's. */
function table(text: string, more: Partial<Question> = {}): readonly string[] {
  const { rows } = told(text, more);
  if (rows.kind === "none") return [rows.why];
  const shown = ({ figures }: { readonly figures: readonly { readonly shown: string }[] }): string =>
    figures.map((figure) => figure.shown).join(" ");
  return rows.value.map(({ name, written, value, gradient }) =>
    [name, written, shown(value), shown(gradient)].join(" | "),
  );
}

const third = "graph f(x)\n  y = x * x / 3\nat x = 1\n";

describe("a graph at a point", () => {
  test("has values and a gradient, fractions as such", () => {
    expect(table(third)).toEqual([
      "x | input | 1 | 2/3",
      "%1 | x * x | 1 | 1/3",
      "%2 | full(shape=[], value=3) | 3 | -1/9",
      "y | x * x / 3 | 1/3 | 1",
    ]);
  });

  test("has decimals where a fraction has one that is exact", () => {
    expect(table("graph f(x)\n  y = x / 4\nat x = 3\n").map((line) => line.split(" | ").slice(2))).toEqual([
      ["3", "0.25"],
      ["4", "-0.1875"],
      ["0.75", "1"],
    ]);
  });

  test("has bounds of the precision that is asked for", () => {
    const bounds = (dtype: Question["dtype"]): readonly number[] => {
      const { rows } = told("graph f(x)\n  y = exp(x)\nat x = 1\n", { dtype });
      return rows.kind === "told"
        ? rows.value.flatMap(({ value }) => value.figures.map(({ bound }) => bound))
        : [];
    };
    const [[, double = 0], [, single = 0]] = [bounds("float64"), bounds("float32")];
    expect(double).toBeGreaterThan(2 ** -54);
    expect(single / double).toBeCloseTo(2 ** 29, -8);
  });

  test("says what may be answered where there is no bound", () => {
    const { rows } = told("graph f(x)\n  y = log(x)\nat x = 0\n");
    expect(rows).toMatchObject({ value: [{}, { value: { figures: [{ shown: "-inf", isOdd: true }] } }] });
  });

  test("is seeded as the text says, and otherwise by 1 for the last value or its sum, which is said", () => {
    expect(table(`${third}seed y = 6\n`)[0]).toBe("x | input | 1 | 4");
    expect(told(`${third}seed y = 6\n`).notes).toEqual([]);
    expect(told(third).notes).toEqual([expect.stringContaining("gradient is that of y:")]);
    const { notes } = told("graph f(x: [2])\n  y = x * x\nat x = [1, 2]\n");
    expect(notes).toEqual([expect.stringContaining("the sum of y")]);
  });

  test("gets numbers where the text has none, and the line that says them", () => {
    const open = "graph f(x: [2], y)\n  z = x * y\n";
    const { suggestion = "", notes } = told(open);
    expect(notes[0]).toContain("made up");
    expect(suggestion).toMatch(/^at x = \[.*\], y = /);
    expect(table(`${open}${suggestion}\n`)).toEqual(table(open));
  });

  test("is a graph too, derived either way", () => {
    expect(told(third).derived).toMatchObject({
      value: expect.stringMatching(/^graph vjp\(x, "cotangent of 3"\)/),
    });
    expect(told(third, { mode: "jvp" }).derived).toMatchObject({
      value: expect.stringMatching(/^graph jvp\(x, "tangent of x"\)/),
    });
  });

  test("is a file for Lean if the run is rational, and else it is said why not", () => {
    expect(told(third).lean).toMatchObject({
      kind: "told",
      value: expect.stringMatching(/^-- adjudge\.lean\.v1\n/),
    });
    const { lean } = told("graph f(x)\n  y = exp(x)\nat x = 1\n");
    expect(lean).toEqual({ kind: "none", why: expect.stringContaining("over the rationals") });
  });

  test("has dimensions, or an equation that cannot be", () => {
    expect(told(third).dimensions).toMatchObject({
      value: expect.stringContaining("✓ the dimensions agree"),
    });
    const wrong = "graph f(x in m, t in s)\n  x + t\n";
    expect(answer(wrong).marks).toEqual([]);
    expect(told(wrong).dimensions).toMatchObject({ value: expect.stringContaining("✗ no dimensions fit") });
  });

  test("may be JSON", () => {
    const graph = {
      format: "adjudge.graph.v1",
      inputs: [{ name: "x", shape: [] }],
      environment: [],
      nodes: [{ op: "multiply", attributes: {}, parents: [0, 0] }],
    };
    expect(table(JSON.stringify(graph))[1]).toMatch(/^%1 \| x \* x \| /);
    const wrong = { ...graph, nodes: [{ op: "multiply", attributes: {}, parents: [0, 7] }] };
    expect(answer(JSON.stringify(wrong)).marks[0]?.frame).toContain("/nodes/0");
  });
});

describe("mistakes", () => {
  test("are all told, at their places", () => {
    const text = "graph f(x)\n  y = tahn(x)\n  z = y * q\nat x = 1\n";
    const { marks, told: nothing } = answer(text);
    expect(nothing).toBe(undefined);
    expect(marks.map(({ start, end }) => text.slice(start, end))).toEqual(["tahn", "q"]);
    expect(marks[0]?.frame).toContain("2 |   y = tahn(x)\n  |       ^^^^ did you mean");
  });

  test.each([
    "",
    "   ",
    "{",
    "[1]",
    "grahp",
    "\u0000",
    "<script>",
    "program p(x)\n  return x\n",
    "null",
  ])("%j is refused where it stands", (text) => {
    const { marks, told: nothing } = answer(text);
    expect(nothing).toBe(undefined);
    expect(marks.length).toBeGreaterThan(0);
    for (const { start, end } of marks) {
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(text.length + 1);
    }
  });

  test("a graph that is too large to run is shown without its run", () => {
    const { rows, lean, derived, dimensions } = told("graph f(x: [134217728])\n  y = x * x\n");
    for (const part of [rows, lean])
      expect(part).toMatchObject({ kind: "none", why: expect.stringContaining("too large") });
    for (const part of [derived, dimensions]) expect(part).toMatchObject({ kind: "told" });
  });
});

describe("the examples", () => {
  const all = examples();

  test("are those of the pages and of docs/examples", () => {
    const names = all.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["square (text.md)", "attention (text.md)", "square.adj"]));
    expect(names.length).toBeGreaterThan(12);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(all)("$name has an answer", ({ text }) => {
    const found = told(text);
    expect(found.derived.kind).toBe("told");
    expect(found.dimensions.kind).toBe("told");
    expect(found.rows.kind).toBe(text.includes("134217728") ? "none" : "told");
  });
});
