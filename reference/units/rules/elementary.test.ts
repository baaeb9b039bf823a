import { describe, expect, test } from "vitest";
import {
  binaryNames,
  type Graph,
  graph,
  nodeId,
  present,
  type UnaryName,
  unaryNames,
  undeclared,
  type Value,
} from "../../../spec/index.ts";
import { dimensionSystem } from "../index.ts";

const powers = [-1, 0, 0.5, 1, 2, 3];

/**
 * Returns the powers of a dimension that a graph's last value may have, where its inputs have the dimension
 * to the power `operand`, and its other values are numbers.
 */
function resultsOf(subject: Graph, operand: number): readonly number[] {
  const system = dimensionSystem(subject, undeclared());
  if (!system.ok) throw new Error(system.error.message);
  const { grids, equations } = system.value;
  const count = subject.inputs.length;
  const unknownOf = (id: number): number => present(grids[system.value.valueOf(nodeId(id))], "a value").first;
  const operands = subject.inputs.map((_, id) => unknownOf(id));
  const result = unknownOf(count + subject.nodes.length - 1);
  return powers.filter((power) => {
    const known = new Map([...operands.map((of) => [of, operand] as const), [result, power]]);
    return equations.every(
      ({ terms }) => terms.reduce((sum, [of, times]) => sum + Number(times) * (known.get(of) ?? 0), 0) === 0,
    );
  });
}

const ofOne = (write: (x: Value) => Value): Graph => graph(({ input }) => write(input("x")));
const applied = (op: UnaryName): Graph => graph(({ input, apply }) => apply(op, {}, [input("x")]));

describe("the dimension of a function's value", () => {
  test.each(unaryNames)("is half its operand's for a root, and else a number's of a number: %s", (op) => {
    expect(resultsOf(applied(op), 0)).toEqual([0]);
    expect(resultsOf(applied(op), 1)).toEqual(op === "sqrt" ? [0.5] : []);
    expect(resultsOf(applied(op), 2)).toEqual(op === "sqrt" ? [1] : []);
  });

  test.each(binaryNames)("is no other than is written here for two operands of one: %s", (op) => {
    const pair = graph(({ input, apply }) => apply(op, {}, [input("x"), input("y")]));
    expect(resultsOf(pair, 0)).toEqual([0]);
    expect(resultsOf(pair, 1)).toEqual({ pow: [], atan2: [0], hypot: [1] }[op]);
  });

  test("is so many times its operand's for a power by a constant", () => {
    for (const exponent of powers)
      expect(
        resultsOf(
          ofOne((x) => x.pow(exponent)),
          1,
        ),
      ).toEqual([exponent]);
  });
});
