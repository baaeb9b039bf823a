import { describe, expect, it } from "vitest";
import { graph } from "../builder/graph.ts";
import { formatIssue } from "../shapes/result.ts";
import type { UnitsJson } from "../wire/units.ts";
import { checkUnits, isUnits } from "./check.ts";
import { unitAt } from "./declarations.ts";
import { formatDimension } from "./dimension.ts";

const subject = graph(({ input, parameter, indices }) => {
  const state = input("state", [2]);
  const mass = input("mass");
  indices("places", [1]);
  state.multiply(mass).add(parameter("shift", [2]));
});

function issuesOf(units: object): string[] {
  const checked = checkUnits({ format: "adjudge.units.v1", ...units }, subject);
  return checked.ok ? [] : checked.error.map((issue) => formatIssue(issue));
}

describe("checkUnits", () => {
  it("reads a measure for an input, an entry and a node, element by element", () => {
    const units: UnitsJson = {
      format: "adjudge.units.v1",
      units: { lb: "0.45359237 kg" },
      inputs: { state: { unit: "m", along: [{ axis: 0, units: ["1", "1/s"] }] }, mass: "lb" },
      environment: { shift: "N" },
      nodes: { "2": "N" },
    };
    const checked = checkUnits(units, subject);
    if (!checked.ok) throw new Error(checked.error.map(formatIssue).join("\n"));
    const { declared, bases } = checked.value.declarations;
    expect(declared.map(({ of }) => (of.kind === "id" ? of.id : of.name))).toEqual([0, 1, "shift", 2]);
    const measure = declared[0]?.measure;
    const at = (place: number): string =>
      measure === undefined ? "" : formatDimension(unitAt(measure, [place]).dimension, bases);
    expect([at(0), at(1)]).toEqual(["m", "m·s⁻¹"]);
  });

  it.each<[string, object, string]>([
    ["an unknown base", { inputs: { mass: "kgg" } }, "units/unknown at /inputs/mass"],
    ["a malformed exponent", { inputs: { mass: "kg^x" } }, "units/exponent at /inputs/mass"],
    ["a name that is no input", { inputs: { mas: "kg" } }, "units/name at /inputs/mas"],
    ["a name that is no entry", { environment: { shft: "kg" } }, "units/name at /environment/shft"],
    ["an entry of indices", { environment: { places: "kg" } }, "units/index at /environment/places"],
    ["an id beyond the graph", { nodes: { "99": "kg" } }, "units/id at /nodes/99"],
    ["an id that is no number", { nodes: { "01": "kg" } }, "units/id at /nodes/01"],
    ["a base named twice", { bases: ["m", "m"] }, "units/name-twice at /bases/1"],
    ["a unit named as a base", { units: { m: "s" } }, "units/name-twice at /units/m"],
    ["a unit of no name", { units: { "m s": "s" } }, "schema/pattern at /units/m s"],
    [
      "an axis too many",
      { inputs: { state: { along: [{ axis: 1, units: ["m"] }] } } },
      "units/axis at /inputs/state/along/0/axis",
    ],
    [
      "an axis named twice",
      {
        inputs: {
          state: {
            along: [
              { axis: 0, units: ["m", "m"] },
              { axis: 0, units: ["m", "m"] },
            ],
          },
        },
      },
      "units/axis at /inputs/state/along/1/axis",
    ],
    [
      "a unit too few",
      { inputs: { state: { along: [{ axis: 0, units: ["m"] }] } } },
      "units/length at /inputs/state/along/0/units",
    ],
    [
      "a bad unit along an axis",
      { inputs: { state: { along: [{ axis: 0, units: ["m", "q$$"] }] } } },
      "units/unknown at /inputs/state/along/0/units/1",
    ],
    [
      "two units for one value",
      { inputs: { mass: "kg" }, nodes: { "1": "m" } },
      "units/contradiction at /nodes/1",
    ],
    ["two scales for one value", { inputs: { mass: "kg" }, nodes: { "1": "g" } }, "units/contradiction at"],
    ["a measure that is none", { inputs: { mass: 7 } }, "schema/oneOf at /inputs/mass"],
  ])("refuses %s, with the place", (_what, units, issue) => {
    expect(issuesOf(units).map((text) => text.slice(0, issue.length))).toContain(issue);
    expect(issuesOf({ inputs: { mass: "kg" } })).toEqual([]);
  });

  it("takes the graph from one place, and not from two or none", () => {
    const alone = { format: "adjudge.units.v1", inputs: { mass: "kg" }, graph: subject };
    expect(checkUnits(alone)).toMatchObject({ ok: true, value: { graph: subject } });
    expect(checkUnits(alone, subject)).toMatchObject({ error: [{ code: "units/graph", pointer: "/graph" }] });
    expect(checkUnits({ format: "adjudge.units.v1" })).toMatchObject({ error: [{ code: "units/graph" }] });
    expect([isUnits(alone), isUnits(subject), isUnits(undefined)]).toEqual([true, false, false]);
  });

  it("uses the units of the SI whose bases are declared, and no others", () => {
    expect(issuesOf({ bases: ["kg", "m", "s", "loss"], inputs: { mass: "N·loss" } })).toEqual([]);
    expect(issuesOf({ bases: ["kg", "loss"], inputs: { mass: "N" } })[0]).toMatch(/^units\/unknown/);
  });
});
