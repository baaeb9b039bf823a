import { describe, expect, test } from "vitest";
import {
  type DataType,
  type Description,
  type Engine,
  interpreterEngine,
  referenceConventions,
} from "../../engines/index.ts";
import { type FlatTensor, type Graph, graph, nodeId, present, type Value } from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import { caseAt, edgesProfile, kinkProfile } from "../generate/index.ts";
import { ask } from "../hearing/ask.ts";
import { denseEngine } from "./dense_engine.test.kit.ts";
import { survey } from "./survey.ts";

const { NaN: NAN } = Number;

type Inputs = readonly (readonly number[])[];

/** Asks a program of inputs of two elements at a point, along a tangent, with the cotangent 5 at its end. */
function asked(program: Graph, shape: readonly number[], inputs: Inputs, tangents: Inputs): Case {
  const flat = (data: readonly number[]): FlatTensor => ({ shape: [2], data: Float64Array.from(data) });
  const cotangent = { shape, data: new Float64Array(shape.length === 0 ? 1 : 2).fill(5) };
  return {
    graph: program,
    point: { inputs: inputs.map(flat), environment: new Map() },
    tangents: tangents.map(flat),
    seeds: [{ id: nodeId(inputs.length + program.nodes.length - 1), cotangent }],
  };
}

const modeOf = { value: "evaluate", tangent: "jvp", cotangent: "vjp" } as const;

/** Plants NaN at one element: of an input's cotangent, or of the last value or tangent. */
function withNaN(
  at: {
    readonly part: "value" | "tangent" | "cotangent";
    readonly input: number;
    readonly element: number;
  },
  conventions: Partial<Description["conventions"]> = {},
): Engine {
  const inner = interpreterEngine();
  const description = inner.describe();
  const replaced = (tensors: readonly FlatTensor[], place: number): FlatTensor[] =>
    tensors.map(({ shape, data }, id) => ({
      shape,
      data: id === place ? data.with(at.element, NAN) : data,
    }));
  return {
    describe: () => ({
      ...description,
      modes: [modeOf[at.part]],
      conventions: { ...referenceConventions, ...conventions },
    }),
    async load(loaded, dtype) {
      const reply = await inner.load(loaded, dtype);
      if (reply.kind !== "result") return reply;
      const program = reply.value;
      return {
        kind: "result",
        value: {
          ...program,
          async evaluate(...asked) {
            const answer = await program.evaluate(...asked);
            if (answer.kind !== "result") return answer;
            return { kind: "result", value: replaced(answer.value, answer.value.length - 1) };
          },
          async jvp(...asked) {
            const answer = await program.jvp(...asked);
            if (answer.kind !== "result") return answer;
            return { kind: "result", value: replaced(answer.value, answer.value.length - 1) };
          },
          async vjp(...asked) {
            const answer = await program.vjp(...asked);
            return answer.kind === "result"
              ? { kind: "result", value: replaced(answer.value, at.input) }
              : answer;
          },
        },
      };
    },
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

function programOf(write: (x: Value, y: Value) => Value): Graph {
  return graph(({ input }) => {
    write(input("x", [2]), input("y", [2]));
  });
}

/** Tells what both who ask say of NaN at one place. */
async function saidOf(engine: Engine, question: Case): Promise<string> {
  const outcome = await ask(engine, question, "float64", []);
  const surveyed = await survey(engine, question, "float64", []);
  const outside = surveyed.kind === "surveyed" ? surveyed.outside.length : Number.NaN;
  expect(outside > 0).toBe(outcome.kind === "differs");
  return outcome.kind;
}

/** Each hands a zero back at a jump, and is a whole composite without derivative at the first element. */
const composites: readonly (readonly [string, (x: Value, y: Value) => Value, Inputs, number])[] = [
  [
    "sign(huber(x, y)) where x is NaN",
    (x, y) => x.huber(y, { delta: 1 }).sign(),
    [
      [NAN, 1],
      [1, 3],
    ],
    0,
  ],
  [
    "round(kl_div(x, y)) where y is 0",
    (x, y) => x.kl_div(y).round(),
    [
      [1, -1],
      [0, 0.5],
    ],
    1,
  ],
  [
    "floor(sum(copysign(x, y))) where x is infinite",
    (x, y) =>
      x
        .copysign(y)
        .sum({ axes: [0], keepdims: false })
        .floor(),
    [
      [1 / 0, 1],
      [1, 3],
    ],
    0,
  ],
  [
    "sign(norm(x)) where x is 0",
    (x) => x.norm({ axes: [0], keepdims: false }).sign(),
    [
      [0, 0],
      [1, 3],
    ],
    0,
  ],
];

describe("a zero that a dense sweep sends into a composite", () => {
  test.each(composites)("may come out as NaN: %s", async (_name, write, inputs, input) => {
    const question = asked(programOf(write), [], inputs, [
      [1, 1],
      [1, 1],
    ]);
    const engine = withNaN({ part: "cotangent", input, element: 0 });
    expect(await saidOf(engine, question)).toBe("undecided");
  });

  test.each(
    composites,
  )("comes out as 0 where the slope is a number: beside %s", async (_name, write, _, input) => {
    const regular = [
      [0.5, 1],
      [0.25, 3],
    ];
    const question = asked(programOf(write), [], regular, [
      [1, 1],
      [1, 1],
    ]);
    const engine = withNaN({ part: "cotangent", input, element: 0 });
    expect(await saidOf(engine, question)).toBe("differs");
  });

  test("is NaN where the operand is 0, and nowhere beside it", async () => {
    const [, write, inputs] = present(composites[1], "a composite");
    const question = asked(programOf(write), [], inputs, [
      [1, 1],
      [1, 1],
    ]);
    const at = (input: number, element: number) =>
      saidOf(withNaN({ part: "cotangent", input, element }), question);
    expect(await at(1, 0)).toBe("undecided");
    expect(await at(1, 1)).toBe("differs");
    expect(await at(0, 0)).toBe("differs");
  });
});

describe("a zero that a dense sweep of an inner graph sends into a composite", () => {
  const inner = graph(({ input }) => {
    input("x", [2])
      .logsumexp({ axes: [0], keepdims: false })
      .floor();
  });
  const program = graph(({ input, differentiate }) => {
    const attributes = { graph: inner, mode: "vjp", of: nodeId(2), wrt: nodeId(0) } as const;
    differentiate(input("x", [2]), input("c", []), attributes);
  });
  const said = (x: readonly number[], element: number): Promise<string> => {
    const point = { inputs: [vector(x), scalar(3)], environment: new Map() };
    const question: Case = { graph: program, point, tangents: [vector([1, 1]), scalar(1)], seeds: [] };
    return saidOf(withNaN({ part: "value", input: 0, element }), question);
  };
  const vector = (data: readonly number[]): FlatTensor => ({ shape: [2], data: Float64Array.from(data) });
  const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });

  test("may make a NaN of the derivative, which is a value", async () => {
    expect(await said([NAN, 1], 0)).toBe("undecided");
    expect(await said([NAN, 1], 1)).toBe("undecided");
  });

  test("makes none where the inner slope is a number", async () => {
    expect(await said([0.5, 1], 0)).toBe("differs");
  });
});

describe("a zero times an infinite slope behind a tie", () => {
  const program = programOf((x, y) => x.maximum(y).asin().floor());
  const question = asked(
    program,
    [2],
    [
      [-1, 0.5],
      [-1, -1],
    ],
    [
      [1, 1],
      [1, 1],
    ],
  );
  const said = (input: number, element: number, maximumAtTie: Description["conventions"]["maximumAtTie"]) =>
    saidOf(withNaN({ part: "cotangent", input, element }, { maximumAtTie }), question);

  test("may be NaN at the operand to which the reference gives the tie", async () => {
    expect(await said(0, 0, "first")).toBe("undecided");
    expect(await said(1, 0, "first")).toBe("differs");
  });

  test.each(["second", "split", "both"] as const)("may be NaN where an engine declares %s", async (tie) => {
    expect(await said(1, 0, tie)).toBe("undecided");
    expect(await said(0, 1, tie)).toBe("differs");
    expect(await said(1, 1, tie)).toBe("differs");
  });
});

test("an infinite slope that something arrives at is no NaN", async () => {
  const question = asked(
    programOf((x, y) => x.add(y).asin()),
    [2],
    [
      [-1, 0],
      [1, 0],
    ],
    [
      [1, 1],
      [0, 0],
    ],
  );
  expect(await saidOf(withNaN({ part: "cotangent", input: 0, element: 0 }), question)).toBe("differs");
});

describe("the tangent of a power of a negative number", () => {
  const engine = withNaN({ part: "tangent", input: 0, element: 0 });
  const powers = programOf((x, y) => x.pow(y));
  const said = (inputs: Inputs, tangents: Inputs, program = powers) =>
    saidOf(engine, asked(program, [2], inputs, tangents));

  test("may be NaN where the exponent's tangent is a zero that is stored: 0 times ln x", async () => {
    expect(
      await said(
        [
          [-2, 2],
          [3, 3],
        ],
        [
          [1, 1],
          [0, 0],
        ],
      ),
    ).toBe("undecided");
    expect(
      await said(
        [
          [-2, 2],
          [3.5, 3],
        ],
        [
          [1, 1],
          [0, 0],
        ],
        programOf((x, y) => x.pow(y.floor())),
      ),
    ).toBe("undecided");
  });

  test("may not be where the base is positive or 0, or the exponent depends on no input", async () => {
    expect(
      await said(
        [
          [2, 2],
          [3, 3],
        ],
        [
          [1, 1],
          [0, 0],
        ],
      ),
    ).toBe("differs");
    expect(
      await said(
        [
          [0, 2],
          [3, 3],
        ],
        [
          [1, 1],
          [0, 0],
        ],
      ),
    ).toBe("differs");
    const cube = programOf((x) => x.pow(3));
    const held = programOf((x, y) => x.pow(y.stop_gradient()));
    expect(
      await said(
        [
          [-2, 2],
          [3, 3],
        ],
        [
          [1, 1],
          [0, 0],
        ],
        cube,
      ),
    ).toBe("differs");
    expect(
      await said(
        [
          [-2, 2],
          [3, 3],
        ],
        [
          [1, 1],
          [0, 0],
        ],
        held,
      ),
    ).toBe("differs");
  });

  test("is NaN downstream too", async () => {
    const doubled = programOf((x, y) => x.pow(y).multiply(2));
    expect(
      await said(
        [
          [-2, 2],
          [3, 3],
        ],
        [
          [1, 1],
          [0, 0],
        ],
        doubled,
      ),
    ).toBe("undecided");
  });

  /** The power has an inner graph's tangent along it; at one element the power's tangent has no value. */
  const within = (inner: Graph): Graph => {
    const of = nodeId(inner.nodes.length);
    return graph(({ input, differentiate }) => {
      const power = input("x", [2]).pow(input("y", [2]));
      differentiate(power, power, { graph: inner, mode: "jvp", of, wrt: nodeId(0) });
    });
  };
  const itself = graph(({ input }) => {
    input("y", [2]);
  });
  const turned = graph(({ input }) => {
    input("y", [2])
      .relu()
      .slice({ starts: [-1], stops: [-3], steps: [-1] });
  });

  test("is NaN in a derivative of it too, beside an element without a value", async () => {
    const along = [
      [1, 1],
      [0, 1],
    ];
    const [negative, positive] = [
      [-2, -2],
      [2, -2],
    ];
    expect(await said([negative, [3, 3]], along, within(itself))).toBe("undecided");
    expect(await said([positive, [3, 3]], along, within(itself))).toBe("differs");
  });

  test("is NaN where a derivative that chooses moves it, too", async () => {
    const along = [
      [1, 1],
      [1, 0],
    ];
    expect(
      await said(
        [
          [-2, -2],
          [2, 2],
        ],
        along,
        within(turned),
      ),
    ).toBe("undecided");
    expect(
      await said(
        [
          [2, 2],
          [2, 2],
        ],
        along,
        within(turned),
      ),
    ).toBe("differs");
  });
});

describe("an engine that stores every zero and multiplies it", () => {
  const drawn = async (engine: Engine, dtype: DataType, cases: number) => {
    let [judgedNumbers, excused, outside] = [0, 0, 0];
    for (let index = 0; index < cases; index++) {
      const profile = index % 2 === 0 ? edgesProfile : kinkProfile;
      const found = await survey(engine, caseAt(profile, 5, index), dtype, []);
      if (found.kind !== "surveyed") continue;
      judgedNumbers += found.numbers.length;
      excused += found.numbers.filter(({ judgement }) => judgement === "dense").length;
      outside += found.outside.length;
    }
    return { judgedNumbers, excused, outside };
  };

  test.each([
    ["split", "float64"],
    ["both", "float32"],
  ] as const)("is never outside: with ties that it gives to %s, in %s", async (tie, dtype) => {
    const { judgedNumbers, excused, outside } = await drawn(denseEngine(tie), dtype, 2000);
    expect(outside).toBe(0);
    expect(judgedNumbers).toBeGreaterThan(50_000);
    expect(excused).toBeGreaterThan(0);
  });

  test("is outside where it declares the reference's ties and splits them", async () => {
    const splitting = denseEngine("split");
    const lying: Engine = {
      ...splitting,
      describe: () => ({ ...splitting.describe(), conventions: referenceConventions }),
    };
    expect((await drawn(lying, "float64", 400)).outside).toBeGreaterThan(0);
  });
});
