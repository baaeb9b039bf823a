import { describe, expect, test } from "vitest";
import { measuredExpansion } from "../../reference/package.ts";
import {
  at,
  type Declaration,
  type Derived,
  derive,
  type NodeId,
  nodeId,
  type PrimitiveName,
  present,
  primitiveNames,
  shapesOf,
} from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import { succeeded } from "../derivatives.test.kit.ts";
import {
  type CaseProfile,
  caseAt,
  compositeProfile,
  nestedProfile,
  tensorProfile,
} from "../generate/index.ts";
import { formsOfValue, inferDimensions } from "./inference.ts";
import {
  dice,
  drawnBases,
  drawnPowers,
  type Instance,
  inferFreely,
  instanceOf,
  isQuotient,
  measureOf,
  type Powers,
} from "./scaling.test.kit.ts";

/** Tells whether the rules accept a derived graph, and counts its blocks that are right, wrong or zero. */
interface Found {
  readonly refused: number;
  readonly right: number;
  readonly wrong: number;
  readonly zeros: number;
  readonly asked: number;
}

type Over = (powers: (id: NodeId, position: number) => Powers) => (id: NodeId, position: number) => Powers;

/** Derives a case's graph and infers its dimensions, with inputs and seeds measured as an instance says. */
function foundOf(
  question: Case,
  mode: "vjp" | "jvp",
  seed: number,
  change: (derived: Derived) => Derived,
): Found {
  const found = { refused: 0, right: 0, wrong: 0, zeros: 0, asked: 0 };
  const inference = inferFreely(question.graph);
  if (inference.kind !== "assigned") return found;
  const roll = dice(seed);
  const instance = instanceOf(inference, roll);
  const [loss, parameter] = [drawnPowers(roll), drawnPowers(roll)];
  const { graph, ids } = measuredExpansion(question.graph);
  const given = graph.inputs.map((_, id) => nodeId(id));
  const of = mode === "vjp" ? question.seeds.map(({ id }) => at(ids, id)) : [at(ids, ids.length - 1)];
  if (of.length === 0 || of.some((id) => !inference.system.isMeasured(placeOf(instance, id)))) return found;
  const derived = change(succeeded(derive(graph, { mode, of, wrt: given })));
  // A cotangent is measured as loss per value, a tangent as value per parameter.
  const turned: Over = (powers) => (id, position) =>
    mode === "vjp" ? over(loss, powers(id, position)) : over(powers(id, position), parameter);
  const powers = (id: NodeId, position: number): Powers => instance.at(placeOf(instance, id), position);
  const declared = declarationsOf(derived, instance, mode === "vjp" ? of : given, powers, turned(powers));
  if (declared === undefined) return found;
  const again = inferDimensions(derived.graph, { bases: drawnBases, declared });
  found.asked += 1;
  if (again.kind !== "assigned") return { ...found, refused: 1 };
  const asked = mode === "vjp" ? given : of;
  derived.results.forEach((result, place) => {
    const value = again.system.valueOf(result);
    for (const { ranges, form } of formsOfValue(again, value)) {
      const position = positionOf(
        shapesOf(derived.graph)[result] ?? [],
        ranges.map(([start]) => start),
      );
      const wanted = turned(powers)(at(asked, place), position);
      if ([...form.keys()].some((unknown) => unknown >= drawnBases.length)) found.zeros += 1;
      else if (
        isQuotient(
          form,
          wanted,
          drawnBases.map(() => ({ numerator: 0n, denominator: 1n })),
        )
      )
        found.right += 1;
      else found.wrong += 1;
    }
  });
  return found;
}

function positionOf(shape: readonly number[], place: readonly number[]): number {
  return shape.reduce((position, extent, axis) => position * extent + at(place, axis), 0);
}

function placeOf({ inference: { system } }: Instance, id: NodeId): number {
  return id < system.graph.inputs.length ? id : id + system.graph.environment.length;
}

function over(x: Powers, y: Powers): Powers {
  return x.map((own, i) => {
    const other = at(y, i);
    return {
      numerator: own.numerator * other.denominator - other.numerator * own.denominator,
      denominator: own.denominator * other.denominator,
    };
  });
}

/** Declares what a derived graph is given; `undefined` where dimensions are no product over axes. */
function declarationsOf(
  { graph, seeds }: Derived,
  instance: Instance,
  seeded: readonly NodeId[],
  powers: (id: NodeId, position: number) => Powers,
  turned: (id: NodeId, position: number) => Powers,
): Declaration[] | undefined {
  const { system } = instance.inference;
  const inputs = graph.inputs.slice(0, graph.inputs.length - seeds.length).map(({ shape }, place) => ({
    of: { kind: "id" as const, id: nodeId(place) },
    measure: measureOf(shape, (position) => powers(nodeId(place), position)),
    pointer: "",
  }));
  const others = seeds.map((id, place) => ({
    of: { kind: "id" as const, id },
    measure: measureOf(at(graph.inputs, id).shape, (position) => turned(at(seeded, place), position)),
    pointer: "",
  }));
  const entries = graph.environment
    .filter(({ kind }) => kind === "real")
    .map(({ name, shape }) => ({
      of: { kind: "entry" as const, name },
      measure: measureOf(shape, (position) =>
        instance.at(present(system.valueOfEntry(name), name), position),
      ),
      pointer: "",
    }));
  const all = [...inputs, ...others, ...entries];
  const declared = all.flatMap(({ of, measure, pointer }) =>
    measure === undefined ? [] : [{ of, measure, pointer }],
  );
  return declared.length === all.length ? declared : undefined;
}

function total(
  profile: CaseProfile,
  count: number,
  change: (derived: Derived) => Derived = (derived) => derived,
): Found {
  const sum = { refused: 0, right: 0, wrong: 0, zeros: 0, asked: 0 };
  for (let index = 0; index < count; index++) {
    for (const mode of ["vjp", "jvp"] as const) {
      const found = foundOf(caseAt(profile, 12, index), mode, index, change);
      sum.refused += found.refused;
      sum.right += found.right;
      sum.wrong += found.wrong;
      sum.zeros += found.zeros;
      sum.asked += found.asked;
    }
  }
  return sum;
}

function profileOf(op: PrimitiveName): CaseProfile {
  return { ...tensorProfile, name: op, operators: [op], nodes: [1, 2], maximumElements: 12 };
}

describe("a derived graph's own rules say what a derivative is measured in", () => {
  test.each(primitiveNames)("of %s", (op) => {
    const { refused, wrong, asked } = total(profileOf(op), 12);
    expect({ refused, wrong }).toEqual({ refused: 0, wrong: 0 });
    expect(asked).toBeGreaterThan(0);
  });

  test.each([tensorProfile, compositeProfile, nestedProfile])("of random graphs: $name", (profile) => {
    const { refused, wrong, right } = total(profile, 30);
    expect({ refused, wrong }).toEqual({ refused: 0, wrong: 0 });
    expect(right).toBeGreaterThan(20);
  });

  test("and say otherwise where one product is a quotient", () => {
    const inverted = (derived: Derived): Derived => {
      const place = derived.graph.nodes.findLastIndex(({ op }) => op === "multiply");
      const nodes = derived.graph.nodes.map((node, i) =>
        i === place && node.op === "multiply" ? { ...node, op: "divide" as const } : node,
      );
      return { ...derived, graph: { ...derived.graph, nodes } };
    };
    const { refused, wrong } = total(profileOf("multiply"), 12, inverted);
    expect(refused + wrong).toBeGreaterThan(5);
  });
});
