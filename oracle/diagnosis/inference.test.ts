import { describe, expect, test } from "vitest";
import {
  checkUnits,
  type DimensionsJson,
  formatIssue,
  type Graph,
  graph,
  nodeId,
  type UnitsJson,
  undeclared,
  type Value,
} from "../../spec/index.ts";
import { succeeded } from "../derivatives.test.kit.ts";
import { explain } from "./explanation.ts";
import { formsOfValue, inferDimensions } from "./inference.ts";

function explained(subject: Graph, units: Omit<UnitsJson, "format">): DimensionsJson {
  const checked = checkUnits({ format: "adjudge.units.v1", ...units }, subject);
  if (!checked.ok) throw new Error(checked.error.map(formatIssue).join("\n"));
  const last = nodeId(subject.inputs.length + subject.nodes.length - 1);
  const wrt = subject.inputs.map((_, id) => nodeId(id));
  return succeeded(explain(subject, checked.value.declarations, { of: [last], wrt })).dimensions;
}

/** Returns the dimensions of the blocks of the result and of the gradients. */
function told(dimensions: DimensionsJson): { result: string[]; gradients: string[][] } {
  if (dimensions.kind === "obstructed") throw new Error(dimensions.obstruction.says);
  return {
    result: dimensions.results.flatMap(({ blocks }) => blocks.map(({ dimension }) => dimension)),
    gradients: dimensions.gradients.flatMap(({ cotangents }) =>
      cotangents.map(({ blocks }) => blocks.map(({ dimension }) => dimension)),
    ),
  };
}

const stateStep = graph(({ input }) => {
  const [step, state] = [input("A", [2, 2]), input("state", [2, 1])];
  step.matmul(state);
});

const state = { along: [{ axis: 0, units: ["m", "m/s"] }] };

describe("what has a dimension may be measured by its size, its sign and its greatest element", () => {
  const of = (write: (x: Value, y: Value) => Value, shape: readonly number[] = [3]): Graph =>
    graph(({ input }) => write(input("x", shape), input("y", shape)));
  const units = { inputs: { x: "m", y: "s" } };
  const pooled = of((x) => x.max_pool({ window: [3], strides: [1], padding: [[1, 2]] }), [1, 1, 4]);

  test.each<[string, Graph, string]>([
    ["abs", of((x) => x.abs()), "m"],
    ["sign", of((x) => x.sign()), "1"],
    ["copysign", of((x, y) => x.copysign(y)), "m"],
    ["padded max_pool", pooled, "m"],
    ["abs of abs, times", of((x, y) => x.abs().multiply(y.abs().sign()).abs()), "m"],
  ])("%s", (_, subject, dimension) => {
    expect(new Set(told(explained(subject, units)).result)).toEqual(new Set([dimension]));
  });

  test("but not added to what has another", () => {
    expect(
      explained(
        of((x, y) => x.abs().add(y.abs())),
        units,
      ).kind,
    ).toBe("obstructed");
    expect(
      explained(
        of((x) => x.sign().add(x)),
        units,
      ).kind,
    ).toBe("obstructed");
  });
});

describe("inference", () => {
  test("follows a state of position and velocity through a matrix, element by element", () => {
    const dimensions = explained(stateStep, { inputs: { state }, nodes: { "2": state } });
    if (dimensions.kind === "obstructed") throw new Error(dimensions.obstruction.says);
    expect(dimensions.inputs[0]?.blocks).toEqual([
      {
        ranges: [
          [0, 1],
          [0, 1],
        ],
        dimension: "1",
      },
      {
        ranges: [
          [0, 1],
          [1, 2],
        ],
        dimension: "s",
      },
      {
        ranges: [
          [1, 2],
          [0, 1],
        ],
        dimension: "s⁻¹",
      },
      {
        ranges: [
          [1, 2],
          [1, 2],
        ],
        dimension: "1",
      },
    ]);
  });

  test("refuses to add up a position and a velocity", () => {
    const sum = graph(({ input }) => {
      input("state", [2]).sum({ axes: [0], keepdims: false });
    });
    const dimensions = explained(sum, { inputs: { state } });
    expect(dimensions).toMatchObject({ kind: "obstructed", obstruction: { id: 1, grounds: { length: 3 } } });
  });

  test("names what is free, and tells the rest by it", () => {
    const product = graph(({ input }) => {
      const [x, w] = [input("x"), input("w")];
      x.multiply(w).sqrt();
    });
    const dimensions = explained(product, { inputs: { x: "m" } });
    expect(dimensions).toMatchObject({ free: ["w"] });
    expect(told(dimensions)).toEqual({
      result: ["m^(1/2)·⟨w⟩^(1/2)"],
      gradients: [["m^(-1/2)·⟨w⟩^(1/2)"].flat(), ["m^(1/2)·⟨w⟩^(-1/2)"]],
    });
  });

  test("takes a power by a constant for so many times the dimension, and by anything else for a number", () => {
    const cube = graph(({ input }) => {
      input("x").pow(3);
    });
    expect(told(explained(cube, { inputs: { x: "m" } }))).toEqual({ result: ["m³"], gradients: [["m²"]] });
    const power = graph(({ input }) => {
      const [x, y] = [input("x"), input("y")];
      x.pow(y);
    });
    const refused = explained(power, { inputs: { x: "m" } });
    expect(refused).toMatchObject({
      kind: "obstructed",
      obstruction: { says: "node 2 (pow) takes a number, and x is m." },
    });
  });

  test("takes a literal for the simplest fraction that rounds to it, so that a third is one, three times", () => {
    const root = (exponent: number): Graph =>
      graph(({ input }) => {
        input("x").pow(exponent);
      });
    expect(told(explained(root(1 / 3), { inputs: { x: "m^3" } })).result).toEqual(["m"]);
    expect(told(explained(root(-2 / 3), { inputs: { x: "m" } })).result).toEqual(["m^(-2/3)"]);
    // A third that is off by one place of the float64 is none.
    expect(told(explained(root(1 / 3 + 2 ** -53), { inputs: { x: "m^3" } })).result).not.toEqual(["m"]);
    const twice = graph(({ input }) => {
      const u = input("u");
      u.pow(4 / 3).divide(u.pow(1 / 3));
    });
    expect(told(explained(twice, { inputs: { u: "K" } })).result).toEqual(["K"]);
  });

  test("lets a literal have a unit, and takes it for a number where it has none", () => {
    const fall = graph(({ input }) => {
      const [v, t] = [input("v"), input("t")];
      v.add(t.multiply(9.81));
    });
    const units = { inputs: { v: "m/s", t: "s" } };
    expect(explained(fall, units).kind).toBe("obstructed");
    expect(told(explained(fall, { ...units, nodes: { "2": "m/s^2" } })).result).toEqual(["m·s⁻¹"]);
    expect(explained(fall, { ...units, nodes: { "2": "m/s" } }).kind).toBe("obstructed");
    // A conversion is a number of another scale: 1000 mm/m.
    const convert = graph(({ input }) => {
      input("x").multiply(1000);
    });
    const result = (nodes: Readonly<Record<string, string>>): unknown => {
      const dimensions = explained(convert, { inputs: { x: "m" }, nodes });
      return dimensions.kind === "assigned" && dimensions.scales === undefined;
    };
    expect(result({ "1": "mm/m", "2": "mm" })).toBe(true);
    expect(result({ "2": "mm" })).toBe(false);
    expect(result({ "1": "km/m", "2": "mm" })).toBe(false);
  });

  test("keeps a literal a number that is declared one, so that it may be an exponent", () => {
    const square = graph(({ input }) => {
      input("x").pow(2);
    });
    expect(told(explained(square, { inputs: { x: "m" }, nodes: { "1": "1" } })).result).toEqual(["m²"]);
    expect(explained(square, { inputs: { x: "m" }, nodes: { "1": "s" } }).kind).toBe("obstructed");
  });

  test("refuses the sine of degrees, and of a dalton the kilograms that somebody measured", () => {
    const sine = graph(({ input }) => {
      const [x, y] = [input("x"), input("y")];
      x.sin().add(y.sin());
    });
    const scalesOf = (x: string): unknown => {
      const dimensions = explained(sine, { inputs: { x, y: "rad" } });
      return dimensions.kind === "assigned" ? dimensions.scales?.says : dimensions.kind;
    };
    expect(scalesOf("deg")).toBe("node 2 (sin) takes a number, and x is 2^-2·3^-2·5^-1·π.");
    expect(scalesOf("1/π deg")).toContain("2^-2·3^-2·5^-1.");
    expect(scalesOf("180/π deg")).toBeUndefined();
    expect(scalesOf("u/kg")).toContain("{Da}");
  });

  test("lets zero have every dimension, and other numbers none", () => {
    const clamped = (value: number): Graph =>
      graph(({ input }) => {
        input("x").maximum(value);
      });
    expect(explained(clamped(0), { inputs: { x: "m" } }).kind).toBe("assigned");
    expect(explained(clamped(1), { inputs: { x: "m" } }).kind).toBe("obstructed");
  });

  test("goes into composites, and names the node that stands in the graph", () => {
    const normal = graph(({ input }) => {
      input("x", [4]).softmax({ axis: 0 });
    });
    expect(explained(normal, { inputs: { x: "m" } })).toMatchObject({
      kind: "obstructed",
      obstruction: { id: 1, says: expect.stringContaining("node 1 (softmax)") },
    });
  });

  test("asks what several declarations ask, the later against the earlier", () => {
    const twice = graph(({ input }) => {
      input("x").add(1);
    });
    const dimensions = explained(twice, { inputs: { x: "m" }, nodes: { "2": "s" } });
    expect(dimensions.kind).toBe("obstructed");
  });

  test("gives two assignments, both of which fit, where something is free", () => {
    const subject = graph(({ input }) => {
      const [x, w] = [input("x"), input("w")];
      x.multiply(w);
    });
    for (const w of ["s", "kg^(2/3)"]) {
      expect(explained(subject, { inputs: { x: "m", w } }).kind).toBe("assigned");
    }
    const nothing = inferDimensions(subject, { bases: ["m"], declared: [] });
    expect(nothing.kind === "assigned" && nothing.solution.rank).toBe(1);
  });

  test("refuses a graph whose values change their dimension too often, and soon", () => {
    const fine = graph(({ input }) => {
      input("x", [2 ** 22]).slice({ starts: [0], stops: [2 ** 22], steps: [2] });
    });
    expect(inferDimensions(fine, undeclared())).toMatchObject({
      kind: "refused",
      issue: { code: "units/blocks" },
    });
    const product = graph(({ input }) => {
      const [x, y] = [input("x", [4096, 1]), input("y", [1, 4096])];
      x.slice({ starts: [0, 0], stops: [4096, 1], steps: [2, 1] });
      y.slice({ starts: [0, 0], stops: [1, 4096], steps: [1, 2] });
      x.multiply(y);
    });
    expect(inferDimensions(product, undeclared()).kind).toBe("refused");
  });

  test("keeps numbers short in a chain of squares, and still knows the last", () => {
    const squares = graph(({ input }) => {
      let x = input("x");
      for (let i = 0; i < 2_000; i++) x = x.multiply(x);
    });
    const inference = inferDimensions(squares, undeclared());
    if (inference.kind !== "assigned") throw new Error(inference.kind);
    const [last] = formsOfValue(inference, 2_000);
    expect(last?.form.get(0)?.numerator).toBe(2n ** 2_000n);
  });
});
