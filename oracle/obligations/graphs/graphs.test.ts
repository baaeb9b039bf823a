import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  type LoopProgram,
  operandsOf,
  shapeOfValue,
  withOperands,
} from "../../../engines/compile/plan/index.ts";
import {
  evaluateTerms,
  integer,
  type ScalarTerm,
  type SymbolicAlgebra,
  symbolic,
} from "../../../reference/package.ts";
import { isSameShape, nodeId, type PrimitiveGraph } from "../../../spec/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { checkpointingObligation, checkpointingOf, copiesIn, wronglyCheckpointed } from "./checkpointing.ts";
import { derivative } from "./differentiate.ts";
import { graphObligations } from "./index.ts";
import { loweredGradient, programTerms } from "./lowered.ts";
import { isSamePolynomial, type Polynomial, polynomialsOf } from "./normal_form.ts";
import { isDecidedEqual, polynomialGraphs, polynomialObligation } from "./polynomials.ts";
import { wrongRules } from "./wrong_rules.ts";

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

/** Draws terms of +, ×, − over x, y, 0 and 1. */
const terms = fc.letrec<{ term: (a: SymbolicAlgebra) => ScalarTerm }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(
      (a: SymbolicAlgebra) => a.variable("x"),
      (a: SymbolicAlgebra) => a.variable("y"),
      (a: SymbolicAlgebra) => a.operations.one,
      (a: SymbolicAlgebra) => a.operations.zero,
    ),
    fc.tuple(tie("term"), tie("term")).map(
      ([p, q]) =>
        (a: SymbolicAlgebra) =>
          a.operations.add(p(a), q(a)),
    ),
    fc.tuple(tie("term"), tie("term")).map(
      ([p, q]) =>
        (a: SymbolicAlgebra) =>
          a.operations.multiply(p(a), q(a)),
    ),
    tie("term").map((p) => (a: SymbolicAlgebra) => a.operations.negative(p(a))),
  ),
})).term;

const at =
  (x: bigint, y: bigint) =>
  (name: string): bigint =>
    name === "x" ? x : y;

function polynomialOf(term: ScalarTerm): Polynomial {
  return polynomialsOf([term])[0] ?? expect.fail("one term has one polynomial");
}

describe("the normal form", () => {
  test("has the value of the term at every point", () => {
    const point = fc.bigInt({ min: -9n, max: 9n });
    fc.assert(
      fc.property(terms, point, point, (make, x, y) => {
        const term = make(symbolic());
        let sum = 0n;
        for (const [monomial, coefficient] of polynomialOf(term)) {
          const factors = monomial === "" ? [] : monomial.split(" ").map(at(x, y));
          sum += factors.reduce((product, factor) => product * factor, coefficient);
        }
        expect([sum]).toEqual(evaluateTerms(integer, [term], { scalar: at(x, y) }));
      }),
      { seed: 8 },
    );
  });

  test("tells (x + y)² from x² + y², and not from x² + 2xy + y²", () => {
    const a = symbolic();
    const [x, y] = [a.variable("x"), a.variable("y")];
    const { add, multiply } = a.operations;
    const square = (z: ScalarTerm): ScalarTerm => multiply(z, z);
    const squares = add(square(y), square(x));
    const cross = multiply(y, add(x, x));
    expect(isSamePolynomial(polynomialOf(square(add(x, y))), polynomialOf(squares))).toBe(false);
    expect(isSamePolynomial(polynomialOf(square(add(x, y))), polynomialOf(add(cross, squares)))).toBe(true);
  });
});

/** Computes `p(x + h) − p(x) − h·slope` at integers: a multiple of h² if the slope is right. */
function remainder(make: (a: SymbolicAlgebra) => ScalarTerm, slopeOf: typeof derivative, h: bigint): bigint {
  const a = symbolic();
  const term = make(a);
  const [slope = 0n] = evaluateTerms(integer, [slopeOf(a, term, a.variable("x"))], { scalar: at(3n, -5n) });
  const [before = 0n] = evaluateTerms(integer, [term], { scalar: at(3n, -5n) });
  const [after = 0n] = evaluateTerms(integer, [term], { scalar: at(3n + h, -5n) });
  return after - before - h * slope;
}

describe("the derivative of a term", () => {
  const isSecondOrder = (slopeOf: typeof derivative): boolean => {
    const h = 1_000_003n;
    return !fc.check(
      fc.property(terms, (make) => remainder(make, slopeOf, h) % (h * h) === 0n),
      { seed: 9, numRuns: 300 },
    ).failed;
  };

  test("leaves nothing of first order", () => {
    expect(isSecondOrder(derivative)).toBe(true);
  });

  test("does so only with the rules right", () => {
    expect(isSecondOrder((a, term, x) => a.operations.negative(derivative(a, term, x)))).toBe(false);
    expect(isSecondOrder((a) => a.operations.zero)).toBe(false);
  });
});

/** Makes the readers of the last value of the first input's shape read the first input instead. */
function misread(program: LoopProgram): LoopProgram {
  const { sources, instructions } = program;
  const isFirst = (value: number): boolean =>
    value >= sources.length &&
    isSameShape(shapeOfValue(program, value), shapeOfValue(program, 0)) &&
    instructions.some((instruction) => operandsOf(instruction).includes(value));
  const from = [...instructions.keys()].map((n) => n + sources.length).findLast(isFirst) ?? 0;
  return {
    ...program,
    instructions: instructions.map((instruction) =>
      withOperands(instruction, (value) => (value === from ? 0 : value)),
    ),
  };
}

/** Reads the first element of the first input in place of the cotangent. */
function deaf(program: LoopProgram): LoopProgram {
  const cotangent = program.sources.findIndex(({ origin }) => origin.kind === "seed");
  return {
    ...program,
    instructions: program.instructions.map((instruction) =>
      withOperands(instruction, (value) => (value === cotangent ? 0 : value)),
    ),
  };
}

describe("fifty polynomial graphs", () => {
  const graphs = polynomialGraphs();

  test("are different, of 6 to 24 nodes, and have every operator", () => {
    expect(new Set(graphs.map((graph) => JSON.stringify(graph))).size).toBe(50);
    const sizes = graphs.map(({ nodes }) => nodes.length);
    expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([6, 24]);
    expect(new Set(graphs.flatMap(({ nodes }) => nodes.map(({ op }) => op)))).toEqual(
      new Set(["add", "multiply", "negative", "sum", "broadcast_to"]),
    );
  });

  test("have the symbolic gradient, by the normal form", () => {
    expect(graphs.filter((graph) => !isDecidedEqual(graph))).toEqual([]);
  });

  test.each(sampled("wrong rules", wrongRules, 3))("tell when $fault", ({ operator, plant }) => {
    const with_ = graphs.filter(({ nodes }) => nodes.some(({ op }) => op === operator));
    const telling = with_.filter((graph) => !isDecidedEqual(graph, plant));
    expect(telling.length).toBeGreaterThan(with_.length / 2);
  });

  test.each<[string, (graph: PrimitiveGraph) => LoopProgram]>([
    ["a loop reads another value", (graph) => misread(loweredGradient(graph))],
    ["the cotangent is not used", (graph) => deaf(loweredGradient(graph))],
  ])("tell when %s in the lowered gradient", (_, lowering) => {
    const telling = graphs.filter((graph) => !isDecidedEqual(graph, undefined, lowering));
    expect(telling.length).toBeGreaterThan(40);
  });

  test("each have a mutant, and every wrong rule is one of some graph", () => {
    const mutants = graphs
      .map(polynomialObligation)
      .map((obligation) => obligation.mutants.map(({ name }) => name));
    expect(mutants.filter((names) => names.length === 0)).toEqual([]);
    expect(new Set(mutants.flat())).toEqual(new Set(wrongRules.map(({ name }) => name)));
  });
});

describe("the gradients of the fifty graphs with little memory", () => {
  const graphs = polynomialGraphs();
  const all = graphs.map(checkpointingOf);

  test("each compute values again, as many as the planner reports, within their budgets", () => {
    for (const checkpointing of all) {
      const { report } = checkpointing;
      expect(report.recomputed).toBeGreaterThan(0);
      expect(copiesIn(checkpointing).length).toBe(report.recomputed);
      expect(report.fits).toBe(true);
      expect(report.peakBytes).toBeLessThan(report.storedBytes);
    }
  });

  test("without a budget are the lowered ones, term for term", () => {
    const a = symbolic();
    for (const [index, graph] of graphs.entries()) {
      const stored = programTerms(all[index]?.stored ?? expect.fail("a plan"), a);
      expect(stored.every((term, n) => term === programTerms(loweredGradient(graph), a)[n])).toBe(true);
    }
  });

  test("are other terms where a copy reads another value, though no more instructions", () => {
    for (const checkpointing of all) {
      const wrong = wronglyCheckpointed(checkpointing) ?? expect.fail("a wrong program");
      const a = symbolic();
      const [got, want] = [programTerms(wrong, a), programTerms(checkpointing.checkpointed, a)];
      expect(got.some((term, n) => term !== want[n])).toBe(true);
      expect(wrong.instructions.length).toBe(checkpointing.checkpointed.instructions.length);
    }
  });

  test("of a graph that has nothing to compute again make no obligation", () => {
    const product: PrimitiveGraph = {
      format: "adjudge.graph.v1",
      inputs: [{ name: "x", shape: [] }],
      environment: [],
      nodes: [{ op: "multiply", attributes: {}, parents: [nodeId(0), nodeId(0)] }],
    };
    expect(() => checkpointingObligation(product, 0)).toThrow("nothing is computed again");
  });
});

describe("the obligations of graphs", () => {
  const obligations = graphObligations().filter(({ id }) => /_0[1-6]$/.test(id));

  test.each(
    sampled("graphs", obligations, 2),
  )("$id is proved, and its mutants are not", async (obligation) => {
    expect((await prove(obligation, solver)).faults).toEqual([]);
  });
});
