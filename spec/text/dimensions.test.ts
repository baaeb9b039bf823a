import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { graph } from "../builder/index.ts";
import { checkGraph } from "../documents/index.ts";
import { validateRanges } from "../explained/index.ts";
import type { Graph } from "../graph/index.ts";
import { formatIssue, present } from "../shapes/index.ts";
import { checkUnits } from "../units/index.ts";
import type { MeasureJson, UnitsJson } from "../wire/index.ts";
import { exampleOf, physicsLaws } from "./example.test.kit.ts";
import { type Beside, frameOf, measuredText, readText, type TextDocument } from "./index.ts";

const examples = join(import.meta.dirname, "../../docs/examples");

function documentOf(text: string): TextDocument {
  const read = readText(text);
  if (read.ok) return present(read.value[0], "a document");
  throw new Error(read.error.map((fault) => frameOf("text", text, fault).join("\n")).join("\n"));
}

/** Tells whether a text is read as this graph with these documents beside it. */
function isRead(subject: Graph, beside: Beside, text: string): boolean {
  const read = readText(text);
  const [first] = read.ok ? read.value : [];
  if (first === undefined) return false;
  const { json, units, ranges } = first;
  const back = { ...(units === undefined ? {} : { units }), ...(ranges === undefined ? {} : { ranges }) };
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  return isDeepStrictEqual(plain([json, back]), plain([subject, beside]));
}

/** Returns the units of a document apart from the graph within it. */
function apart({ graph: subject, ...units }: UnitsJson): { subject: Graph; units: UnitsJson } {
  const checked = checkGraph(subject);
  if (checked.ok) return { subject: checked.value, units };
  throw new Error(checked.error.map(formatIssue).join("\n"));
}

/** The laws of physics, and their twins in which two dimensions clash. */
const laws = physicsLaws().map(({ name, units }) => ({ name, ...apart(units) }));

const ship = `# how far a boat comes
graph ship(v in 0..30 knot, t in 0..1 h, state: [2] in along 0 [m, m/s]) given (k in 0.5..2 "1/(m)")
  y = v * t in nmi
  k * y
base m s
unit knot = 0.514 m/s
unit nmi = 1852 m
note "from noon"
`;

describe("units and ranges beside a graph", () => {
  test("are documents of their own, with the graph's note", () => {
    const { json, units, ranges } = documentOf(ship);
    expect(checkGraph(json).ok).toBe(true);
    expect(units).toEqual({
      format: "adjudge.units.v1",
      note: "from noon",
      bases: ["m", "s"],
      units: { knot: "0.514 m/s", nmi: "1852 m" },
      inputs: { v: "knot", t: "h", state: { along: [{ axis: 0, units: ["m", "m/s"] }] } },
      environment: { k: "1/(m)" },
      nodes: { 3: "nmi" },
    });
    expect(ranges).toEqual({
      format: "adjudge.ranges.v1",
      note: "from noon",
      inputs: { v: [0, 30], t: [0, 1] },
      environment: { k: [0.5, 2] },
    });
  });

  test("stand beside cases and vectors too, whose note is theirs", () => {
    const { json, units, ranges } = documentOf(
      'graph f(x in 0..1 m)\n  y = x * x\nat x = 1\nnote "n"\nexpect cotangent x = 6\n',
    );
    expect(json.format).toBe("adjudge.vector.v1");
    expect(units).toEqual({ format: "adjudge.units.v1", inputs: { x: "m" } });
    expect(ranges).toEqual({ format: "adjudge.ranges.v1", inputs: { x: [0, 1] } });
  });

  test("are not there where nothing is said of them", () => {
    expect(documentOf("graph f(x)\n  y = x * x\n")).not.toHaveProperty("units");
    expect(documentOf("graph f(x)\n  y = x * x\n")).not.toHaveProperty("ranges");
  });
});

describe("what is written is read as the same", () => {
  test("of every law of physics that is an example", () => {
    expect(laws.length).toBeGreaterThanOrEqual(26);
    const strange = laws.flatMap(({ name, subject, units }) =>
      (["lines", "nested"] as const).flatMap((style) =>
        isRead(subject, { units }, measuredText(subject, { units }, "law", style)) ? [] : [name],
      ),
    );
    expect(strange).toEqual([]);
  });

  const oscillator = physicsLaws().find(({ name }) => name === "oscillator/accepted")?.units.graph;

  test.each([
    ["perceptron", exampleOf("perceptron").json, exampleOf("perceptron").ranges],
    ["oscillator", oscillator, JSON.parse(readFileSync(join(examples, "oscillator.ranges.json"), "utf8"))],
  ])("of %s within its ranges", (_, json, given) => {
    const checked = checkGraph(json);
    const subject = checked.ok ? checked.value : expect.unreachable(JSON.stringify(checked.error));
    const valid = validateRanges(given);
    const ranges = valid.ok ? valid.value : expect.unreachable("ranges are well-formed");
    expect(isRead(subject, { ranges }, measuredText(subject, { ranges }))).toBe(true);
    const wrong = measuredText(subject, { ranges }).replace(/in (-?[0-9.]+?)\.\./, "in -100..");
    expect(isRead(subject, { ranges }, wrong)).toBe(false);
  });

  const subject = graph(({ input, parameter }) => {
    const state = input("state", [2, 3]);
    const one = input("in", []);
    parameter("c", []);
    state.multiply(one);
  });

  test("of units that are hostile to read", () => {
    const symbol = fc.constantFrom("m", "s", "µm", "in", "along", "at", "°C", "$", "%off", "x_1", "EUR");
    const factor = fc.oneof(symbol, fc.constantFrom("2", "0.5", "(m)", "m^(1/2)", "m²", "s^-2", "m ^ 3"));
    const unit = fc
      .tuple(
        factor,
        fc.array(fc.tuple(fc.constantFrom("·", "*", "/", " ", " / ", "  "), factor), { maxLength: 3 }),
      )
      .map(([first, rest]) => first + rest.flat().join(""));
    const mixed = fc.record({
      unit,
      along: fc.constant([{ axis: 0, units: ["m", "along"] }]),
    });
    const measure: fc.Arbitrary<MeasureJson> = fc.oneof(unit, mixed);
    const bases = ["m", "s", "µm", "in", "along", "at", "°C", "$", "%off", "x_1", "EUR"];
    fc.assert(
      fc.property(measure, unit, unit, unit, (state, own, entry, node) => {
        const units: UnitsJson = {
          format: "adjudge.units.v1",
          bases,
          units: { knot: own },
          inputs: { state, in: entry },
          environment: { c: entry },
          nodes: { 2: node },
        };
        fc.pre(checkUnits(units, subject).ok);
        const text = measuredText(subject, { units });
        expect(isRead(subject, { units }, text), text).toBe(true);
      }),
      { numRuns: 300, seed: 33 },
    );
  });

  test("but not where a writer leaves something out or swaps it", () => {
    const { subject: law, units } = present(
      laws.find(({ name }) => name.includes("newton/accepted")),
      "a law",
    );
    const text = measuredText(law, { units });
    for (const [sign, by] of [
      [" in kg", " in g"],
      [" in s", ""],
      ["note ", "# note "],
    ] as const) {
      expect(text).toContain(sign);
      expect(isRead(law, { units }, text.replace(sign, by))).toBe(false);
    }
  });
});

describe("a mistake is shown where it is", () => {
  test.each([
    ["0..30 knot", "30..0 knot", "ranges/order 30..0: write least..greatest"],
    ["0..30 knot", "0..inf knot", "text/syntax inf: docs/text.md has the grammar on one page"],
    ["given (k in", "given (i: index [2] in 0..1, k in", "ranges/index 0..1: leave the range out"],
    ["0.514 m/s", "0.514 m/c", "units/unknown 0.514 m/c: declare it under bases or units; known are m, s"],
    ["0.514 m/s", "0.514 m/", "units/syntax 0.514 m/: write a unit as in kg·m/s^2 or m^(1/2)"],
    ["in nmi", "in nmj", 'units/unknown nmj: did you mean "nmi"? A new one is declared under bases or units'],
    ["in nmi", "in", "text/syntax : docs/text.md has the grammar on one page"],
    [
      "[m, m/s]",
      "[m, m/s, 1]",
      "units/length along 0 [m, m/s, 1]: give one unit for each place along the axis",
    ],
    [
      "along 0 [m, m/s]",
      "along 1 [m, m/s]",
      "units/axis along 1 [m, m/s]: axes count from 0; name each once",
    ],
    ["base m s", "base m s m", "units/name-twice m: names are unique across bases and units"],
    ["base m s", "base", "text/clause base: add what it is"],
    ["unit nmi = 1852 m", "unit nmi", "text/clause unit: write unit knot = 0.514 m/s"],
    [
      "k * y",
      "z = vjp (u in m) => u * u at y along k",
      "text/measure m: leave it out, or give it to the graph around",
    ],
    ["k * y", "z = y in nmi", "text/twice nmi: say it once"],
  ])("%s → %s", (right, wrong, shown) => {
    expect(ship).toContain(right);
    const text = ship.replace(right, wrong);
    const read = readText(text);
    const faults = read.ok ? [] : read.error;
    const all = faults.map(
      ({ code, place, hint }) => `${code} ${text.slice(place.start, place.end)}: ${hint}`,
    );
    expect(all).toContain(shown);
  });
});
