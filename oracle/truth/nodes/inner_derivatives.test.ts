import { expect, test } from "vitest";
import { referenceConventions } from "../../../spec/contract/index.ts";
import { at, type FlatTensor, type Graph, graph, nodeId } from "../../../spec/index.ts";
import { truthOf } from "../case_truth.ts";
import { standardOf } from "../standard/standard.ts";

const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });

test("the derivative of y / y may be computed as 1/y − y/y², which rounds, and may not be much else", () => {
  const quotient = graph(({ input }) => {
    const y = input("y");
    return y.divide(y);
  });
  const attributes = { graph: quotient, mode: "jvp", of: nodeId(1), wrt: nodeId(0) } as const;
  const question = {
    graph: graph(({ input, differentiate }) => {
      const x = input("x");
      return differentiate(x, x, attributes);
    }),
    point: { inputs: [scalar(3)], environment: new Map() },
    tangents: [scalar(1)],
    seeds: [{ id: nodeId(1), cotangent: scalar(1) }],
  };
  const standard = standardOf({ conventions: referenceConventions, accuracy: {} }, "float64");
  const value = at(truthOf(question, standard).value(nodeId(1)), 0);
  expect([0, 2 ** -54, -(2 ** -54), 2 ** -48].map((answer) => value.judge(answer))).toEqual([
    "within",
    "within",
    "within",
    "outside",
  ]);
});

test("the exponent y − 1 of a slope is a number that every formula has: the second derivative of a power at 0 is decided", () => {
  const power = graph(({ input }) => {
    const x = input("x");
    return x.pow(input("y"));
  });
  const attributes = { graph: power, mode: "vjp", of: nodeId(2), wrt: nodeId(0) } as const;
  const question = {
    graph: graph(({ input, differentiate }) => {
      const x = input("x");
      const y = input("y");
      return differentiate(x, y, input("c"), attributes);
    }),
    point: { inputs: [scalar(0), scalar(2), scalar(1)], environment: new Map() },
    tangents: [scalar(1), scalar(0), scalar(0)],
    seeds: [{ id: nodeId(3), cotangent: scalar(1) }],
  };
  const standard = standardOf({ conventions: referenceConventions, accuracy: {} }, "float64");
  const truth = truthOf(question, standard);
  expect(at(truth.value(nodeId(3)), 0).judge(0)).toBe("within");
  expect(at(truth.tangent(nodeId(3)), 0).judge(2)).toBe("within");
  for (const wrong of [0, Number.NaN]) expect(at(truth.tangent(nodeId(3)), 0).judge(wrong)).toBe("outside");
});

/**
 * Returns the derivative of the last id of a graph by its first input, at numbers that are all of its
 * operands.
 */
function derivedAt(inner: Graph, numbers: readonly number[], mode: "jvp" | "vjp" = "vjp") {
  const of = nodeId(inner.inputs.length + inner.nodes.length - 1);
  const attributes = { graph: inner, mode, of, wrt: nodeId(0) } as const;
  const question = {
    graph: graph(({ input, differentiate }) => {
      const [first = input("x0"), ...others] = numbers.map((_, place) => input(`x${place}`));
      return differentiate(first, ...others, attributes);
    }),
    point: { inputs: numbers.map(scalar), environment: new Map() },
    tangents: numbers.map(() => scalar(1)),
    seeds: [{ id: nodeId(numbers.length), cotangent: scalar(1) }],
  };
  const conventions = { ...referenceConventions, maximumAtTie: "split", compositeKinks: "own" } as const;
  const truth = truthOf(question, standardOf({ conventions, accuracy: {} }, "float64"));
  return at(truth.value(nodeId(numbers.length)), 0);
}

const arccosine = graph(({ input }) => input("x").acos());

test("the slope of acos may be c / √(1 − x²), as of acos itself, and may not be much else", () => {
  const [x, c] = [0.875, -1.25];
  const value = derivedAt(arccosine, [x, c]);
  const cancelling = -c * (1 / Math.sqrt(1 - x * x));
  expect(cancelling).not.toBe(-c / Math.sqrt((1 - x) * (1 + x)));
  expect(value.judge(cancelling)).toBe("within");
  expect(value.judge(cancelling * (1 + 2 ** -46))).toBe("outside");
});

test("the slope of expm1 may be its value and 1", () => {
  const [x, c] = [-2.125, -4.25];
  const value = derivedAt(
    graph(({ input }) => input("x").expm1()),
    [x, c],
  );
  expect(value.judge(c * (Math.expm1(x) + 1))).toBe("within");
  expect(value.judge(c * (Math.expm1(x) + 1 + 2 ** -44))).toBe("outside");
});

test("the slope of a sigmoid may be σ (1 − σ), which loses what 1 − σ does", () => {
  const x = 7.5;
  const value = derivedAt(
    graph(({ input }) => input("x").sigmoid()),
    [x, 1],
  );
  const y = 1 / (1 + Math.exp(-x));
  const slope = Math.exp(-x) * y * y;
  expect(y * (1 - y)).not.toBe(slope);
  for (const answer of [slope, y * (1 - y), slope * (1 + 2 ** -43)])
    expect(value.judge(answer)).toBe("within");
  expect(value.judge(slope * (1 + 2 ** -38))).toBe("outside");
});

test("what moves the slope of a sigmoid loses what 1 − σ does, too", () => {
  const x = 27;
  const sigmoid = graph(({ input }) => input("x").sigmoid());
  const attributes = { graph: sigmoid, mode: "vjp", of: nodeId(1), wrt: nodeId(0) } as const;
  const question = {
    graph: graph(({ input, differentiate }) => differentiate(input("x"), input("c"), attributes)),
    point: { inputs: [x, 1].map(scalar), environment: new Map() },
    tangents: [1, 0].map(scalar),
    seeds: [{ id: nodeId(2), cotangent: scalar(1) }],
  };
  const truth = truthOf(question, standardOf({ conventions: referenceConventions, accuracy: {} }, "float64"));
  const y = 1 / (1 + Math.exp(-x));
  const cancelling = y * (1 - y) * (1 - 2 * y);
  for (const component of [at(truth.tangent(nodeId(2)), 0), at(truth.cotangent(nodeId(0)), 0)]) {
    expect(component.judge(cancelling)).toBe("within");
    expect(component.judge(cancelling * (1 + 2 ** -7))).toBe("outside");
  }
});

test("of xʸ at x = 0 and a negative y the slope by y may be infinite", () => {
  const power = graph(({ input }) => {
    const y = input("y");
    return y.relu().pow(y);
  });
  expect(derivedAt(power, [-1, 1]).judge(Number.NEGATIVE_INFINITY)).not.toBe("outside");
});

test("of xˣ at 0 nothing is known, as of the power itself: 0 and NaN accuse nobody", () => {
  const power = graph(({ input }) => {
    const x = input("x");
    return x.pow(x);
  });
  const value = derivedAt(power, [0, 1]);
  for (const answer of [0, Number.NaN]) expect(value.judge(answer)).not.toBe("outside");
  // Elsewhere it is known: xˣ (1 + log x).
  expect(derivedAt(power, [1, 1]).judge(0)).toBe("outside");
});

test("what is divided by a derivative at a tie may be any of its choices", () => {
  const larger = graph(({ input }) => input("x").maximum(input("y")));
  const attributes = { graph: larger, mode: "vjp", of: nodeId(2), wrt: nodeId(0) } as const;
  const question = {
    graph: graph(({ input, differentiate }) => {
      const x = input("x");
      const slope = differentiate(x, x, x, attributes);
      return slope.divide(slope);
    }),
    point: { inputs: [scalar(2)], environment: new Map() },
    tangents: [scalar(1)],
    seeds: [{ id: nodeId(2), cotangent: scalar(1) }],
  };
  const conventions = { ...referenceConventions, maximumAtTie: "split", compositeKinks: "own" } as const;
  const standard = standardOf({ conventions, accuracy: {} }, "float64");
  expect(at(truthOf(question, standard).value(nodeId(2)), 0).judge(1)).not.toBe("outside");
});

test("the derivative of a determinant may be det A · tr(A⁻¹ Ȧ), by a factorisation, and may not be much else", () => {
  const order = 2;
  const inner = graph(({ input }) => input("a", [order, order]).det());
  const attributes = { graph: inner, mode: "jvp", of: nodeId(1), wrt: nodeId(0) } as const;
  const matrix: FlatTensor = { shape: [order, order], data: Float64Array.of(2, 3, 4, 5) };
  const question = {
    graph: graph(({ input, differentiate }) => {
      const a = input("a", [order, order]);
      return differentiate(a, a, attributes);
    }),
    point: { inputs: [matrix], environment: new Map() },
    tangents: [matrix],
    seeds: [{ id: nodeId(1), cotangent: scalar(1) }],
  };
  const standard = standardOf({ conventions: referenceConventions, accuracy: {} }, "float64");
  const value = at(truthOf(question, standard).value(nodeId(1)), 0);
  // PyTorch answers the second; −4 + 2⁻³⁰ is nobody's rounding.
  expect([-4, -4.000000000000002, -4 + 2 ** -30].map((answer) => value.judge(answer))).toEqual([
    "within",
    "within",
    "outside",
  ]);
});

test("how the slope of xʸ by x moves at x = y = 0 is not known, and what it is there is: 0", () => {
  const power = graph(({ input }) => input("x").pow(input("y")));
  const attributes = { graph: power, mode: "vjp", of: nodeId(2), wrt: nodeId(0) } as const;
  const question = {
    graph: graph(({ input, differentiate }) => differentiate(input("x"), input("y"), input("c"), attributes)),
    point: { inputs: [0, 0, 1].map(scalar), environment: new Map() },
    tangents: [0, 1, 0].map(scalar),
    seeds: [{ id: nodeId(3), cotangent: scalar(1) }],
  };
  const truth = truthOf(question, standardOf({ conventions: referenceConventions, accuracy: {} }, "float64"));
  expect(at(truth.value(nodeId(3)), 0).judge(Number.NaN)).toBe("outside");
  for (const answer of [0, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(at(truth.tangent(nodeId(3)), 0).judge(answer)).not.toBe("outside");
    expect(at(truth.cotangent(nodeId(1)), 0).judge(answer)).not.toBe("outside");
  }
});

test("a choice that is written as that of a logarithm at 0 may itself be the exponent of a power", () => {
  const power = graph(({ input }) => {
    const x = input("x");
    return x.pow(x.equal(x.multiply(2)).where(x, x.log()));
  });
  // At 0 the choice is open, and what it is the exponent of too.
  expect(derivedAt(power, [0, 1]).judge(Number.NaN)).not.toBe("outside");
  const value = derivedAt(power, [1, 1]);
  // (xˡ)′ for l = log x is 2 l xˡ / x.
  expect([0, 2 ** -40].map((answer) => value.judge(answer))).toEqual(["within", "outside"]);
});
