import type { Random } from "fast-check";
import {
  backpropSparse,
  type EnvironmentValue,
  evaluate,
  float64,
  type Graph as GraphOf,
  interpret,
  jvpCtx,
  map,
  type Tensor,
} from "../../reference/index.ts";
import { dense } from "../../reference/package.ts";
import { hostUlps } from "../../spec/contract/index.ts";
import {
  type Algebra,
  binadeOf,
  elementary,
  everyLevel,
  type FlatTensor,
  formats,
  nodeId,
  type OrderedReal,
  present,
  shapesOf,
} from "../../spec/index.ts";
import { type Case, expandCase, type PrimitiveCase } from "../case/index.ts";
import { flatten, floatEnvironment, unflatten } from "../case/reference_run.ts";
import { truthOf } from "./case_truth.ts";
import { forwardUlps, type Standard } from "./standard/standard.ts";

const reals = present(float64.levels.orderedReal, "the functions of float64");

/**
 * Returns floats whose operations err at random by up to `share` of what the standard allows. Float64 leaves
 * no room beside its own rounding where correct rounding is asked for, and less where V8's functions err.
 */
export function sloppy(standard: Standard, random: Random, share: number): Algebra<number, boolean> {
  const { round, largest } = formats[standard.dtype];
  const err = (x: number, ulps: number, used = 0.5): number => {
    // Correct rounding leaves alone what needs none, and IEEE 754 fixes infinities and NaN.
    if (!Number.isFinite(x)) return x;
    if (ulps === 0.5 && share <= 1 && round(x) === x) return x;
    const room = standard.dtype !== "float64" || share > 1 ? ulps : Math.max(0, ulps - used);
    const y = x + (2 * random.nextDouble() - 1) * 2 * room * standard.unitRoundoff * share * binadeOf(x);
    return Math.abs(y) > largest ? Math.sign(y) * Number.POSITIVE_INFINITY : y;
  };
  const all: OrderedReal<number, boolean> = {
    zero: 0,
    one: 1,
    add: (x, y) => (x === 0 || y === 0 ? x + y : err(x + y, 0.5)),
    detach: (x) => x,
    multiply: (x, y) => err(x * y, 0.5),
    literal: formats[standard.dtype].round,
    negative: (x) => -x,
    divide: (x, y) => err(x / y, 0.5),
    ...elementary(
      (name) => (x: number) => err(reals[name](x), forwardUlps(standard, name), hostUlps[name]),
      (name) => (x: number, y: number) =>
        // Every x⁰ is 1 in IEEE 754, that of NaN too.
        name === "pow" && y === 0 ? 1 : err(reals[name](x, y), forwardUlps(standard, name), hostUlps[name]),
    ),
    less: (x, y) => x < y,
    equal: (x, y) => x === y,
    select: (condition, x, y) => (condition ? x : y),
    floor: Math.floor,
  };
  return algebraOf(all);
}

export function algebraOf(all: OrderedReal<number, boolean>): Algebra<number, boolean> {
  return {
    name: "planted",
    additive: all,
    levels: everyLevel(all),
    isSame: Object.is,
    format: String,
    parse: Number,
  };
}

/** Counts how the components of an answer were judged. */
export type Counts = Record<"within" | "outside" | "undecided", number>;

/** Judges what an engine over `algebra` answers to a case; `engine` makes its graph another. */
export function judged(
  question: Case,
  standard: Standard,
  algebra: Algebra<number, boolean>,
  engine: (expanded: PrimitiveCase, graph: GraphOf<number>) => GraphOf<number> = (_, graph) => graph,
): Counts {
  const truth = truthOf(question, standard);
  const { question: expanded, ids } = expandCase(question);
  const plain = interpret(expanded.graph, algebra);
  if (!plain.ok) throw new Error("float algebras offer everything");
  const graph = engine(expanded, plain.value);
  const { literal } = present(algebra.levels.field, "a field");
  const read = ({ shape, data }: FlatTensor): Tensor<number> => unflatten({ shape, data: data.map(literal) });
  const x = question.point.inputs.map(read);
  // A program rounds what it is given first.
  const environment = new Map(
    [...floatEnvironment(question)].map(([name, entry]): [string, EnvironmentValue<number>] => [
      name,
      entry.kind === "real" ? { ...entry, tensor: map(entry.tensor, literal) } : entry,
    ]),
  );
  const seed = new Map(expanded.seeds.map(({ id, cotangent }) => [id, read(cotangent)]));
  const cotangents = backpropSparse(algebra.additive, graph, x, environment, seed);
  const answers: Record<"value" | "tangent" | "cotangent", FlatTensor[]> = {
    value: evaluate(graph, x, environment).map(flatten),
    tangent: jvpCtx(graph, x, question.tangents.map(read), environment).map(flatten),
    cotangent: dense(algebra.additive, shapesOf(expanded.graph), cotangents).map(flatten),
  };
  const counts = { within: 0, outside: 0, undecided: 0 };
  for (const part of ["value", "tangent", "cotangent"] as const) {
    for (const [id, inner] of ids.entries()) {
      for (const [element, component] of truth[part](nodeId(id)).entries()) {
        counts[component.judge(answers[part][inner]?.data[element] ?? Number.NaN)] += 1;
      }
    }
  }
  return counts;
}
