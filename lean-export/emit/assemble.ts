import type { Rational } from "../../reference/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { fail, type Issue, ok, present, type Result, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTrace, Numbers } from "./flat.ts";
import type { TraceNumbers } from "./numbers.ts";
import type { Instruction, LeanOperator } from "./operator.ts";
import type { CheckedTrace } from "./read.ts";
import type { Scalars } from "./scalars.ts";
import type { Translation } from "./translate.ts";

const zero: Rational = { numerator: 0n, denominator: 1n };

/** The trace says this of an id. */
interface Row {
  readonly name: string;
  readonly seed: Numbers;
  readonly value: Numbers;
  readonly cotangent: Numbers;
}

interface Entry {
  readonly shape: Shape;
  readonly numbers: Numbers;
}

/**
 * Puts instructions and numbers together. Fails: `lean/number` if an attribute is no number of the algebra.
 */
export function assemble(
  trace: CheckedTrace,
  scalars: Scalars,
  numbers: TraceNumbers,
  translations: readonly Translation[],
): Result<FlatTrace, Issue[]> {
  const { graph } = trace;
  const shapes = shapesOf(graph);
  const entries = realEntries(trace, numbers);
  const entryIds = new Map([...numbers.environment.keys()].map((name, id) => [name, id]));
  const rows: Row[] = graph.inputs.map((_, id) => rowOf(numbers, shapes, id));
  const nodes: Instruction[] = [];
  /** The ids of the trace are at these places in Lean. */
  const places = graph.inputs.map((_, id) => id);
  for (const [index, translation] of translations.entries()) {
    const id = graph.inputs.length + index;
    const node = present(graph.nodes[index], "a node");
    const shape = present(shapes[id], "a node's shape");
    const parents = node.parents.map((parent) => present(places[parent], "a parent's place"));
    if (translation.kind === "literals") {
      const literals = literalsOf(scalars, translation.numbers, index);
      if (!literals.ok) return literals;
      entries.push({ shape, numbers: literals.value });
    }
    if (translation.kind === "scattered") {
      const [x, updates] = parents;
      nodes.push({
        operator: { kind: "scatter", shape, targets: translation.targets },
        parents: parents.slice(1),
        shape,
      });
      const value = placed(scalars, translation.targets, rows[updates ?? -1]?.value ?? [], sizeOf(shape));
      const { cotangent } = rowOf(numbers, shapes, id);
      parents.splice(0, 2, x ?? 0, rows.length);
      rows.push({ name: `${id}_updates`, seed: zeros(shape), value, cotangent });
    }
    const operator = operatorOf(translation, entryIds, entries.length - 1);
    nodes.push({ operator, parents, shape: present(trace.values[id], "a value").shape });
    places.push(rows.length);
    rows.push(rowOf(numbers, shapes, id));
  }
  return ok({
    scalars,
    names: rows.map(({ name }) => name),
    program: {
      inputs: graph.inputs.map(({ shape }) => shape),
      environment: entries.map(({ shape }) => shape),
      nodes,
    },
    run: {
      inputs: numbers.inputs,
      environment: entries.map((entry) => entry.numbers),
      seed: rows.map(({ seed }) => seed),
      values: rows.map(({ value }) => value),
      cotangents: rows.map(({ cotangent }) => cotangent),
    },
  });
}

function rowOf(numbers: TraceNumbers, shapes: readonly Shape[], id: number): Row {
  return {
    name: String(id),
    seed: numbers.seeds.get(id) ?? zeros(present(shapes[id], "a shape")),
    value: present(numbers.values[id], "a value"),
    cotangent: present(numbers.cotangents[id], "a cotangent"),
  };
}

function zeros(shape: Shape): Numbers {
  return new Array<Rational>(sizeOf(shape)).fill(zero);
}

function realEntries({ graph }: CheckedTrace, { environment }: TraceNumbers): Entry[] {
  return graph.environment.flatMap(({ name, shape }) => {
    const numbers = environment.get(name);
    return numbers === undefined ? [] : [{ shape, numbers }];
  });
}

function literalsOf(scalars: Scalars, numbers: readonly number[], index: number): Result<Numbers, Issue[]> {
  const literals = numbers.flatMap((x) => scalars.literal(x) ?? []);
  if (literals.length === numbers.length) return ok(literals);
  return fail([
    {
      code: "lean/number",
      pointer: `/graph/nodes/${index}/attributes`,
      message: `the attributes stand for no number of the ${scalars.name} algebra.`,
      hint: "record the trace over the rationals",
    },
  ]);
}

/** Computes what `scatter` makes of the updates that the trace claims. */
function placed(scalars: Scalars, targets: readonly number[], updates: Numbers, size: number): Numbers {
  const sums = new Array<Rational>(size).fill(zero);
  for (const [position, target] of targets.entries()) {
    sums[target] = scalars.add(sums[target] ?? zero, updates[position] ?? zero);
  }
  return sums;
}

function operatorOf(
  translation: Translation,
  entryIds: ReadonlyMap<string, number>,
  lastEntry: number,
): LeanOperator {
  switch (translation.kind) {
    case "operator":
      return translation.operator;
    case "entry":
      return { kind: "constant", entry: present(entryIds.get(translation.name), "an entry of Δ") };
    case "literals":
      return { kind: "constant", entry: lastEntry };
    case "scattered":
      return { kind: "add" };
  }
}
