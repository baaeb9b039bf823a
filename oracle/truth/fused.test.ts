import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import {
  backpropSparse,
  type Environment,
  evaluate,
  type Graph,
  interpret,
  jvpCtx,
  map,
  type Tensor,
} from "../../reference/index.ts";
import { floats } from "../../reference/package.ts";
import {
  type Algebra,
  elementary,
  everyLevel,
  type FlatTensor,
  nodeId,
  type OrderedReal,
  present,
} from "../../spec/index.ts";
import { expandCase, type PrimitiveCase } from "../case/index.ts";
import { unflatten } from "../case/reference_run.ts";
import { type CaseProfile, caseAt, chainProfile, scalar20Profile } from "../generate/index.ts";
import { liftEnvironment } from "./nodes/bounds.ts";
import { referenceStandard } from "./standard/standard.ts";
import { primitiveTruthOf } from "./truth.ts";

/** A number of float32, and the product that it was rounded from, if it was. */
interface Fusible {
  readonly rounded: number;
  readonly product: number;
}

const reals = present(floats.float32.levels.orderedReal, "the functions of float32");

function plain(x: number): Fusible {
  return { rounded: x, product: x };
}

/** Returns float32 whose sums read a product before its rounding or after it, each time by chance. */
function fusing(random: Random): Algebra<Fusible, boolean> {
  const read = ({ rounded, product }: Fusible): number => (random.nextInt() % 2 === 0 ? rounded : product);
  const all: OrderedReal<Fusible, boolean> = {
    zero: plain(0),
    one: plain(1),
    // One of the two alone can be fused.
    add: (x, y) => plain(Math.fround(random.nextInt() % 2 === 0 ? read(x) + y.rounded : x.rounded + read(y))),
    detach: (x) => x,
    multiply: (x, y) => {
      // Exact in float64, but for underflow.
      const product = x.rounded * y.rounded;
      const rounded = Math.fround(product);
      return Number.isFinite(rounded) && Math.abs(rounded) > 2 ** -100
        ? { rounded, product }
        : plain(rounded);
    },
    literal: (x) => plain(Math.fround(x)),
    negative: ({ rounded, product }) => ({ rounded: -rounded, product: -product }),
    divide: (x, y) => plain(reals.divide(x.rounded, y.rounded)),
    ...elementary<Fusible>(
      (name) => (x) => plain(reals[name](x.rounded)),
      (name) => (x, y) => plain(reals[name](x.rounded, y.rounded)),
    ),
    less: (x, y) => x.rounded < y.rounded,
    equal: (x, y) => x.rounded === y.rounded,
    select: (condition, x, y) => (condition ? x : y),
    floor: (x) => plain(Math.floor(x.rounded)),
  };
  return {
    name: "fusing",
    additive: all,
    levels: everyLevel(all),
    isSame: Object.is,
    format: ({ rounded }) => String(rounded),
    parse: (text) => plain(Number(text)),
  };
}

/** Counts the components of an answer that are judged `outside`; an engine over `algebra` gives it. */
function outsideOf(question: PrimitiveCase, algebra: Algebra<Fusible, boolean>, spoilt: number): number {
  const meaning = interpret(question.graph, algebra);
  if (!meaning.ok) throw new Error("the algebra offers everything");
  const program: Graph<Fusible> = meaning.value;
  const lift = (flat: FlatTensor): Tensor<Fusible> => map(unflatten(flat), (x) => plain(Math.fround(x)));
  const x = question.point.inputs.map(lift);
  const environment: Environment<Fusible> = liftEnvironment(question, lift);
  const seeds = new Map(question.seeds.map(({ id, cotangent }) => [id, lift(cotangent)]));
  const cotangents = backpropSparse(algebra.additive, program, x, environment, seeds);
  const values = evaluate(program, x, environment);
  const tangents = jvpCtx(program, x, question.tangents.map(lift), environment);
  const truth = primitiveTruthOf(question, referenceStandard("float32"));
  let outside = 0;
  for (const [id] of truth.shapes.entries()) {
    const [value, tangent] = [values[id], tangents[id]].map((t) => present(t, "an answer").data);
    for (const [part, answers] of [
      ["value", value],
      ["tangent", tangent],
      ["cotangent", cotangents.get(nodeId(id))?.data],
    ] as const) {
      for (const [element, component] of truth[part](nodeId(id)).entries()) {
        const answer = answers?.[element]?.rounded ?? 0;
        if (component.judge(Math.fround(answer * (1 + spoilt))) === "outside") outside += 1;
      }
    }
  }
  return outside;
}

describe("an engine that leaves the rounding of a product out for some of its readers", () => {
  const outside = (profile: CaseProfile, cases: number, spoilt = 0): number => {
    const algebra = fusing(new Random(xoroshiro128plus(31)));
    let sum = 0;
    for (let index = 0; index < cases; index++) {
      sum += outsideOf(expandCase(caseAt(profile, 31, index)).question, algebra, spoilt);
    }
    return sum;
  };

  test("is never outside, in chains or in small graphs", () => {
    expect(outside(chainProfile, 60)).toBe(0);
    expect(outside(scalar20Profile, 100)).toBe(0);
  });

  test("is outside where its numbers are off by a thousandth", () => {
    expect(outside(chainProfile, 5, 1e-3)).toBeGreaterThan(500);
  });
});
