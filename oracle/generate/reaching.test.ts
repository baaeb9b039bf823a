import { expect, test } from "vitest";
import { type OperatorName, operatorNames, operators, shapesOf, sizeOf } from "../../spec/index.ts";
import { at } from "../../spec/shapes/index.ts";
import { randomAt } from "../random/index.ts";
import { caseAt, lengthsProfile, reachProfile } from "./index.ts";
import { type Extent, specialNumber } from "./special.ts";

const CASES = 1200;
const cases = Array.from({ length: CASES }, (_, index) => caseAt(reachProfile, 5, index));

test("cases that follow each other have every operator whose operands there is room for", () => {
  const drawn = new Set<OperatorName>(cases.flatMap(({ graph }) => graph.nodes.map(({ op }) => op)));
  const missed = operatorNames.filter((op) => {
    const { arity } = operators[op];
    return (
      op !== "differentiate" && (typeof arity !== "number" || (arity > 0 && arity < 6)) && !drawn.has(op)
    );
  });
  expect(missed).toEqual([]);
});

test("cases that follow each other have every operator of long axes, on more than 1024 elements", () => {
  const long = new Set<OperatorName>();
  for (let index = 0; index < 400; index++) {
    const { graph } = caseAt(lengthsProfile, 5, index);
    const shapes = shapesOf(graph);
    for (const { op, parents } of graph.nodes)
      if (parents.some((id) => sizeOf(at(shapes, id)) > 1024)) long.add(op);
  }
  const missed = lengthsProfile.operators.filter((op) => operators[op].arity !== 0 && !long.has(op));
  expect(missed).toEqual([]);
});

test("most nodes with operands read inputs or constants alone", () => {
  const alone = cases.flatMap(({ graph: { inputs, nodes } }) =>
    nodes
      .filter(({ parents }) => parents.length > 0)
      .map(({ parents }) =>
        parents.every((id) => id < inputs.length || nodes[id - inputs.length]?.parents.length === 0),
      ),
  );
  expect(alone.filter(Boolean).length).toBeGreaterThan(0.7 * alone.length);
});

test("inputs have numbers of every class and axes up to eight", () => {
  const inputs = cases.flatMap(({ point }) => point.inputs);
  const numbers = inputs.flatMap(({ data }) => [...data]);
  const classes: readonly ((x: number) => boolean)[] = [
    (x) => Object.is(x, -0),
    Number.isNaN,
    (x) => x === Number.POSITIVE_INFINITY,
    (x) => x === Number.NEGATIVE_INFINITY,
    (x) => x !== 0 && Math.abs(x) < 2 ** -1022,
    (x) => Math.abs(x) > 2 ** 511 && Math.abs(x) < 2 ** 516,
    (x) => x < -708 && x > -745,
    (x) => x !== 1 && Math.abs(x - 1) < 2 ** -40,
  ];
  expect(classes.map((holds) => numbers.filter(holds).length > 10)).toEqual(classes.map(() => true));
  expect(new Set(inputs.map(({ shape }) => shape.length)).size).toBe(9);
  const alike = inputs.filter(({ shape, data }) => sizeOf(shape) > 1 && new Set(data).size === 1);
  expect(alike.length).toBeGreaterThan(10);
});

test("where something is eliminated, numbers are short", () => {
  const eliminating = cases.filter(({ graph }) =>
    graph.nodes.some(({ op }) => ["solve", "det", "inv", "cholesky", "triangular_solve"].includes(op)),
  );
  expect(eliminating.length).toBeGreaterThan(5);
  const sizes = eliminating.flatMap(({ point }) => point.inputs.flatMap(({ data }) => [...data]));
  expect(sizes.every((x) => x === 0 || (Math.abs(x) < 2 ** 70 && Math.abs(x) > 2 ** -70))).toBe(true);
});

test.each<Extent>(["short", "finite"])("%s numbers are finite", (extent) => {
  const random = randomAt(1, 1);
  const drawn = Array.from({ length: 2000 }, () => specialNumber(random, extent));
  expect(drawn.filter((x) => !Number.isFinite(x))).toEqual([]);
});
