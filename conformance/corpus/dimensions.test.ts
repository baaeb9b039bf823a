import { describe, expect, test } from "vitest";
import { certifies, explain, inferDimensions } from "../../oracle/index.ts";
import {
  checkUnits,
  type DimensionsJson,
  formatIssue,
  nodeId,
  validateExplanation,
} from "../../spec/index.ts";
import { measuredFormulas, type PhysicsLaw, physicsLaws } from "../../spec/text/example.test.kit.ts";

const cases = physicsLaws();

function measured({ units }: PhysicsLaw) {
  const checked = checkUnits(units);
  if (!checked.ok) throw new Error(checked.error.map(formatIssue).join("\n"));
  return checked.value;
}

function dimensionsOf(one: PhysicsLaw): DimensionsJson {
  const { graph, declarations } = measured(one);
  const explained = explain(graph, declarations, { of: [], wrt: [] });
  if (!explained.ok) throw new Error(explained.error.map(formatIssue).join("\n"));
  return explained.value.dimensions;
}

describe("losses of physics", () => {
  test("are six laws, each with three twins or more", () => {
    const twins = Map.groupBy(cases, ({ name }) => name.split("/")[0]);
    expect([...twins.keys()]).toEqual(["burgers", "heat", "navier_stokes", "newton", "oscillator", "wave"]);
    for (const { name, culprit } of cases) expect(culprit === undefined).toBe(name.endsWith("/accepted"));
    for (const all of twins.values()) expect(all.length).toBeGreaterThan(3);
  });

  test.each(cases.filter(({ culprit }) => culprit === undefined))("agree: $name", (one) => {
    const { graph, declarations } = measured(one);
    const last = nodeId(graph.inputs.length + graph.nodes.length - 1);
    const wrt = graph.inputs.map((_, id) => nodeId(id));
    const explained = explain(graph, declarations, { of: [last], wrt });
    if (!explained.ok) throw new Error(explained.error.map(formatIssue).join("\n"));
    const explanation = explained.value;
    expect(validateExplanation(explanation).ok).toBe(true);
    expect(explanation.dimensions).toMatchObject({ kind: "assigned", free: [] });
  });

  test.each(
    cases.filter(({ culprit }) => culprit !== undefined),
  )("clash at the id that the text names: $name", (one) => {
    const { graph, declarations } = measured(one);
    const inference = inferDimensions(graph, declarations);
    if (inference.kind !== "obstructed") throw new Error("the twin is accepted");
    const { system, certificate } = inference;
    expect(certifies(certificate, system.equations, system.aspect.bases.length)).toBe(true);
    const dimensions = dimensionsOf(one);
    if (dimensions.kind === "assigned") throw new Error("the twin is accepted");
    const { id, left, right } = dimensions.obstruction;
    expect({ id, sides: [left, right].sort() }).toEqual({
      id: one.culprit?.id,
      sides: [...(one.culprit?.sides ?? [])].sort(),
    });
  });

  test("name both parameters where gradients of different dimensions are summed", () => {
    const norms = cases.filter(({ name }) => name.endsWith("gradient_norm"));
    expect(norms.length).toBe(6);
    for (const one of norms) {
      const dimensions = dimensionsOf(one);
      const says = dimensions.kind === "obstructed" ? dimensions.obstruction.says : "";
      expect(says).toMatch(/from the cotangent of \w+_[xt]\).*from the cotangent of \w+_bias\)/);
    }
  });
});

describe("formulas with sizes, roots and conversions", () => {
  const formulas = measuredFormulas();
  const refusalOf = (one: PhysicsLaw) => {
    const dimensions = dimensionsOf(one);
    return dimensions.kind === "assigned" ? dimensions.scales : dimensions.obstruction;
  };

  test("are eight, and each has a twin that is refused", () => {
    const names = formulas.map(({ name }) => name.replace("formulas/", ""));
    const accepted = names.filter((_, i) => formulas[i]?.culprit === undefined);
    expect(accepted.length).toBe(8);
    for (const name of accepted)
      expect(
        names.some((twin) => twin.startsWith(`${name}_`)),
        name,
      ).toBe(true);
  });

  test.each(formulas)("$name", (one) => {
    const refusal = refusalOf(one);
    const found = refusal && { id: refusal.id, sides: [refusal.left, refusal.right].sort() };
    expect(found).toEqual(one.culprit && { id: one.culprit.id, sides: [...one.culprit.sides].sort() });
  });
});
