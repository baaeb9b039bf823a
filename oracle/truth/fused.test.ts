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
import { type Algebra, type FlatTensor, nodeId, present } from "../../spec/index.ts";
import { expandCase, type PrimitiveCase } from "../case/index.ts";
import { unflatten } from "../case/reference_run.ts";
import { type CaseProfile, caseAt, chainProfile, scalar20Profile } from "../generate/index.ts";
import { type Fusible, fusing, plain } from "./fusing.test.kit.ts";
import { liftEnvironment } from "./nodes/bounds.ts";
import { referenceStandard } from "./standard/standard.ts";
import { primitiveTruthOf } from "./truth.ts";

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
