import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isSameShape,
  type NeedOf,
  type PrimitiveAttributes,
  type PrimitiveName,
  primitiveNames,
  primitives,
} from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { formal } from "../algebras/formal.ts";
import { modularOperations as field } from "../algebras/modular.ts";
import { dotTensors, zeros } from "../tensor.ts";
import { jvpOf, type RuleOf, resultShape, vjpOf } from "./apply.test.kit.ts";
import { type PlantedRule, plantedRules } from "./planted/index.ts";
import { rules } from "./rules.ts";
import { environments, tensors, typings } from "./typings.test.kit.ts";

/** The outcome of trying a law is one of these. An exception is no refutation. */
type Outcome = { readonly kind: "holds" | "refuted" | "throws"; readonly report: string | undefined };

/** States `dot(jvp(x, ẋ), c) = dot(ẋ, vjp(x, c))` over the formal algebra: no two functions are alike. */
function adjointness<K extends PrimitiveName>(op: K, rule: RuleOf<K>): Outcome {
  const arbitrary: (typeof typings)[K] = typings[op];
  const questions = arbitrary.chain((drawn) =>
    fc.record({
      drawn: fc.constant(drawn),
      x: fc.tuple(...drawn.operands.map(tensors)),
      xDot: fc.tuple(...drawn.operands.map(tensors)),
      c: tensors(resultShape(op, drawn.attributes, drawn.operands, drawn.environment)),
      environment: environments(drawn),
    }),
  );
  const law = fc.property(questions, ({ drawn: { attributes }, x, xDot, c, environment }) => {
    const use = { op, attributes, environment };
    const left = dotTensors(field, jvpOf(rule, use, formal, x, xDot), c);
    const bars = vjpOf(rule, use, formal, x, c);
    const right = xDot.map((tangent, place) =>
      dotTensors(field, tangent, bars[place] ?? zeros(field, tangent.shape)),
    );
    const fits = bars.every((bar, place) =>
      isSameShape(bar?.shape ?? x[place]?.shape ?? [], x[place]?.shape ?? []),
    );
    return fits && left === right.reduce(field.add, field.zero);
  });
  const details = fc.check(law, { seed: 42, numRuns: 600 });
  const isFalse = String(details.errorInstance).includes("returning false");
  return {
    kind: details.failed ? (isFalse ? "refuted" : "throws") : "holds",
    report: fc.defaultReportMessage(details),
  };
}

/** The planted rules of an operator that the law does not refute. */
function survivors<K extends PrimitiveName>(op: K): string[] {
  const planted: readonly PlantedRule<NeedOf[K], PrimitiveAttributes[K]>[] = plantedRules[op];
  const right: RuleOf<K> = rules[op];
  return planted.flatMap(({ name, vjp }) =>
    adjointness(op, { ...right, vjp }).kind === "refuted" ? [] : [name],
  );
}

describe("vjp is the adjoint of jvp, to equality", () => {
  test.each(primitiveNames)("of %s", (op) => {
    expect(adjointness(op, rules[op])).toEqual({ kind: "holds", report: undefined });
  });

  test.each(
    sampled(
      "planted rules",
      primitiveNames.filter((op) => primitives[op].arity !== 0),
      15,
    ),
  )("and no planted vjp of %s is", (op) => {
    expect(survivors(op)).toEqual([]);
    expect(plantedRules[op]).not.toEqual([]);
  });
});
