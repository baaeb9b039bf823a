import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine } from "../../engines/index.ts";
import { withKernel } from "../../engines/mutants/mutant.ts";
import { binaryForward, binaryVjp, unaryForward, unaryVjp } from "../../engines/mutants/rules.ts";
import { type Conventions, present } from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import { ask } from "../hearing/ask.ts";
import { answering, casesOf, declaring } from "./asked_text.test.kit.ts";
import { denseEngine } from "./dense_engine.test.kit.ts";

const { NaN: NAN, POSITIVE_INFINITY: INF } = Number;

const asked: ReadonlyMap<string, Case> = new Map(
  casesOf(`
graph nan_and_choices(x: [2], y: [2])
  r = log(x)
  m = maximum(r, y)
  less = r < y
  z = 2 * m + less
at x = [-1, 2], y = [1, 1]
seed z = [3, 1]

graph rectified(x: [2])
  r = relu(log(x))
  z = 2 * r + 1
at x = [-1, 2]
seed z = [3, 1]

graph overflow(x: [2])
  r = exp(x)
  z = r - r
at x = [1000, 2]
seed z = [1, 1]

graph zero_of_infinity(x: [2])
  z = x * 0
at x = [inf, 2]
seed z = [1, 1]

graph infinite_seed(x: [3], y: [3])
  z = x * y
at x = [1, -2, 3], y = [3, 2, 0]
tangent x = [inf, 1, -inf], y = [1, inf, 1]
seed z = [inf, -inf, 1]

graph infinite_seed_of_a_function(x: [2])
  z = sin(x)
at x = [1, 2]
tangent x = [inf, nan]
seed z = [inf, nan]

graph order(x: [3])
  s = sort(log(x), axis=0, descending=false)
  m = max(log(x))
at x = [-1, 2, 3]
seed m = 1

graph slope_of_nan(x: [2])
  z = sin(log(x))
at x = [-1, 2]
seed z = [3, 1]

graph root(x: [2])
  z = 3 * sqrt(x)
at x = [0, 2]
seed z = [3, 1]

graph jump(x: [2])
  z = floor(log(x))
at x = [0, 2]
seed z = [3, 1]
`),
);

async function outcomeOf(engine: Engine, name: string): Promise<string> {
  const outcome = await ask(engine, present(asked.get(name), "a case"), "float64", [], { atOnce: true });
  return outcome.kind === "undecided" ? `undecided: ${outcome.cause}` : outcome.kind;
}

const maximum = (f: (x: number, y: number) => number): Engine =>
  interpreterEngine("planted", withKernel("maximum", { forward: binaryForward(f) }));
const rectifier = (atNaN: number): Engine =>
  interpreterEngine(
    "planted",
    withKernel("relu", { forward: unaryForward((x) => (0 < x ? x : Number.isNaN(x) ? atNaN : 0)) }),
  );

describe("an engine that declares nothing is told", () => {
  test.each<readonly [string, string, Engine]>([
    ["a maximum over NaN that is 0", "nan_and_choices", maximum((x, y) => (x > y ? x : x <= y ? y : 0))],
    [
      "a comparison with NaN that holds",
      "nan_and_choices",
      interpreterEngine(
        "planted",
        withKernel("less", { forward: binaryForward((x, y) => (x >= y ? 0 : 1)) }),
      ),
    ],
    ["relu of NaN that is 1", "rectified", rectifier(1)],
    [
      "∞ − ∞ that is 0, of an overflow",
      "overflow",
      interpreterEngine(
        "planted",
        withKernel("subtract", { forward: binaryForward((x, y) => (x === y ? 0 : x - y)) }),
      ),
    ],
    [
      "0 · ∞ that is 0",
      "zero_of_infinity",
      interpreterEngine(
        "planted",
        withKernel("multiply", { forward: binaryForward((x, y) => (x === 0 || y === 0 ? 0 : x * y)) }),
      ),
    ],
    [
      "3 · ∞ that is 5",
      "infinite_seed",
      interpreterEngine(
        "planted",
        withKernel("multiply", { vjp: binaryVjp((c, x, y) => [c === INF ? 5 : c * y, c * x]) }),
      ),
    ],
    [
      "∞ times cos 1 that is the largest number",
      "infinite_seed_of_a_function",
      interpreterEngine(
        "planted",
        withKernel("sin", { vjp: unaryVjp((c, x) => (c === INF ? Number.MAX_VALUE : c * Math.cos(x))) }),
      ),
    ],
    [
      "NaN times cos 2 that is 0",
      "infinite_seed_of_a_function",
      interpreterEngine(
        "planted",
        withKernel("sin", { vjp: unaryVjp((c, x) => (Number.isNaN(c) ? 0 : c * Math.cos(x))) }),
      ),
    ],
    [
      "a slope at NaN that is 1",
      "slope_of_nan",
      interpreterEngine(
        "planted",
        withKernel("sin", { vjp: unaryVjp((c, x) => (Number.isNaN(x) ? c : c * Math.cos(x))) }),
      ),
    ],
    [
      "what is sorted and is no element",
      "order",
      answering(interpreterEngine(), "planted", (x, { mode, tensor }) =>
        mode === "evaluate" && tensor === 1 && Number.isNaN(x) ? 0 : x,
      ),
    ],
    [
      "a greatest element that is none",
      "order",
      answering(interpreterEngine(), "planted", (x, { mode, tensor }) =>
        mode === "evaluate" && tensor > 1 && Number.isNaN(x) ? -INF : x,
      ),
    ],
  ])("%s", async (_, name, engine) => {
    expect(await outcomeOf(declaring(engine, {}), name)).toBe("differs");
    expect(await outcomeOf(declaring(interpreterEngine(), {}), name)).not.toBe("differs");
  });

  test("a number behind NaN that it answered itself", async () => {
    const forgetful = answering(rectifier(NAN), "planted", (x, { mode, tensor }) =>
      mode === "evaluate" && tensor === 3 && Number.isNaN(x) ? 0 : x,
    );
    expect(await outcomeOf(declaring(forgetful, {}), "rectified")).toBe("differs");
  });
});

describe("a convention that IEEE 754 leaves open", () => {
  const conventions: readonly (readonly [string, string, Engine, string])[] = [
    ["nan", "nan_and_choices", maximum((x, y) => (x > y ? x : y > x ? y : x + y)), "maximumAtNaN: nan"],
    [
      "number",
      "nan_and_choices",
      maximum((x, y) => (x > y || Number.isNaN(y) ? x : y)),
      "maximumAtNaN: number",
    ],
    ["first", "nan_and_choices", maximum((x, y) => (x < y ? y : x)), "maximumAtNaN: first"],
    ["second", "nan_and_choices", maximum((x, y) => (y < x ? x : y)), "maximumAtNaN: second"],
    ["nan", "rectified", rectifier(NAN), "reluAtNaN: nan"],
    ["zero", "rectified", rectifier(0), "reluAtNaN: zero"],
  ];

  test.each(conventions)("%s in %s accuses nobody, and is named", async (value, name, engine, told) => {
    const said = await outcomeOf(declaring(engine, {}), name);
    expect(said === "agrees" || said.includes(told) ? told : said).toBe(told);
    const field = told.startsWith("relu") ? "reluAtNaN" : "maximumAtNaN";
    const values = field === "reluAtNaN" ? (["nan", "zero"] as const) : maxima;
    for (const declared of values) {
      const outcome = await outcomeOf(declaring(engine, { [field]: declared }), name);
      const isSame = declared === value || (field === "maximumAtNaN" && areAlike(declared, value));
      expect([declared, outcome.startsWith("differs")]).toEqual([declared, !isSame]);
    }
  });

  test("a zero that is stored, or left out, is held to what was declared", async () => {
    const as = (engine: Engine, zeroCotangents: NonNullable<Conventions["zeroCotangents"]>): Engine =>
      declaring(engine, { zeroCotangents });
    const [stored, leftOut] = [denseEngine("first"), interpreterEngine()];
    expect(await outcomeOf(declaring(stored, {}), "jump")).toContain("zeroCotangents: dense");
    expect(await outcomeOf(as(stored, "dense"), "jump")).toBe("agrees");
    expect(await outcomeOf(as(stored, "sparse"), "jump")).toBe("differs");
    expect(await outcomeOf(as(leftOut, "sparse"), "jump")).toBe("agrees");
    const both = declaring(leftOut, { zeroCotangents: "dense", singularPoints: "reference" });
    expect(await outcomeOf(both, "jump")).toBe("differs");
  });

  test("a slope that is masked is told of an engine that declares the reference's", async () => {
    const masked = interpreterEngine(
      "planted",
      withKernel("sqrt", { vjp: unaryVjp((c, x) => (x === 0 ? 0 : c / (2 * Math.sqrt(x)))) }),
    );
    const follows: Partial<Conventions> = { singularPoints: "reference" };
    expect(await outcomeOf(declaring(masked, {}), "root")).toMatch(/^undecided/);
    expect(await outcomeOf(declaring(masked, follows), "root")).toBe("differs");
    expect(await outcomeOf(declaring(interpreterEngine(), follows), "root")).toBe("agrees");
  });
});

const maxima = ["nan", "number", "first", "second"] as const;

/** Of NaN and 1, in this order, `first` is NaN, and `second` the number. */
function areAlike(a: string, b: string): boolean {
  const result = (of: string): string => ({ first: "nan", second: "number" })[of] ?? of;
  return result(a) === result(b);
}
