import { describe, expect, test } from "vitest";
import { type EnvironmentValue, evaluate, float64, interpret } from "../../reference/package.ts";
import {
  at,
  baseDimension,
  type CompositeName,
  compositeNames,
  type Declaration,
  dimensionless,
  type Exponent,
  exampleOf,
  expand,
  exponentOf,
  type Graph,
  measuredIn,
  nodeId,
  sizeOf,
  type Unit,
} from "../../spec/index.ts";
import { succeeded } from "../derivatives.test.kit.ts";
import { caseAt, compositeProfile } from "../generate/index.ts";
import { formsOfValue, inferDimensions } from "./inference.ts";
import { dice } from "./scaling.test.kit.ts";

/** What is scaled: the inputs and the real entries of Δ, each to the power 0 or 1. */
interface Scaled {
  readonly inputs: readonly (0 | 1)[];
  readonly entries: ReadonlyMap<string, 0 | 1>;
}

/** Evaluates the last value at a drawn point, whose scaled parts are multiplied by `factor`. */
function valuesAt(graph: Graph, scaled: Scaled, seed: number, factor: number): readonly number[] {
  const roll = dice(seed);
  // Every other point has few numbers, many of which are equal.
  const [sides, step] = seed % 2 === 0 ? [5, 1] : [4001, 997];
  const drawn = (size: number, power: number): number[] =>
    Array.from({ length: size }, () => ((roll(sides) - (sides - 1) / 2) / step) * factor ** power);
  const inputs = graph.inputs.map(({ shape }, i) => ({
    shape,
    data: drawn(sizeOf(shape), at(scaled.inputs, i)),
  }));
  const environment = new Map<string, EnvironmentValue<number>>(
    graph.environment.map(({ name, kind, shape }) => [
      name,
      kind === "index"
        ? { kind, shape, indices: Array.from({ length: sizeOf(shape) }, () => 0) }
        : { kind, tensor: { shape, data: drawn(sizeOf(shape), scaled.entries.get(name) ?? 0) } },
    ]),
  );
  const { graph: written, ids } = expand(graph);
  const values = evaluate(succeeded(interpret(written, float64)), inputs, environment);
  return at(values, at(ids, ids.length - 1)).data;
}

/** The power to which a graph's last value is scaled, if every element is, at some points; else nothing. */
function degreeOf(graph: Graph, scaled: Scaled): number | undefined {
  const found = new Set<number>();
  for (let seed = 1; seed <= 12; seed++) {
    const before = valuesAt(graph, scaled, seed, 1);
    for (const factor of [2, 512, 1 / 128]) {
      const after = valuesAt(graph, scaled, seed, factor);
      for (const [i, was] of before.entries()) {
        const is = at(after, i);
        if ((was === 0 && is === 0) || (!Number.isFinite(was) && !Number.isFinite(is))) continue;
        const degree = Math.log2(is / was) / Math.log2(factor);
        if (!Number.isFinite(degree)) return undefined;
        found.add(Math.round(degree * 1e6) / 1e6);
        if (found.size > 1) return undefined;
      }
    }
  }
  return [...found][0];
}

const meter: Unit = { dimension: baseDimension("m"), scale: dimensionless };
const number: Unit = { dimension: dimensionless, scale: dimensionless };

/** The dimension that the rules give the last value: a power of the meter, or what is wrong. */
function inferred(graph: Graph, { inputs, entries }: Scaled): string {
  const unitOf = (power: 0 | 1): Unit => (power === 1 ? meter : number);
  const declared: Declaration[] = [
    ...inputs.map((power, i) => ({
      of: { kind: "id" as const, id: nodeId(i) },
      measure: measuredIn(unitOf(power)),
      pointer: "",
    })),
    ...[...entries].map(([name, power]) => ({
      of: { kind: "entry" as const, name },
      measure: measuredIn(unitOf(power)),
      pointer: "",
    })),
  ];
  const inference = inferDimensions(graph, { bases: ["m"], declared });
  if (inference.kind !== "assigned") return inference.kind;
  const value = inference.system.valueOf(nodeId(graph.inputs.length + graph.nodes.length - 1));
  if (!inference.system.isMeasured(value)) return "zero";
  // What nothing determines may be anything: the zeros above a triangle.
  const known = formsOfValue(inference, value).filter(({ form }) =>
    [...form.keys()].every((base) => base === 0),
  );
  const powers = known.map(({ form }): Exponent => form.get(0) ?? exponentOf(0n));
  return [
    ...new Set(powers.map(({ numerator, denominator }) => Number(numerator) / Number(denominator))),
  ].join();
}

/** Chooses what to scale: each part alone, all together, and some others. */
function* scalings({ inputs, environment }: Graph): Generator<Scaled> {
  const entries = environment.filter(({ kind }) => kind === "real").map(({ name }) => name);
  const count = inputs.length + entries.length;
  const all = 2 ** count - 1;
  const roll = dice(count);
  const masks =
    all < 32
      ? Array.from({ length: all }, (_, i) => i + 1)
      : [
          all,
          ...Array.from({ length: count }, (_, i) => 2 ** i),
          ...Array.from({ length: 16 }, () => roll(all)),
        ];
  for (const mask of masks) {
    const power = (i: number): 0 | 1 => (Math.floor(mask / 2 ** i) % 2 === 1 ? 1 : 0);
    yield {
      inputs: inputs.map((_, i) => power(i)),
      entries: new Map(entries.map((name, i) => [name, power(inputs.length + i)])),
    };
  }
}

const names = compositeNames.filter((name) => name !== "differentiate");

/** Says whether no axis is shorter than 2 and no operand is read twice: then a function is itself. */
function isGeneral({ inputs, nodes }: Graph): boolean {
  const isOnce = nodes.every(({ parents }) => new Set(parents).size === parents.length);
  return isOnce && inputs.every(({ shape }) => shape.every((extent) => extent > 1));
}

function graphsOf(op: CompositeName): Graph[] {
  const profile = {
    ...compositeProfile,
    name: op,
    operators: [op],
    nodes: [1, 1] as const,
    seeds: "generic" as const,
  };
  const drawn = Array.from({ length: 6 }, (_, i) => caseAt(profile, 17, i).graph);
  return [exampleOf(op), ...drawn.filter(isGeneral)];
}

/** Asks of the graphs all that is homogeneous, and lists what is refused, or told another dimension. */
function scan(graphs: readonly Graph[]): { readonly asked: number; readonly wrong: readonly string[] } {
  let asked = 0;
  const wrong: string[] = [];
  for (const graph of graphs) {
    for (const scaled of scalings(graph)) {
      const degree = degreeOf(graph, scaled);
      if (degree === undefined) continue;
      asked += 1;
      const told = inferred(graph, scaled);
      if (told === String(degree) || told === "zero") continue;
      const parts = [...scaled.inputs, ...scaled.entries.values()].join(" ");
      wrong.push(
        `${JSON.stringify(graph.nodes)}, scaled by ${parts}, scales by ${degree}, and is told ${told}`,
      );
    }
  }
  return { asked, wrong };
}

/** Of these nothing scales: an exponential, or a threshold that is a number, is in the way. */
const neverHomogeneous: ReadonlySet<CompositeName> = new Set(["logaddexp", "huber", "bce_with_logits"]);

describe("a composite that scales with its operands", () => {
  test.each(names)("takes operands that are measured, and is told the power it scales by: %s", (op) => {
    const { asked, wrong } = scan(graphsOf(op));
    expect(wrong).toEqual([]);
    expect(asked > 0).toBe(!neverHomogeneous.has(op));
  });

  test("would be noticed if its expansion mixed dimensions, as that of |x| does where x is 0", () => {
    for (const op of ["abs", "copysign"] as const) {
      const { graph } = expand(exampleOf(op));
      expect(scan([graph]).wrong.join("\n")).toContain("is told obstructed");
    }
  });
});
