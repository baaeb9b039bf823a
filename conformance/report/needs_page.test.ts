import { expect, test } from "vitest";
import {
  type Context,
  type Environment,
  type EnvironmentValue,
  evaluate,
  float64,
  interpret,
  type Tensor,
} from "../../reference/package.ts";
import { InvariantError, type PrimitiveName, present, primitiveNames, sizeOf } from "../../spec/index.ts";
import { caseOf } from "../runner/smoke/examples.ts";
import { neededBy } from "./needs_page.ts";

/** Draws elements that tell operands apart, zeros and ones among them, others in each turn. */
function numbersOf(shape: readonly number[], turn: number): Tensor<number> {
  const choices = [1, 0, -2, 0.5, 3, 0, 1.25];
  return { shape, data: Array.from({ length: sizeOf(shape) }, (_, i) => choices[(3 * i + turn) % 7] ?? 0) };
}

/** Returns the Δ of a primitive's example. */
function environmentOf(op: PrimitiveName): Environment<number> {
  const { graph, point } = caseOf(op);
  return new Map(
    graph.environment.map(({ name, kind, shape }): [string, EnvironmentValue<number>] => {
      const data = [...present(point.environment.get(name), "an entry").data];
      return [name, kind === "real" ? { kind, tensor: { shape, data } } : { kind, shape, indices: data }];
    }),
  );
}

/** Returns, by operand, the inputs of its cotangent rule that change the result at some point tried. */
function dependencesOf(op: PrimitiveName): (readonly number[] | undefined)[] {
  const environment = environmentOf(op);
  return neededBy(op).pulls.map((pull) => {
    if (pull === undefined) return undefined;
    const { graph, results } = pull;
    const meaning = interpret(graph, float64);
    if (!meaning.ok) throw new InvariantError(JSON.stringify(meaning.error));
    const answerAt = (point: Context<number>): string => {
      const { data } = present(evaluate(meaning.value, point, environment)[results[0] ?? 0], "the result");
      return data.map((x) => (Object.is(x, -0) ? "-0" : String(x))).join();
    };
    return graph.inputs.flatMap((_, place) => {
      const turns = Array.from({ length: 7 }, (_, turn) => turn);
      const matters = turns.some((turn) => {
        const point = graph.inputs.map(({ shape }, id) => numbersOf(shape, turn + 2 * id));
        const other = point.with(
          place,
          numbersOf(present(graph.inputs[place], "an input").shape, turn + 2 * place + 1),
        );
        return answerAt(point) !== answerAt(other);
      });
      return matters ? [place] : [];
    });
  });
}

test.each(primitiveNames)("%s: its cotangents read exactly the values that they depend on", (op) => {
  const { needs } = neededBy(op);
  const count = needs.length;
  const claimed = needs.map(
    (need) =>
      need && [...need.operands, ...(need.value ? [count] : []), ...(need.cotangent ? [count + 1] : [])],
  );
  expect(dependencesOf(op)).toEqual(claimed);
});
