import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkGraph,
  type Derived,
  derive,
  deriveByTransposition,
  type Graph,
  InvariantError,
  type Issue,
  isSameShape,
  type NeedOf,
  nodeId,
  type PrimitiveAttributes,
  type PrimitiveName,
  primitiveNames,
  primitives,
  type Result,
} from "../../spec/index.ts";
import { formal } from "../algebras/formal.ts";
import { modularOperations as field, type Residue } from "../algebras/modular.ts";
import { type Context, entry } from "../context.ts";
import type { Environment } from "../environment.ts";
import { interpret } from "../interpret.ts";
import { evaluate } from "../sweep.ts";
import { type Tensor, zeros } from "../tensor.ts";
import { jvpOf, type RuleOf, resultShape, vjpOf } from "./apply.test.kit.ts";
import { type PlantedRule, plantedRules } from "./planted/index.ts";
import { rules } from "./rules.ts";
import { environments, tensors, typings } from "./typings.test.kit.ts";

/** An operator at a point, with a direction and a cotangent; and its one-node graph. */
interface Question<A> {
  readonly graph: Graph;
  readonly attributes: A;
  readonly x: Context<Residue>;
  readonly xDot: Context<Residue>;
  readonly c: Tensor<Residue>;
  readonly environment: Environment<Residue>;
}

function succeeded<T>(result: Result<T, Issue[]>): T {
  if (!result.ok) throw new InvariantError(JSON.stringify(result.error));
  return result.value;
}

function questions<K extends PrimitiveName>(op: K): fc.Arbitrary<Question<PrimitiveAttributes[K]>> {
  const arbitrary: (typeof typings)[K] = typings[op];
  return arbitrary.chain((drawn) => {
    const { attributes, operands, environment } = drawn;
    const inputs = operands.map((shape, place) => ({ name: `x${place}`, shape }));
    const nodes = [{ op, attributes, parents: [...operands.keys()] }];
    return fc.record({
      graph: fc.constant(succeeded(checkGraph({ format: "adjudge.graph.v1", inputs, environment, nodes }))),
      attributes: fc.constant(attributes),
      x: fc.tuple(...operands.map(tensors)),
      xDot: fc.tuple(...operands.map(tensors)),
      c: tensors(resultShape(op, attributes, operands, environment)),
      environment: environments(drawn),
    });
  });
}

/** Evaluates a derived graph's results at a point, followed by its seeds. */
function resultsOf({ graph, results }: Derived, point: Context<Residue>, environment: Environment<Residue>) {
  const values = evaluate(succeeded(interpret(graph, formal)), point, environment);
  return results.map((id) => entry(values, id));
}

function isSame(a: Context<Residue>, b: Context<Residue>): boolean {
  return a.every((x, place) => {
    const y = entry(b, nodeId(place));
    return isSameShape(x.shape, y.shape) && x.data.every((element, i) => element === y.data[i]);
  });
}

/** Tells whether a rule's cotangents equal those of the graphs, by both ways to derive one. */
function cotangentsAgree<K extends PrimitiveName>(op: K, rule: RuleOf<K>): fc.IProperty<[unknown]> {
  return fc.property(questions(op), ({ graph, attributes, x, c, environment }) => {
    const bars = vjpOf(rule, { op, attributes, environment }, formal, x, c);
    const wanted = x.map((operand, place) => bars[place] ?? zeros(field, operand.shape));
    const asked = { of: [nodeId(x.length)], wrt: x.map((_, place) => nodeId(place)) };
    const ways = [derive(graph, { mode: "vjp", ...asked }), deriveByTransposition(graph, asked)];
    return ways.every((way) => isSame(resultsOf(succeeded(way), [...x, c], environment), wanted));
  });
}

function tangentsAgree<K extends PrimitiveName>(op: K): fc.IProperty<[unknown]> {
  return fc.property(questions(op), ({ graph, attributes, x, xDot, environment }) => {
    const wanted = jvpOf(rules[op], { op, attributes, environment }, formal, x, xDot);
    const wrt = x.map((_, place) => nodeId(place));
    const derived = succeeded(derive(graph, { mode: "jvp", of: [nodeId(x.length)], wrt }));
    return isSame(resultsOf(derived, [...x, ...xDot], environment), [wanted]);
  });
}

/** The planted rules of an operator whose cotangents nothing tells from the graph's. */
function survivors<K extends PrimitiveName>(op: K): string[] {
  const planted: readonly PlantedRule<NeedOf[K], PrimitiveAttributes[K]>[] = plantedRules[op];
  const right: RuleOf<K> = rules[op];
  return planted.flatMap(({ name, vjp }) =>
    fc.check(cotangentsAgree(op, { ...right, vjp }), { seed: 42, numRuns: 200 }).failed ? [] : [name],
  );
}

describe("the derivative of an operator as a graph is the reference's, to equality", () => {
  test.each(primitiveNames)("%s: its cotangents, by rules and by transposition", (op) => {
    fc.assert(cotangentsAgree(op, rules[op]), { seed: 42, numRuns: 60 });
  });

  test.each(primitiveNames)("%s: its tangents", (op) => {
    fc.assert(tangentsAgree(op), { seed: 42, numRuns: 60 });
  });

  test.each(primitiveNames.filter((op) => primitives[op].arity !== 0))("%s: and no planted rule's", (op) => {
    expect(survivors(op)).toEqual([]);
  });
});
