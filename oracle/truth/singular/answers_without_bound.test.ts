import { describe, expect, test } from "vitest";
import { referenceConventions } from "../../../spec/contract/index.ts";
import { type FlatTensor, type NodeId, nodeId, type PrimitiveName, present } from "../../../spec/index.ts";
import type { Case } from "../../case/index.ts";
import { type Component, referenceStandard, standardOf, truthOf } from "../index.ts";

const { NaN: NAN, POSITIVE_INFINITY: INF, MAX_VALUE: MAX } = Number;
const float64 = referenceStandard("float64");

function scalar(x: number): FlatTensor {
  return { shape: [], data: Float64Array.of(x) };
}

/**
 * Returns a chain of nodes without attributes on scalars; the last has the cotangent, inputs the tangents.
 */
function caseOf(
  inputs: readonly number[],
  nodes: readonly (readonly [PrimitiveName, ...number[]])[],
  cotangent = 2,
): Case {
  return {
    graph: {
      format: "adjudge.graph.v1",
      inputs: inputs.map((_, i) => ({ name: `x${i}`, shape: [] })),
      environment: [],
      nodes: nodes.map(([op, ...parents]) => ({ op, attributes: {}, parents: parents.map(nodeId) })),
    } as Case["graph"],
    point: { inputs: inputs.map(scalar), environment: new Map() },
    tangents: inputs.map(() => scalar(cotangent)),
    seeds: [{ id: nodeId(inputs.length + nodes.length - 1), cotangent: scalar(cotangent) }],
  };
}

function only(part: (id: NodeId) => readonly Component[], id: number): Component {
  return present(part(nodeId(id))[0], "a component");
}

function last(question: Case, standard = float64): Component {
  const truth = truthOf(question, standard);
  return only(truth.value, truth.shapes.length - 1);
}

const candidates = [NAN, INF, -INF, MAX, -MAX, 0, 1, -1];

describe("a value that is no finite number", () => {
  test.each<[string, readonly number[], readonly (readonly [PrimitiveName, ...number[]])[], number]>([
    ["∞ − ∞", [INF, INF], [["subtract", 0, 1]], NAN],
    ["∞ + ∞", [INF, INF], [["add", 0, 1]], INF],
    ["0 · ∞", [0, INF], [["multiply", 0, 1]], NAN],
    ["−2 · ∞", [-2, INF], [["multiply", 0, 1]], -INF],
    ["1 / 0", [1, 0], [["divide", 0, 1]], INF],
    ["0 / 0", [0, 0], [["divide", 0, 1]], NAN],
    ["exp 1000", [1000], [["exp", 0]], INF],
    [
      "the angle of sin 1 and NaN",
      [1, 0],
      [
        ["sin", 0],
        ["divide", 1, 1],
        ["atan2", 2, 3],
      ],
      NAN,
    ],
    [
      "−exp 1000",
      [1000],
      [
        ["exp", 0],
        ["negative", 1],
      ],
      -INF,
    ],
    ["10³⁰⁰ · 10³⁰⁰", [1e300], [["multiply", 0, 0]], INF],
    ["log −1", [-1], [["log", 0]], NAN],
    [
      "what is below 0 within its bounds, to the power 1/2",
      [-3, 0.5],
      [
        ["exp", 0],
        ["negative", 2],
        ["pow", 3, 1],
      ],
      NAN,
    ],
    ["log 0", [0], [["log", 0]], -INF],
    [
      "a NaN handed on",
      [NAN, 3],
      [
        ["add", 0, 1],
        ["sin", 2],
        ["divide", 3, 1],
      ],
      NAN,
    ],
    ["pow(0, −3)", [0, -3], [["pow", 0, 1]], INF],
    ["exp −∞", [-INF], [["exp", 0]], 0],
    ["tanh −∞", [-INF], [["tanh", 0]], -1],
    ["atanh 1", [1], [["atanh", 0]], INF],
    ["cos ∞", [INF], [["cos", 0]], NAN],
    ["relu −∞", [-INF], [["relu", 0]], 0],
  ])("is judged as IEEE 754 has it: %s", (_, inputs, nodes, right) => {
    const component = last(caseOf(inputs, nodes));
    for (const answer of candidates)
      expect([answer, component.judge(answer)]).toEqual([
        answer,
        Object.is(answer, right) ? "within" : "outside",
      ]);
  });

  test.each<
    [string, readonly number[], readonly (readonly [PrimitiveName, ...number[]])[], readonly number[]]
  >([
    ["1 / −0", [1, -0], [["divide", 0, 1]], [-INF, INF]],
    [
      "1 / −(0)",
      [1, 0],
      [
        ["negative", 1],
        ["divide", 0, 2],
      ],
      [-INF, INF],
    ],
    ["pow(−0, −3)", [-0, -3], [["pow", 0, 1]], [-INF, INF]],
    [
      "the angle of −0 · 3 twice",
      [-0, 3],
      [
        ["multiply", 0, 1],
        ["atan2", 2, 2],
      ],
      [-Math.PI, Math.PI, 0, -0],
    ],
  ])("is any that zeros of either sign give, if their signs are not declared: %s", (_, inputs, nodes, [
    right,
    ...others
  ]) => {
    const question = caseOf(inputs, nodes);
    const signed = standardOf(
      { conventions: { ...referenceConventions, zeros: "signed" }, accuracy: {} },
      "float64",
    );
    const outside = (standard: typeof signed): readonly number[] =>
      [right ?? NAN, ...others, NAN, MAX, 4].filter((x) => last(question, standard).judge(x) === "outside");
    expect(outside(signed)).toEqual([...others, NAN, MAX, 4]);
    expect(outside(float64)).toEqual([NAN, MAX, 4]);
  });

  test("may be the largest number where the true value is within an engine's error of it", () => {
    const standard = standardOf({ conventions: referenceConventions, accuracy: { exp: 200 } }, "float64");
    const component = last(caseOf([709.782712893384], [["exp", 0]]), standard);
    for (const answer of [INF, MAX]) expect(component.judge(answer)).not.toBe("outside");
    expect(component.judge(1)).toBe("outside");
  });

  test("overflows where the format does, and not before", () => {
    const [wide, narrow] = [float64, referenceStandard("float32")].map((s) =>
      last(caseOf([100], [["exp", 0]]), s),
    );
    expect(wide?.judge(INF)).toBe("outside");
    expect(narrow?.judge(INF)).toBe("within");
  });

  test("is open where an engine may not have rounded yet: a logarithm of what is too large", () => {
    const component = last(
      caseOf(
        [1000],
        [
          ["exp", 0],
          ["log", 1],
        ],
      ),
    );
    expect([INF, 1000].map((answer) => component.judge(answer))).not.toContain("outside");
    expect([NAN, -INF, 1].map((answer) => component.judge(answer))).toEqual([
      "outside",
      "outside",
      "outside",
    ]);
  });

  test.each<[string, readonly number[], PrimitiveName]>([
    ["a maximum with NaN", [NAN, 1], "maximum"],
    ["one to an infinite power", [1, INF], "pow"],
    ["the length of ∞ and NaN", [INF, NAN], "hypot"],
  ])("is open where engines differ: %s", (_, inputs, op) => {
    const component = last(caseOf(inputs, [[op, 0, 1]]));
    expect(component.judge(NAN)).not.toBe("outside");
    expect(component.judge(op === "hypot" ? INF : 1)).not.toBe("outside");
    expect(component.judge(-7)).toBe("outside");
  });

  test("has the sum of infinities of both signs, whatever the order", () => {
    const component = last(
      caseOf(
        [INF, -1e308, -INF],
        [
          ["add", 0, 1],
          ["add", 3, 2],
        ],
      ),
    );
    expect([NAN, INF, -INF, 0].map((answer) => component.judge(answer))).toEqual([
      "within",
      "outside",
      "outside",
      "outside",
    ]);
  });
});

describe("a subnormal number", () => {
  const tiny = caseOf([2 ** -1060, 4], [["divide", 0, 1]]);

  test("is not flushed nor doubled by an engine that declares gradual underflow", () => {
    expect([2 ** -1062, 0, 2 ** -1061].map((answer) => last(tiny).judge(answer))).toEqual([
      "within",
      "outside",
      "outside",
    ]);
  });

  test("may be flushed by one that declares it", () => {
    const standard = standardOf(
      { conventions: { ...referenceConventions, subnormals: "flushed" }, accuracy: {} },
      "float64",
    );
    expect(last(tiny, standard).judge(0)).toBe("within");
  });
});

describe("a large argument", () => {
  test.each([1e5, 123_456.75, 1e15, 1e300])("of sin is judged by the true value: %d", (x) => {
    const component = last(caseOf([x], [["sin", 0]]));
    expect([component.judge(Math.sin(x)), component.judge(Math.sin(x) + 1e-12)]).toEqual([
      "within",
      "outside",
    ]);
  });
});

describe("a slope that only a convention decides", () => {
  test.each<[PrimitiveName, number, number]>([
    ["log", -1, -INF],
    ["acosh", -3, INF],
    ["acosh", -1, INF],
    ["atanh", 2, -INF],
  ])("is the formula's outside a domain too where what comes is infinite: %s at %d", (op, x, slope) => {
    const truth = truthOf(caseOf([x], [[op, 0]], INF), float64);
    for (const part of [only(truth.tangent, 1), only(truth.cotangent, 0)]) {
      for (const answer of [slope, NAN, 0]) expect(part.judge(answer)).not.toBe("outside");
      for (const answer of [1, MAX]) expect(part.judge(answer)).toBe("outside");
    }
  });

  test.each<[string, readonly number[], PrimitiveName, readonly number[], readonly number[]]>([
    ["relu at 0", [0], "relu", [0], [1e9, NAN, 2]],
    ["√ at 0", [0], "sqrt", [INF, 0], [1e9, -INF, NAN]],
    ["log at 0", [0], "log", [INF, 0], [1e9, -INF, NAN]],
    ["acos at 1", [1], "acos", [-INF, 0], [1e9, INF, NAN]],
    ["hypot at the origin", [0, 0], "hypot", [NAN, 0, 2, -2], [1e9, INF, 3]],
    ["atan2 at the origin", [0, 0], "atan2", [NAN, 0], [1e9, INF, 1]],
    ["1/y at 0", [1, 0], "divide", [INF, 0], [1e9, -INF, NAN]],
    ["√ as a power below 0", [-1, 0.5], "pow", [NAN, 0], [1e9, 1, INF]],
    ["√ as a power at 0", [0, 0.5], "pow", [INF, NAN, 0], [1e9, 1]],
    ["log at −1", [-1], "log", [-2, NAN, 0], [1e9, 2, INF]],
    ["atanh at 2", [2], "atanh", [-2 / 3, NAN, 0], [1e9, 2 / 3, INF]],
    ["acosh at −3", [-3], "acosh", [2 / Math.sqrt(8), NAN, 0], [1e9, -2 / Math.sqrt(8), INF]],
    ["acosh at −1", [-1], "acosh", [INF, -INF, NAN, 0], []],
    ["acosh at 1/2", [0.5], "acosh", [NAN, 0], [1e9, 2, INF]],
    ["√ at −1", [-1], "sqrt", [NAN, 0], [1e9, 1, INF]],
    ["sin at ∞", [INF], "sin", [NAN, 0], [1e9, 1, INF]],
    ["x⁰ at 0", [0, 0], "pow", [0], [1e9, 1, NAN, INF]],
    ["x⁰ at NaN", [NAN, 0], "pow", [0, NAN], []],
  ])("may be what engines have chosen, and nothing else: %s", (_, inputs, op, open, wrong) => {
    const question = caseOf(inputs, [[op, ...inputs.keys()]]);
    const component = only(truthOf(question, float64).cotangent, 0);
    for (const answer of open) expect([answer, component.judge(answer)]).not.toContain("outside");
    for (const answer of wrong) expect([answer, component.judge(answer)]).toContain("outside");
  });

  test.each<[string, readonly number[], PrimitiveName, number]>([
    ["√ at 0", [0], "sqrt", INF],
    ["log at −1", [-1], "log", -2],
    ["1/y at 0", [1, 0], "divide", INF],
  ])("is the reference's for who declares its formulas, and another maximum at NaN: %s", (_, inputs, op, slope) => {
    const question = caseOf(inputs, [[op, ...inputs.keys()]]);
    for (const maximumAtNaN of ["nan", "number", "first", "second"] as const) {
      const conventions = { ...referenceConventions, singularPoints: "reference", maximumAtNaN } as const;
      const component = only(
        truthOf(question, standardOf({ conventions, accuracy: {} }, "float64")).cotangent,
        0,
      );
      const wrong = [slope, 0, NAN, 1e9].filter((answer) => component.judge(answer) === "outside");
      expect([maximumAtNaN, wrong]).toEqual([maximumAtNaN, [0, NAN, 1e9]]);
    }
  });

  test("is 1 by the number at a maximum with NaN, where that is what was declared", () => {
    const question = caseOf([NAN, 1], [["maximum", 0, 1]]);
    const conventions = {
      ...referenceConventions,
      singularPoints: "reference",
      maximumAtNaN: "number",
    } as const;
    const truth = truthOf(question, standardOf({ conventions, accuracy: {} }, "float64"));
    expect(only(truth.cotangent, 1).judge(2)).not.toBe("outside");
    expect(only(truth.tangent, 2).judge(2)).not.toBe("outside");
    expect(only(truth.value, 2).judge(NAN)).toBe("outside");
  });

  test("is handed on through what adds and negates", () => {
    const question = caseOf(
      [3, 3],
      [
        ["subtract", 0, 1],
        ["negative", 2],
        ["hypot", 3, 2],
      ],
    );
    const { cotangent } = truthOf(question, float64);
    expect([4.5, 1e9].map((answer) => only(cotangent, 0).judge(answer))).toEqual(["outside", "outside"]);
    expect([0, 3, NAN].map((answer) => only(cotangent, 0).judge(answer))).not.toContain("outside");
  });

  test("is that of 0ʸ at y = 0: none, 0 by convention, or an infinite limit", () => {
    const component = only(truthOf(caseOf([0, 0], [["pow", 0, 1]]), float64).cotangent, 1);
    expect([0, NAN, -INF].map((answer) => component.judge(answer))).not.toContain("outside");
    expect([1e9, -1].map((answer) => component.judge(answer))).toEqual(["outside", "outside"]);
  });

  test("is that of xˣ at 0", () => {
    const tangent = only(truthOf(caseOf([0], [["pow", 0, 0]]), float64).tangent, 1);
    expect([0, NAN, -INF].map((answer) => tangent.judge(answer))).not.toContain("outside");
    expect(tangent.judge(1e9)).toBe("outside");
  });

  test("is what engines have chosen in forward mode too", () => {
    const component = only(truthOf(caseOf([0], [["sqrt", 0]]), float64).tangent, 1);
    expect([INF, 1e9, NAN].map((answer) => component.judge(answer) === "outside")).toEqual([
      false,
      true,
      true,
    ]);
  });
});
