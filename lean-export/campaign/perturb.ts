import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { checkGraph } from "../../spec/documents/index.ts";
import { nodeId, present, type Shape } from "../../spec/shapes/index.ts";
import type { TraceJson } from "../../spec/wire/index.ts";
import { type FlatTrace, readTraceJson } from "../index.ts";
import { recordAgain } from "./random_traces.ts";

/** A trace with one number changed. Its rejection must name at least one of these claims. */
export interface Perturbation {
  readonly kind: "value" | "cotangent" | "parent" | "shape";
  /** It tells people what was changed. */
  readonly what: string;
  readonly trace: FlatTrace;
  readonly claims: readonly string[];
}

/** A trace can be made wrong in these ways. */
export const perturbationKinds: readonly Perturbation["kind"][] = ["value", "cotangent", "parent", "shape"];

/** Another place is tried so often, since a graph of one node and one input has no other parent. */
const ATTEMPTS = 20;

/**
 * Returns the trace with one number of the kind changed, so that it surely is wrong: a value, cotangent or
 * shape is determined by the graph and its inputs; another parent is a fault only if the reference then
 * computes other numbers, and else another place is tried. `undefined` where none was found.
 */
export function perturb(
  trace: TraceJson,
  kind: Perturbation["kind"],
  seed: number,
): Perturbation | undefined {
  const random = new Random(xoroshiro128plus(seed));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const changed =
      kind === "parent"
        ? withOtherParent(trace, random)
        : kind === "shape"
          ? withOtherShape(trace, random)
          : withOtherNumber(trace, kind, random);
    if (changed !== undefined) return changed;
  }
  return undefined;
}

function below(random: Random, count: number): number {
  return random.nextInt(0, count - 1);
}

function exported(trace: TraceJson): FlatTrace | undefined {
  const flat = readTraceJson(trace);
  return flat.ok ? flat.value : undefined;
}

function withOtherNumber(
  trace: TraceJson,
  kind: "value" | "cotangent",
  random: Random,
): Perturbation | undefined {
  const part = kind === "value" ? "values" : "cotangents";
  const tensors = trace[part];
  const id = below(random, tensors.length);
  const { shape, data } = present(tensors[id], "a tensor");
  if (data.length === 0) return undefined;
  const place = below(random, data.length);
  const other = otherNumber(present(data[place], "a number"), trace.algebra, random);
  const changed = exported({
    ...trace,
    [part]: tensors.with(id, { shape, data: data.with(place, other) }),
  });
  const what = `element ${place} of the ${kind} of ${id}: ${data[place]} became ${other}`;
  return changed && { kind, what, trace: changed, claims: [`${kind}_${id}`] };
}

/** Returns a number that is surely another one, written as the algebra writes it. */
function otherNumber(text: string, algebra: string, random: Random): string {
  const difference = BigInt(random.nextInt(1, 9)) * (random.nextInt(0, 1) === 0 ? 1n : -1n);
  const [numerator = "0", denominator = "1"] = text.split("/");
  const sum = BigInt(numerator) + difference;
  return algebra === "rational" ? `${sum}/${denominator}` : sum.toString();
}

function withOtherShape(trace: TraceJson, random: Random): Perturbation | undefined {
  const id = trace.graph.inputs.length + below(random, trace.graph.nodes.length);
  const { shape, data } = present(trace.values[id], "a value");
  const other = otherShape(shape, random);
  const changed = exported({
    ...trace,
    values: trace.values.with(id, { shape: other, data }),
    cotangents: trace.cotangents.with(id, { ...present(trace.cotangents[id], "a cotangent"), shape: other }),
  });
  const what = `the shape of ${id}: [${shape}] became [${other}]`;
  return changed && { kind: "shape", what, trace: changed, claims: [`shape_${id}`] };
}

/** An axis of extent 1 more, or an extent one larger or smaller. */
function otherShape(shape: Shape, random: Random): Shape {
  const axis = below(random, shape.length + 1);
  const extent = shape[axis];
  if (extent === undefined) return [...shape, 1];
  return shape.with(axis, extent > 0 && random.nextInt(0, 1) === 0 ? extent - 1 : extent + 1);
}

function withOtherParent(trace: TraceJson, random: Random): Perturbation | undefined {
  const { graph } = trace;
  const index = below(random, graph.nodes.length);
  const node = present(graph.nodes[index], "a node");
  const id = graph.inputs.length + index;
  if (node.parents.length === 0) return undefined;
  const place = below(random, node.parents.length);
  const before = present(node.parents[place], "a parent");
  const after = nodeId(below(random, id));
  if (after === before) return undefined;
  const nodes = graph.nodes.with(index, { ...node, parents: node.parents.with(place, after) });
  const what = `parent ${place} of ${id}: ${before} became ${after}`;
  const checked = checkGraph({ ...graph, nodes });
  if (!checked.ok) return misshapen(trace, { id, before, after, what });
  const changed = exported({ ...trace, graph: checked.value });
  const again = recordAgain({ ...trace, graph: checked.value });
  if (changed === undefined || again === undefined || isSameClaim(again, trace)) return undefined;
  const claims = [`shape_${id}`, `value_${id}`, `cotangent_${before}`, `cotangent_${after}`];
  return { kind: "parent", what, trace: changed, claims };
}

interface OtherParent {
  readonly id: number;
  readonly before: number;
  readonly after: number;
  readonly what: string;
}

/** A parent of a shape that does not fit is no graph, and is put into what is exported. */
function misshapen(trace: TraceJson, { id, before, after, what }: OtherParent): Perturbation | undefined {
  const flat = exported(trace);
  if (flat === undefined) return undefined;
  const { program } = flat;
  const index = id - program.inputs.length;
  const instruction = program.nodes[index];
  const parent = instruction?.parents.indexOf(before) ?? -1;
  if (instruction === undefined || parent < 0) return undefined;
  const parents = instruction.parents.with(parent, after);
  const nodes = program.nodes.with(index, { ...instruction, parents });
  return {
    kind: "parent",
    what: `${what}, which does not fit`,
    trace: { ...flat, program: { ...program, nodes } },
    claims: [`shape_${id}`],
  };
}

function isSameClaim(a: TraceJson, b: TraceJson): boolean {
  const claims = ({ values, cotangents }: TraceJson): string => JSON.stringify([values, cotangents]);
  return claims(a) === claims(b);
}
