import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { referenceConventions } from "../../engines/index.ts";
import type { Case } from "../../oracle/case/case.ts";
import { truthOf } from "../../oracle/truth/case_truth.ts";
import { referenceStandard, type Standard, standardOf } from "../../oracle/truth/standard/standard.ts";
import type { Judgement } from "../../oracle/truth/verdicts/component.ts";
import { type Graph, graph, nodeId, parseFloat64, present, type Shape } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { type Algorithm, floatWith, type Question, type Row } from "./algorithms/algorithm.ts";
import { algorithms, wrongAlgorithms } from "./algorithms/index.ts";
import { campaign, precisions } from "./campaign.ts";

const ofBoth = (list: readonly Algorithm[]) =>
  list.flatMap((algorithm) =>
    precisions.map((dtype) => ({
      algorithm,
      dtype,
      label: `${algorithm.composite}, ${algorithm.name}, ${dtype}`,
    })),
  );

describe("an honest algorithm", () => {
  test.each(sampled("honest", ofBoth(algorithms), 24))("is never accused: $label", ({ algorithm, dtype }) => {
    const { counts, accusations } = campaign(algorithm, dtype, { components: 250, cases: 100, seed: 11 });
    expect(accusations).toEqual([]);
    expect(counts.within).toBeGreaterThan(200);
  });

  test.each(
    sampled("wrong", ofBoth(wrongAlgorithms), 12),
  )("has wrong ones beside it that are caught: $label", ({ algorithm, dtype }) => {
    const orders = { components: 20_000, cases: 1000, seed: 11, accusations: 1 };
    expect(campaign(algorithm, dtype, orders).accused).toBe(1);
  });

  test("is there twice at least for each of the composites that have been accused", () => {
    for (const op of [
      "softmax",
      "logsumexp",
      "scaled_dot_product_attention",
      "layer_norm",
      "batch_norm_train",
      "batch_norm_eval",
      "group_norm",
      "var",
      "mean",
      "cholesky",
      "triangular_solve",
      "inv",
      "det",
      "cumulative_prod",
      "norm",
    ]) {
      expect(algorithms.filter(({ composite }) => composite === op).length, op).toBeGreaterThan(1);
      expect(
        wrongAlgorithms.some(({ composite }) => composite === op),
        op,
      ).toBe(true);
    }
  });
});

/** Makes a case of one composite, its last node; every tangent is 1 by default. */
function caseOf(
  program: Graph,
  operands: readonly Row[],
  cotangent: Row,
  shape: Shape,
  tangents: readonly Row[] = operands.map((x) => x.map(() => 1)),
): Case {
  return {
    graph: program,
    point: {
      inputs: operands.map((x, place) => ({
        shape: present(program.inputs[place], "an input").shape,
        data: Float64Array.from(x),
      })),
      environment: new Map(),
    },
    tangents: tangents.map((x, place) => ({
      shape: present(program.inputs[place], "an input").shape,
      data: Float64Array.from(x),
    })),
    seeds: [
      {
        id: nodeId(program.inputs.length + program.nodes.length - 1),
        cotangent: { shape, data: Float64Array.from(cotangent) },
      },
    ],
  };
}

interface Said {
  readonly value: readonly Judgement[];
  readonly tangent: readonly Judgement[];
  readonly cotangents: readonly (readonly Judgement[])[];
}

/** Judges numbers that an engine of a standard answers. */
function said(
  question: Case,
  answer: { readonly value?: Row; readonly tangent?: Row; readonly cotangents?: readonly Row[] },
  standard: Standard = referenceStandard("float64"),
): Said {
  const truth = truthOf(question, standard);
  const last = nodeId(question.graph.inputs.length + question.graph.nodes.length - 1);
  const judge = (part: "value" | "tangent" | "cotangent", id: number, numbers: Row): Judgement[] =>
    numbers.map((x, i) => present(truth[part](nodeId(id))[i], "a component").judge(x));
  return {
    value: judge("value", last, answer.value ?? []),
    tangent: judge("tangent", last, answer.tangent ?? []),
    cotangents: (answer.cotangents ?? []).map((bar, place) => judge("cotangent", place, bar)),
  };
}

/** Finds the algorithm of a name. */
function named(composite: string, name: string): Algorithm {
  return present(
    algorithms.find((one) => one.composite === composite && one.name === name),
    name,
  );
}

const plain: Omit<Question, "operands" | "tangents" | "cotangent" | "order"> = {
  columns: 1,
  epsilon: 0,
  correction: 0,
  upper: false,
};

/** Judges all numbers that an algorithm answers, along tangents of 1 by default. */
function judged(
  algorithm: Algorithm,
  program: Graph,
  operands: readonly Row[],
  cotangent: Row,
  shape: Shape,
  settings: Partial<Question>,
  dtype: "float64" | "float32" = "float64",
): Set<Judgement> {
  const round = dtype === "float64" ? (x: number) => x : Math.fround;
  const ones = operands.map((x) => x.map(() => 1));
  const order = operands[0]?.length ?? 0;
  const question = { ...plain, order, tangents: ones, ...settings, operands, cotangent };
  const answer = algorithm.answer(floatWith(round), question);
  const asked = caseOf(program, operands, cotangent, shape, question.tangents);
  const all = said(asked, answer, referenceStandard(dtype));
  return new Set([...all.value, ...all.tangent, ...all.cotangents.flat()]);
}

describe("honest results that were accused once", () => {
  const system = (upper: boolean): Graph =>
    graph(({ input }) => input("t", [2, 2]).triangular_solve(input("b", [2, 1]), { upper }));

  test("a triangular system by an inverted diagonal leaves 2.2e-16 of 0", () => {
    const question = caseOf(
      system(true),
      [
        [1, 3, 0, 6.125],
        [3, 6.125],
      ],
      [1, 1],
      [2, 1],
    );
    expect(said(question, { value: [2.220446049250313e-16, 1] }).value).toEqual(["within", "within"]);
    expect(said(question, { value: [1e-13, 1] }).value).toEqual(["outside", "within"]);
  });

  test.each([
    [[2, 3, 4, -99.625], "float64"],
    [[2, 3, 4, 17.625], "float32"],
    [[1, 3, 0, 6.125], "float64"],
  ] as const)("a triangular system of %j in %s", (t, dtype) => {
    for (const upper of [true, false]) {
      for (const b of [
        [3, t[3]],
        [t[0], t[2]],
        [1, 1],
      ]) {
        const engine = named("triangular_solve", "columns, inverted diagonal");
        const settings = { order: 2, upper };
        const found = judged(engine, system(upper), [t, b], [1, -1], [2, 1], settings, dtype);
        expect(found).toEqual(new Set(["within"]));
      }
    }
  });

  test.each([
    ["float64", [-2, -1.5, 1, -0.25, 0.25, -1, -1.75, 0.75, 0.75]],
    ["float64", [-0.5, -1.75, -0.25, 0.75, 0.25, 1.75, 1.5, 0, -1.75]],
    ["float32", [-0.5, -1.75, -0.25, 0.75, 0.25, 1.75, 1.5, 0, -1.75]],
  ] as const)("the tangent of a Cholesky factor in %s along %j", (dtype, aDot) => {
    const a = [0.5625, -1.875, -0.09375, -1.875, 6.265625, 0.140625, -0.09375, 0.140625, 4.15625];
    const program = graph(({ input }) => input("a", [3, 3]).cholesky({ upper: false }));
    const settings = { order: 3, tangents: [aDot] };
    for (const engine of algorithms.filter(({ composite }) => composite === "cholesky")) {
      const found = judged(engine, program, [a], [1, 2, 3, 4, 5, 6, 7, 8, 9], [3, 3], settings, dtype);
      expect(found, engine.name).toEqual(new Set(["within"]));
    }
  });

  const meanOf = (n: number): Graph =>
    graph(({ input }) => input("x", [n]).mean({ axes: [0], keepdims: false }));

  test("a running mean that is off by a last digit where the sum is exact", () => {
    const question = caseOf(meanOf(4), [[-1.125, -0.75, -2.75, 0.75]], [1], []);
    expect(said(question, { value: [-0.9687499999999999] }).value).toEqual(["within"]);
    expect(said(question, { value: [-0.96874999999999] }).value).toEqual(["outside"]);
  });

  test("a mean that multiplies by 1/n, and is not 0 where the sum is", () => {
    const x = [0.75, -0.25, 1.75, 1.5, -2, 0, -1.75];
    const found = judged(named("mean", "times 1/n first"), meanOf(7), [x], [3], [], {}, "float32");
    expect(found).toEqual(new Set(["within"]));
  });

  test("a cotangent of a mean, c times 1/n, where c/n is a number", () => {
    const n = 49;
    expect(n * (1 / n)).not.toBe(1);
    const question = caseOf(meanOf(n), [Array.from({ length: n }, (_, i) => i)], [n], []);
    const answer = (bar: number): Judgement[] =>
      said(question, { cotangents: [Array.from({ length: n }, () => bar)] }).cotangents.flat();
    expect(new Set(answer(n * (1 / n)))).toEqual(new Set(["within"]));
    expect(new Set(answer(1 + 1e-14))).toEqual(new Set(["outside"]));
  });

  test.each([1e-5, 2 ** -10])("layer_norm, fused, near 1000 with epsilon %d", (epsilon) => {
    const program = graph(({ input }) =>
      input("x", [4]).layer_norm(input("scale", [4]), input("offset", [4]), { axes: [0], epsilon }),
    );
    const operands = [
      [1000.125, 1000.25, 1000.5, 1000],
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ];
    for (const engine of algorithms.filter(({ composite }) => composite === "layer_norm")) {
      const found = judged(engine, program, operands, [1, -2, 3, 0.5], [4], { epsilon });
      expect(found, engine.name).toEqual(new Set(["within"]));
    }
  });

  test.each(
    sampled(
      "norms",
      ofBoth(algorithms.filter(({ composite }) => /^(?:layer_norm|batch_norm_train)$/.test(composite))),
      8,
    ),
  )("equal elements without ε: $label", ({ algorithm, dtype }) => {
    const found = new Set<Judgement>();
    for (const n of [1, 2, 3, 4, 5, 8]) {
      const isLayer = algorithm.composite === "layer_norm";
      const [factors, shape] = isLayer ? [n, [n]] : [1, [n, 1]];
      const program = graph(({ input }) => {
        const [x, scale, offset] = [input("x", shape), input("scale", [factors]), input("offset", [factors])];
        if (isLayer) x.layer_norm(scale, offset, { axes: [0], epsilon: 0 });
        else x.batch_norm_train(scale, offset, { axis: 1, epsilon: 0 });
      });
      const row = (count: number, of: (i: number) => number): Row =>
        Array.from({ length: count }, (_, i) => of(i));
      for (const x of [0, 3, -1.5, 0.375, 1001, -4095, 0.1].map((one) =>
        dtype === "float32" ? Math.fround(one) : one,
      )) {
        const operands = [row(n, () => x), row(factors, (i) => i - 0.5), row(factors, () => 1)];
        for (const c of [row(n, () => 1), row(n, (i) => (i % 2 === 0 ? 1.5 : -2))]) {
          for (const verdict of judged(algorithm, program, operands, c, shape, { order: n }, dtype))
            found.add(verdict);
        }
      }
    }
    expect(found).not.toContain("outside");
  });

  test("the slope of logsumexp as exp(x − value), near 1000", () => {
    const program = graph(({ input }) => input("x", [3]).logsumexp({ axes: [0], keepdims: false }));
    for (const x of [
      [1000, 1000.5, 999.25],
      [1000, 1001, 1002],
    ]) {
      const engine = named("logsumexp", "two passes, slope exp(x − value)");
      expect(judged(engine, program, [x], [1], [], {})).toEqual(new Set(["within"]));
      // The size of x costs the digits, so near 0 they must be there.
      const asked = { ...plain, order: 3, tangents: [[1, 1, 1]], cotangent: [1] };
      const moved = (by: number): Said => {
        const shifted = x.map((a) => a - by);
        const { cotangents } = engine.answer(
          floatWith((a) => a),
          { ...asked, operands: [shifted] },
        );
        const wrong = cotangents.map((bar) => bar.map((a) => a * (1 + 3e-14)));
        return said(caseOf(program, [shifted], [1], []), { cotangents: wrong });
      };
      expect(moved(0).cotangents.flat()).not.toContain("outside");
      expect(moved(1000).cotangents.flat()).not.toContain("within");
    }
  });

  test("copysign at 0, for an engine that has kinks of its own", () => {
    const program = graph(({ input }) => input("x").copysign(input("y")));
    const conventions = { ...referenceConventions, compositeKinks: "own" } as const;
    const own = standardOf({ conventions, accuracy: {} }, "float64");
    for (const y of [2, -2]) {
      for (const slope of [1, -1, 0]) {
        const answer = { tangent: [slope], cotangents: [[slope], [0]] };
        const question = caseOf(program, [[0], [y]], [1], []);
        const found = said(question, answer, own);
        expect([found.tangent, ...found.cotangents]).toEqual([["within"], ["within"], ["within"]]);
        const held = said(question, answer).tangent;
        expect(held).toEqual([slope === 0 ? "within" : "outside"]);
        expect(said(question, { tangent: [3] }, own).tangent).toEqual(["outside"]);
      }
    }
  });

  test("what a kink with slope 0 makes of an infinite cotangent: nothing, or 0 · ∞", () => {
    const question = caseOf(
      graph(({ input }) => {
        const x = input("x");
        x.copysign(x).reciprocal();
      }),
      [[0]],
      [1],
      [],
    );
    expect(said(question, { cotangents: [[Number.NaN]] }).cotangents).toEqual([["undecided"]]);
    expect(said(question, { cotangents: [[0]] }).cotangents).toEqual([["undecided"]]);
  });

  test("kl_div at 0 has no derivative by y: 0, infinite, or NaN; a tangent by y has none either", () => {
    const program = graph(({ input }) => input("x", [2]).kl_div(input("y", [2])));
    const question = caseOf(
      program,
      [
        [-1, -2],
        [0, 0.5],
      ],
      [1],
      [],
    );
    const [free, held] = [Number.NaN, Math.log(0.5) + 1 + 2];
    for (const y of [free, 0, Number.NEGATIVE_INFINITY]) {
      const found = said(question, {
        cotangents: [
          [0, -0.25],
          [y, held / 2],
        ],
      }).cotangents;
      expect(found).toEqual([
        ["within", "within"],
        [y === 0 ? "within" : "undecided", "within"],
      ]);
    }
    expect(
      said(question, {
        cotangents: [
          [Number.NaN, -0.25],
          [0, 3],
        ],
      }).cotangents,
    ).toEqual(
      [
        ["outside", "within"],
        ["undecided", "outside"],
      ].map((row, place) => (place === 0 ? row : ["within", "outside"])),
    );
  });
});

describe("a row whose mean is a thousand times its spread, normalised in float32", () => {
  const epsilon = 1e-5;
  const programOf = (n: number): Graph =>
    graph(({ input }) =>
      input("x", [n]).layer_norm(input("scale", [n]), input("offset", [n]), { axes: [0], epsilon }),
    );
  const random = new Random(xoroshiro128plus(7));
  const rows = Array.from({ length: 100 }, () =>
    Array.from({ length: random.nextInt(3, 8) }, () => Math.fround(1000 + 2 * random.nextDouble() - 1)),
  );
  const row = (x: Row, of: number): Row => x.map(() => of);

  /** Returns, for each element of each row, the error of an algorithm's value by its bound. */
  function shares(algorithm: Algorithm): number[] {
    return rows.flatMap((x) => {
      const operands = [x, row(x, 1), row(x, 0)];
      const truth = truthOf(caseOf(programOf(x.length), operands, row(x, 1), [x.length]), held);
      const asked = {
        ...plain,
        epsilon,
        order: x.length,
        tangents: operands,
        cotangent: row(x, 1),
        operands,
      };
      const { value } = algorithm.answer(floatWith(Math.fround), asked);
      return truth.value(nodeId(3)).map(({ allowed, bound }, i) => {
        return Math.abs((value[i] ?? Number.NaN) - (parseFloat64(allowed) ?? Number.NaN)) / bound;
      });
    });
  }

  const held = referenceStandard("float32");
  const normalised = (list: readonly Algorithm[]): readonly Algorithm[] =>
    list.filter(({ composite }) => composite === "layer_norm");

  test("has a bound that is at most 20 times what the best algorithm loses", () => {
    const lost = normalised(algorithms).map((algorithm) => Math.max(...shares(algorithm)));
    expect(Math.min(...lost)).toBeGreaterThan(1 / 20);
    expect(Math.max(...lost)).toBeLessThan(1);
  });

  test("has a bound that grows with its condition, and not with the square of that, in float64 too", () => {
    const share = (mean: number): number => {
      const x = [mean - 1, mean + 0.25, mean + 1];
      const question = caseOf(programOf(3), [x, row(x, 1), row(x, 0)], row(x, 1), [3]);
      const { value, tangent, cotangent } = truthOf(question, referenceStandard("float64"));
      const bounds = [value(nodeId(3)), tangent(nodeId(3)), cotangent(nodeId(0))].flat();
      return Math.max(...bounds.map(({ bound }) => bound)) / mean;
    };
    for (const mean of [1e4, 1e6, 1e8]) expect(share(mean) / share(1e3)).toBeLessThan(2);
    expect(share(1e8) * 1e8).toBeLessThan(1e-5);
  });

  test.each(
    normalised(wrongAlgorithms).map((algorithm) => ({ algorithm, label: algorithm.name })),
  )("is told if it is computed so: $label", ({ algorithm }) => {
    expect(shares(algorithm).some((share) => share > 1)).toBe(true);
  });
});

describe("what follows from the definition", () => {
  test("the operand that maximum does not choose is handed nothing, also where 0/0 is downstream", () => {
    const program = graph(({ input }) => {
      const [y, x, z] = [input("y"), input("x"), input("z")];
      y.divide(x.maximum(z));
    });
    const question = caseOf(program, [[0], [0], [-1]], [1], []);
    const answer = (z: number): Said => said(question, { cotangents: [[], [Number.NaN], [z]] });
    expect(answer(0).cotangents).toEqual([[], ["undecided"], ["within"]]);
    expect(answer(Number.NaN).cotangents).toEqual([[], ["undecided"], ["outside"]]);
  });

  test("so many digits are asked of a composite as its conditions leave", () => {
    const program = graph(({ input }) => input("x", [3]).var({ axes: [0], keepdims: false, correction: 0 }));
    const bound = (x: Row): number =>
      present(
        truthOf(caseOf(program, [x], [1], []), referenceStandard("float64")).value(nodeId(1))[0],
        "a variance",
      ).bound;
    const near = bound([1, 2, 4]);
    const far = bound([1001, 1002, 1004]);
    expect(far / near).toBeGreaterThan(100);
    // The loss is n u κ, and not the n u κ² that one pass loses.
    expect(far / near).toBeLessThan(2000);
  });
});
