import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { floats } from "../../reference/package.ts";
import { referenceConventions } from "../../spec/contract/index.ts";
import {
  type Algebra,
  binadeOf,
  checkGraph,
  type DataType,
  dataTypes,
  type FlatTensor,
  floatTypes,
  type Graph,
  nodeId,
  type OperatorName,
  type OrderedReal,
  operatorNames,
  present,
} from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import type { Case } from "../case/index.ts";
import { caseAt, chainProfile, exactProfile, scalar20Profile, tensorProfile } from "../generate/index.ts";
import { truthOf } from "./case_truth.ts";
import { algebraOf, judged, sloppy } from "./erring.test.kit.ts";
import { referenceStandard, type Standard, standardOf } from "./standard/standard.ts";

function total(
  profiles: readonly (typeof tensorProfile)[],
  cases: number,
  standard: Standard,
  engine: (standard: Standard) => Algebra<number, boolean>,
): Record<string, number> {
  const algebra = engine(standard);
  const sum = { within: 0, outside: 0, undecided: 0, casesWithOutside: 0 };
  for (const drawn of profiles) {
    for (let index = 0; index < cases; index++) {
      const counts = judged(caseAt(drawn, 5, index), standard, algebra);
      sum.within += counts.within;
      sum.outside += counts.outside;
      sum.undecided += counts.undecided;
      if (counts.outside > 0) sum.casesWithOutside += 1;
    }
  }
  return sum;
}

/** An engine that errs by up to `share` of what its standard allows. */
const erring =
  (share: number) =>
  (standard: Standard): Algebra<number, boolean> =>
    sloppy(standard, new Random(xoroshiro128plus(2024)), share);

describe("the bound", () => {
  const everything = [tensorProfile, exactProfile, scalar20Profile];

  // The narrower the format, the more cases overflow it or have no digit left.
  const standards = [
    { dtype: "float64", cases: 250, open: 0.02 },
    { dtype: "float32", cases: 250, open: 0.02 },
    { dtype: "float16", cases: 250, open: 0.2 },
    { dtype: "bfloat16", cases: 250, open: 0.2 },
  ] as const;

  test.each(
    sampled("standards", standards, 1),
  )("holds for any engine that errs within its standard ($dtype)", ({ dtype, cases, open }) => {
    const counts = total(everything, cases, referenceStandard(dtype), erring(1));
    expect(counts.outside).toBe(0);
    expect(counts.within).toBeGreaterThan(60 * cases);
    expect(counts.undecided ?? 0).toBeLessThan((counts.within ?? 0) * open);
  });

  test.each(
    sampled("data types", dataTypes, 2),
  )("holds for the reference's own arithmetic in %s", (dtype) => {
    const counts = total(everything, 150, referenceStandard(dtype), () => floats[dtype]);
    expect(counts.outside).toBe(0);
    expect(counts.within).toBeGreaterThan(9_000);
  });

  test("holds on long chains too", () => {
    expect(total([chainProfile], 100, referenceStandard("float64"), erring(1)).outside).toBe(0);
  });

  test.each(
    sampled("float types", floatTypes, 1),
  )("catches an engine that errs 64 times as much (%s)", (dtype) => {
    const counts = total([tensorProfile], 500, referenceStandard(dtype), erring(64));
    expect(counts.casesWithOutside).toBeGreaterThan(200);
  });

  test("catches an engine that computes in the next narrower precision", () => {
    for (const [dtype, narrower] of [
      ["float64", "float32"],
      ["float32", "float16"],
      ["float32", "bfloat16"],
    ] as const) {
      const counts = total([tensorProfile], 100, referenceStandard(dtype), () => floats[narrower]);
      expect(counts.casesWithOutside).toBeGreaterThan(40);
    }
  });
});

function typedKeys(accuracy: Standard["accuracy"]): OperatorName[] {
  return operatorNames.filter((name) => name in accuracy);
}

/** Makes the standard that every engine with these declarations is held to. */
const declaring = (accuracy: Standard["accuracy"], dtype: DataType = "float64"): Standard =>
  standardOf({ conventions: referenceConventions, accuracy }, dtype);

describe("a declared accuracy", () => {
  /** The reference in float32 but for one operation, which is off by so many ulps. */
  const coarse = (off: "divide" | "multiply", ulps: number): Algebra<number, boolean> => {
    const real = present(floats.float32.levels.orderedReal, "the reals");
    // An infinity has no ulp: IEEE 754 fixes it.
    const moved = (x: number): number =>
      Number.isFinite(x) ? Math.fround(x + ulps * 2 ** -23 * binadeOf(x)) : x;
    const planted: OrderedReal<number, boolean> = {
      ...real,
      [off]: (x: number, y: number) => moved(real[off](x, y)),
    };
    return algebraOf(planted);
  };
  const drawn = { ...scalar20Profile, nodes: [1, 6] as const };

  test.each([
    ["divide", { divide: 4 }],
    ["multiply", { multiply: 4 }],
  ] as const)("of 4 ulps excuses an engine whose %s is 3 ulps off, and nothing else does", (off, accuracy) => {
    const operators: readonly OperatorName[] = ["constant", "negative", ...typedKeys(accuracy)];
    const profiles = [{ ...drawn, operators }];
    const engine = (): Algebra<number, boolean> => coarse(off, 3);
    const accused = total(profiles, 200, declaring({}, "float32"), engine);
    expect(accused.casesWithOutside).toBeGreaterThan(60);
    const excused = total(profiles, 200, declaring(accuracy, "float32"), engine);
    expect(excused.outside).toBe(0);
    expect(excused.within).toBeGreaterThan(1000);
    const worse = total(profiles, 200, declaring(accuracy, "float32"), () => coarse(off, 64));
    expect(worse.casesWithOutside).toBeGreaterThan(60);
  });

  test("of a sum, a difference or a matrix product widens its value by as much", () => {
    const x = { shape: [1, 2], data: Float64Array.of(1.25, 2.5) };
    const y = { shape: [2, 1], data: Float64Array.of(0.75, 3.5) };
    for (const [op, truth, question] of [
      ["add", 3.75, scalarCase("add", [1.25, 2.5], 1)],
      ["subtract", -1.25, scalarCase("subtract", [1.25, 2.5], 1)],
      ["sum", 3.75, tensorCase("sum", { axes: [1], keepdims: false }, [x])],
      ["matmul", 9.6875, tensorCase("matmul", {}, [x, y])],
    ] as const) {
      const judge = (accuracy: Standard["accuracy"], ulps: number): string => {
        const id = nodeId(question.graph.inputs.length);
        const component = present(truthOf(question, declaring(accuracy)).value(id)[0], "a component");
        return component.judge(truth * (1 + ulps * 2 ** -52));
      };
      expect([judge({}, 0), judge({}, 12), judge({ [op]: 20 }, 12), judge({ [op]: 20 }, 99)]).toEqual([
        "within",
        "outside",
        "within",
        "outside",
      ]);
    }
  });
});

/** One operator applied to scalars. */
function scalarCase(op: string, inputs: readonly number[], cotangent: number): Case {
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: inputs.map((_, i) => ({ name: `x${i}`, shape: [] })),
    environment: [],
    nodes: [{ op, attributes: {}, parents: inputs.map((_, i) => i) }],
  });
  if (!graph.ok) throw new Error(JSON.stringify(graph.error));
  const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });
  const checked: Graph = graph.value;
  return {
    graph: checked,
    point: { inputs: inputs.map(scalar), environment: new Map() },
    tangents: inputs.map(() => scalar(1)),
    seeds: [{ id: nodeId(inputs.length), cotangent: scalar(cotangent) }],
  };
}

/** Returns one operator applied to tensors, with nothing pulled back. */
function tensorCase(
  op: string,
  attributes: Readonly<Record<string, unknown>>,
  inputs: readonly FlatTensor[],
): Case {
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: inputs.map(({ shape }, i) => ({ name: `x${i}`, shape })),
    environment: [],
    nodes: [{ op, attributes, parents: inputs.map((_, i) => i) }],
  });
  if (!graph.ok) throw new Error(JSON.stringify(graph.error));
  return { graph: graph.value, point: { inputs, environment: new Map() }, tangents: inputs, seeds: [] };
}

describe("an engine that writes the tangent of a quotient in its own way", () => {
  const single = referenceStandard("float32");
  const { fround } = Math;
  const up = (x: number): number => x * (1 + 2 ** -24);
  /** ẋ/y − (x ẏ) (1/y)², every operation off by as much as rounding may be, in the directions that add up. */
  const ownWay = (x: number, y: number, xDot: number, yDot: number): number => {
    const reciprocal = up(1 / y);
    return (xDot / y) * (1 - 2 ** -24) - up(up(x * yDot) * up(reciprocal * reciprocal));
  };

  test("is not accused where its terms nearly cancel, unless it errs by more", () => {
    const random = new Random(xoroshiro128plus(77));
    const counts = { within: 0, outside: 0, undecided: 0 };
    let caught = 0;
    for (let draw = 0; draw < 2000; draw++) {
      const [x, y, yDot] = [1, 2, 3].map(() => fround(0.5 + random.nextDouble()));
      if (x === undefined || y === undefined || yDot === undefined) continue;
      const xDot = fround((x / y) * yDot);
      const question = scalarCase("divide", [x, y], 1);
      const tangents = [xDot, yDot].map((t) => ({ shape: [], data: Float64Array.of(t) }));
      const truth = present(truthOf({ ...question, tangents }, single).tangent(nodeId(2))[0], "a component");
      counts[truth.judge(ownWay(x, y, xDot, yDot))] += 1;
      if (truth.judge(ownWay(x, y, xDot, yDot) + 2 ** -16) === "outside") caught += 1;
    }
    expect(counts).toEqual({ within: 2000, outside: 0, undecided: 0 });
    expect(caught).toBeGreaterThan(1500);
  });
});

describe("a single operator", () => {
  const float64 = referenceStandard("float64");
  const cotangentOf = (question: Case, standard: Standard, input: number) =>
    present(truthOf(question, standard).cotangent(nodeId(input))[0], "a component");

  test("has an exact centre where it is rational", () => {
    const truth = truthOf(scalarCase("divide", [1, 3], 1), float64);
    expect(truth.isExact).toBe(true);
    const quotient = present(truth.value(nodeId(2))[0], "a component");
    expect(quotient.expected).toBe("1/3");
    expect(quotient.judge(1 / 3)).toBe("within");
    expect(quotient.judge(1 / 3 + 2 ** -53)).toBe("outside");
    expect(quotient.judge(Number.NaN)).toBe("outside");
    expect(quotient.judge(Number.POSITIVE_INFINITY)).toBe("outside");
  });

  test("has the reference for a centre where it is not", () => {
    const truth = truthOf(scalarCase("exp", [1], 1), float64);
    expect(truth.isExact).toBe(false);
    const e = present(truth.value(nodeId(1))[0], "a component");
    expect(e.judge(Math.E)).toBe("within");
    expect(e.judge(Math.fround(Math.E))).toBe("outside");
    expect(
      present(truthOf(scalarCase("exp", [1], 1), referenceStandard("float32")).value(nodeId(1))[0], "").judge(
        Math.fround(Math.E),
      ),
    ).toBe("within");
  });

  test("leaves alone what is exact, unless the engine declares that it does not round correctly", () => {
    for (const [op, inputs, result] of [
      ["subtract", [1.5, 1], 0.5],
      ["multiply", [0.75, 6], 4.5],
      ["divide", [4.5, 6], 0.75],
      ["sqrt", [2.25], 1.5],
    ] as const) {
      const judge = (standard: Standard, answer: number): string => {
        const truth = truthOf(scalarCase(op, inputs, 1), standard);
        return present(truth.value(nodeId(inputs.length))[0], "a component").judge(answer);
      };
      const next = result * (1 + 2 ** -52);
      expect([judge(float64, result), judge(float64, next)]).toEqual(["within", "outside"]);
      expect(judge(declaring({ [op]: 2 }), next)).toBe("within");
    }
    const tenth = truthOf(scalarCase("divide", [1, 10], 1), float64);
    expect(present(tenth.value(nodeId(2))[0], "a component").bound).toBeGreaterThan(0);
  });

  test("is judged by IEEE 754 where it has no value", () => {
    const INF = Number.POSITIVE_INFINITY;
    const fixed: readonly (readonly [string, readonly number[], number])[] = [
      ["divide", [1, 0], INF],
      ["log", [0], -INF],
      ["sqrt", [-1], Number.NaN],
    ];
    for (const [op, inputs, right] of fixed) {
      const question = scalarCase(op, inputs, 1);
      const component = present(truthOf(question, float64).value(nodeId(inputs.length))[0], "a component");
      for (const answer of [0, 1, Number.MAX_VALUE, Number.NaN, INF, -INF])
        expect(component.judge(answer)).toBe(Object.is(answer, right) ? "within" : "outside");
    }
  });

  test("accuses nobody of a choice between operands one of which is NaN", () => {
    for (const op of ["maximum", "relu"]) {
      const question = scalarCase(op, op === "relu" ? [Number.NaN] : [Number.NaN, 2], 3);
      const last = nodeId(question.graph.inputs.length);
      const truth = truthOf(question, float64);
      const values = op === "relu" ? [0, Number.NaN] : [2, Number.NaN];
      for (const answer of values)
        expect(present(truth.value(last)[0], "").judge(answer)).not.toBe("outside");
      // A convention hands on all, a half or nothing, or NaN of a mask.
      for (const share of [0, 0.5, 1, Number.NaN]) {
        expect(present(truth.tangent(last)[0], "").judge(share)).not.toBe("outside");
        expect(cotangentOf(question, float64, 0).judge(3 * share)).not.toBe("outside");
      }
      for (const answer of [1, 4, -3, Number.POSITIVE_INFINITY])
        expect(cotangentOf(question, float64, 0).judge(answer)).toBe("outside");
    }
  });

  test("is judged by our convention at a tie unless the engine declares another", () => {
    const tie = scalarCase("maximum", [2, 2], 3);
    const ours = [cotangentOf(tie, float64, 0), cotangentOf(tie, float64, 1)];
    expect(ours.map((component) => component.judge(3))).toEqual(["within", "outside"]);
    expect(ours.map((component) => component.judge(1.5))).toEqual(["outside", "outside"]);
    const split = standardOf(
      { conventions: { ...referenceConventions, maximumAtTie: "split" }, accuracy: {} },
      "float64",
    );
    const theirs = [cotangentOf(tie, split, 0), cotangentOf(tie, split, 1)];
    for (const answer of [0, 1.5, 3]) {
      expect(theirs.map((component) => component.judge(answer))).toEqual(["within", "within"]);
    }
    expect(theirs.map((component) => component.judge(3.5))).toEqual(["outside", "outside"]);
  });

  test("is judged exactly at a kink unless the engine declares another convention", () => {
    const kink = scalarCase("relu", [0], 3);
    expect(cotangentOf(kink, float64, 0).judge(3)).toBe("outside");
    const one = standardOf(
      { conventions: { ...referenceConventions, reluAtZero: "one" }, accuracy: {} },
      "float64",
    );
    expect(cotangentOf(kink, one, 0).judge(3)).toBe("within");
    expect(cotangentOf(kink, one, 0).judge(-1)).toBe("outside");
  });

  test("is held to the accuracy that the engine declares", () => {
    const question = scalarCase("exp", [1], 1);
    const far = Math.E * (1 + 100 * 2 ** -52);
    const declared = standardOf({ conventions: referenceConventions, accuracy: { exp: 200 } }, "float64");
    expect(present(truthOf(question, float64).value(nodeId(1))[0], "").judge(far)).toBe("outside");
    expect(present(truthOf(question, declared).value(nodeId(1))[0], "").judge(far)).toBe("within");
  });
});

/** One operator with attributes on a vector of inputs, and no environment. */
function vectorCase(op: string, attributes: object, data: readonly number[]): Case {
  const shape = [data.length];
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: [{ name: "x", shape }],
    environment: [],
    nodes: [{ op, attributes, parents: [0] }],
  });
  if (!graph.ok) throw new Error(JSON.stringify(graph.error));
  const x: FlatTensor = { shape, data: Float64Array.from(data) };
  const point = { inputs: [x], environment: new Map() };
  return { graph: graph.value, point, tangents: [x], seeds: [{ id: nodeId(1), cotangent: x }] };
}

describe("running sums", () => {
  const truth = truthOf(
    vectorCase("cumulative_sum", { axis: 0 }, [1, 2 ** -53, 2 ** -53]),
    referenceStandard("float64"),
  );

  test("may be added in any order, but each of its own terms alone", () => {
    const [first, second, third] = truth.value(nodeId(1));
    // Exactly 1; 1 + 2⁻⁵³, a tie; 1 + 2⁻⁵², or 1 where it is added from the left.
    expect([1, 1 + 2 ** -52].map((answer) => first?.judge(answer))).toEqual(["within", "outside"]);
    expect([1, 1 + 2 ** -52].map((answer) => second?.judge(answer))).toEqual(["within", "within"]);
    expect([1, 1 + 2 ** -52, 1 + 2 ** -50].map((answer) => third?.judge(answer))).toEqual([
      "within",
      "within",
      "outside",
    ]);
  });

  test("so may the sums of their cotangents", () => {
    const [first, , last] = truth.cotangent(nodeId(0));
    expect([1, 1 + 2 ** -52, 1 + 2 ** -50].map((answer) => first?.judge(answer))).toEqual([
      "within",
      "within",
      "outside",
    ]);
    expect([2 ** -53, 0].map((answer) => last?.judge(answer))).toEqual(["within", "outside"]);
  });
});

describe("what jumps", () => {
  const float64 = referenceStandard("float64");
  const elementAt = (question: Case, id: number) =>
    present(truthOf(question, float64).value(nodeId(id))[0], "a component");

  test("is judged exactly where its operands are exact", () => {
    expect([0, 1].map((answer) => elementAt(scalarCase("less", [2, 2], 1), 2).judge(answer))).toEqual([
      "within",
      "outside",
    ]);
    expect([0, 1].map((answer) => elementAt(scalarCase("equal", [2, 2], 1), 2).judge(answer))).toEqual([
      "outside",
      "within",
    ]);
    expect([-2, -1].map((answer) => elementAt(scalarCase("floor", [-1.5], 1), 1).judge(answer))).toEqual([
      "within",
      "outside",
    ]);
  });

  test("hands nothing on, for certain, where it is not", () => {
    const graph = checkGraph({
      format: "adjudge.graph.v1",
      inputs: [{ name: "x", shape: [] }],
      environment: [],
      nodes: [
        { op: "sin", attributes: {}, parents: [0] },
        { op: "less", attributes: {}, parents: [1, 1] },
        { op: "floor", attributes: {}, parents: [1] },
      ],
    });
    if (!graph.ok) throw new Error(JSON.stringify(graph.error));
    const one: FlatTensor = { shape: [], data: Float64Array.of(1) };
    const zero: FlatTensor = { shape: [], data: Float64Array.of(0) };
    const question: Case = {
      graph: graph.value,
      point: { inputs: [zero], environment: new Map() },
      tangents: [one],
      seeds: [2, 3].map((id) => ({ id: nodeId(id), cotangent: one })),
    };
    const truth = truthOf(question, float64);
    for (const id of [2, 3]) {
      expect([0, 1].map((answer) => truth.tangent(nodeId(id))[0]?.judge(answer))).toEqual([
        "within",
        "outside",
      ]);
    }
    expect([0, 1].map((answer) => truth.cotangent(nodeId(0))[0]?.judge(answer))).toEqual([
      "within",
      "outside",
    ]);
  });

  test("is certain of a number and itself, and its negative's negative, and open of a number computed twice", () => {
    const graph = checkGraph({
      format: "adjudge.graph.v1",
      inputs: [{ name: "x", shape: [] }],
      environment: [],
      nodes: [
        { op: "sin", attributes: {}, parents: [0] },
        { op: "sin", attributes: {}, parents: [0] },
        { op: "negative", attributes: {}, parents: [1] },
        { op: "negative", attributes: {}, parents: [3] },
        { op: "less", attributes: {}, parents: [1, 1] },
        { op: "less", attributes: {}, parents: [1, 4] },
        { op: "less", attributes: {}, parents: [1, 2] },
        { op: "less", attributes: {}, parents: [3, 1] },
        { op: "minimum", attributes: {}, parents: [1, 4] },
        { op: "less", attributes: {}, parents: [9, 1] },
      ],
    });
    if (!graph.ok) throw new Error(JSON.stringify(graph.error));
    const at = (x: number) => {
      const point = { inputs: [{ shape: [], data: Float64Array.of(x) }], environment: new Map() };
      const truth = truthOf({ graph: graph.value, point, tangents: [], seeds: [] }, float64);
      return [5, 6, 7, 8, 10].map((id) =>
        [0, 1].map((answer) => truth.value(nodeId(id))[0]?.judge(answer)).join(),
      );
    };
    const [no, yes, open] = ["within,outside", "outside,within", "within,within"];
    expect(at(1)).toEqual([no, no, open, yes, no]);
    // A number without a bound may be NaN, which is what nobody is accused of.
    expect(at(Number.POSITIVE_INFINITY)[0]).not.toBe(yes);
  });

  test("numbers that depend on nothing are as long as an input in exact arithmetic", () => {
    const nodes = [{ op: "full", attributes: { shape: [], value: 0.1 }, parents: [] }];
    const squares = Array.from({ length: 20 }, (_, id) => ({
      op: "multiply",
      attributes: {},
      parents: [id, id],
    }));
    const graph = checkGraph({
      format: "adjudge.graph.v1",
      inputs: [],
      environment: [],
      nodes: [...nodes, ...squares],
    });
    if (!graph.ok) throw new Error(JSON.stringify(graph.error));
    const question: Case = {
      graph: graph.value,
      point: { inputs: [], environment: new Map() },
      tangents: [],
      seeds: [],
    };
    expect(truthOf(question, float64).isExact).toBe(false);
  });
});
