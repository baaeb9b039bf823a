import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine } from "../engines/index.ts";
import { type Leveled, type Nesting, nestedRows, soundNesting } from "../engines/nested/index.ts";
import { referenceConventions } from "../spec/contract/index.ts";
import { at, type FlatTensor, type Graph, graph, nodeId, program, type Value } from "../spec/index.ts";
import { type Case, expandCase } from "./case/index.ts";
import { campaign, nestedProfile } from "./generate/index.ts";
import { ask } from "./hearing/ask.ts";
import { askProgram } from "./programs/ask.ts";
import { truthOf } from "./truth/index.ts";
import { standardOf } from "./truth/standard/index.ts";

/** Adds contributions anew with each that arrives, the latest first, where the reference adds it last. */
function latestFirst(): Pick<Nesting, "sum"> {
  const termsOf = new WeakMap<Leveled, readonly Leveled[]>();
  return {
    sum: (before, next, { engine }) => {
      const earlier = termsOf.get(before) ?? [before];
      const sum = earlier.toReversed().reduce((total, term) => engine.add(total, term), next);
      termsOf.set(sum, [...earlier, next]);
      return sum;
    },
  };
}

/** The nested engine, whose tapes add up cotangents in another order, and may do something else wrong. */
function inAnotherOrder(wrong: Partial<Nesting> = {}): Engine {
  const nesting = { ...soundNesting, ...latestFirst(), ...wrong };
  return interpreterEngine("in another order", { composites: nestedRows(nesting) });
}

const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });

/** A case of one value, at 1, along 1. */
function caseOf(written: Graph): Case {
  const { inputs, nodes } = written;
  return {
    graph: written,
    point: { inputs: inputs.map(() => scalar(1)), environment: new Map() },
    tangents: inputs.map(() => scalar(1)),
    seeds: [{ id: nodeId(inputs.length + nodes.length - 1), cotangent: scalar(1) }],
  };
}

/** The sum of what is read of x so often, each time otherwise. */
const readings = (coefficients: readonly number[], read: (x: Value, coefficient: number) => Value): Graph =>
  graph(({ input }) => {
    const x = input("x");
    coefficients.map((coefficient) => read(x, coefficient)).reduce((total, next) => total.add(next));
  });

/** The derivative of a graph's last id by its one input, along a given tangent or cotangent. */
const derivativeOf = (inner: Graph, mode: "jvp" | "vjp"): Graph =>
  graph(({ input, differentiate }) => {
    const of = nodeId(inner.inputs.length + inner.nodes.length - 1);
    differentiate(input("x"), input("c"), { graph: inner, mode, of, wrt: nodeId(0) });
  });

const linear = (coefficients: readonly number[]): Graph => readings(coefficients, (x, c) => x.multiply(c));
const quadratic = (coefficients: readonly number[]): Graph =>
  readings(coefficients, (x, c) => x.multiply(x.multiply(c)));

const standard = standardOf({ conventions: referenceConventions, accuracy: {} }, "float64");
const lastOf = ({ graph: { inputs, nodes } }: Case) => nodeId(inputs.length + nodes.length - 1);

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, place) => ordersOf(items.toSpliced(place, 1)).map((rest) => [item, ...rest]));
}

/** The primitives alone, as an engine is asked that differentiates nothing within a graph. */
const nodesOf = ({ graph: nodes, point, tangents, seeds }: Case): Case => ({
  graph: nodes,
  point,
  tangents,
  seeds,
});

const total = (numbers: readonly number[]): number => numbers.reduce((sum, x) => sum + x, 0);

/** Contributions of many sizes. */
const contributions = fc.array(
  fc
    .tuple(
      fc.integer({ min: -8, max: 54 }),
      fc.integer({ min: 2 ** 30, max: 2 ** 31 }),
      fc.constantFrom(1, -1),
    )
    .map(([shift, digits, sign]) => (sign * digits) / 2 ** (30 + shift)),
  { minLength: 3, maxLength: 5 },
);

const seeded = { seed: 58, numRuns: 60 };

// 1 + s rounds up, and so does that sum plus s; s + s + 1 rounds once.
const s = 2 ** -53 * (1 + 2 ** -20);
const [asWritten, otherwise] = [s + s + 1, 1 + s + s];

describe("contributions that an inner derivative adds up at one id", () => {
  test("may be added in any order by an engine that is asked the derivative, and not by one asked its nodes", () => {
    expect(otherwise).not.toBe(asWritten);
    const asked = caseOf(derivativeOf(linear([1, s, s]), "vjp"));
    const { question: written, ids } = expandCase(asked);
    const whole = truthOf(asked, standard);
    for (const part of ["value", "tangent"] as const) {
      const component = at(whole[part](lastOf(asked)), 0);
      expect([asWritten, otherwise, 1 + 2 ** -50].map((answer) => component.judge(answer))).toEqual([
        "within",
        "within",
        "outside",
      ]);
    }
    const exact = at(truthOf(nodesOf(written), standard).value(at(ids, 2)), 0);
    expect([asWritten, otherwise].map((answer) => exact.judge(answer))).toEqual(["within", "outside"]);
  });

  test("may be added in any order, whatever their sizes; one that is missing is told", () => {
    let missing = 0;
    fc.assert(
      fc.property(contributions, (terms) => {
        const asked = caseOf(derivativeOf(linear(terms), "vjp"));
        const component = at(truthOf(asked, standard).value(lastOf(asked)), 0);
        for (const order of ordersOf(terms)) expect(component.judge(total(order))).toBe("within");
        for (const [place, term] of terms.entries()) {
          if (Math.abs(term) < 2 ** -40 * Math.max(...terms.map(Math.abs))) continue;
          expect(component.judge(total(terms.toSpliced(place, 1)))).toBe("outside");
          missing += 1;
        }
      }),
      seeded,
    );
    expect(missing).toBeGreaterThan(60);
  });

  test("may be so in a derivative within another, and in what moves them", () => {
    for (const mode of ["vjp", "jvp"] as const) {
      const inner = derivativeOf(quadratic([0.5, s / 2, s / 2]), "vjp");
      const outer = graph(({ input, differentiate }) => {
        const one = input("one");
        differentiate(input("x"), one, one, { graph: inner, mode, of: nodeId(2), wrt: nodeId(0) });
      });
      const asked = caseOf(outer);
      const component = at(truthOf(asked, standard).value(lastOf(asked)), 0);
      // Each reading is pulled back twice: 0.5 x (c x) has slopes c x and x c.
      for (const order of ordersOf([1, s, s])) expect(component.judge(total(order))).toBe("within");
      expect(component.judge(1 + 2 ** -48)).toBe("outside");
    }
  });

  test("are not what a program adds up itself, or forward mode: these have one order", () => {
    const own = graph(({ input }) => {
      const x = input("x");
      x.multiply(s).add(x.multiply(s)).add(x).stop_gradient().multiply(x);
    });
    const boundsOf = (written: Graph): readonly [number, number] => {
      const asked = caseOf(written);
      const whole = truthOf(asked, standard).value(lastOf(asked));
      const { question, ids } = expandCase(asked);
      const exact = truthOf(nodesOf(question), standard).value(at(ids, lastOf(asked)));
      return [at(whole, 0).bound, at(exact, 0).bound];
    };
    for (const written of [derivativeOf(linear([s, s, 1]), "jvp"), derivativeOf(own, "vjp")]) {
      const [whole, exact] = boundsOf(written);
      expect(whole).toBe(exact);
    }
    const [whole, exact] = boundsOf(derivativeOf(linear([1, s, s]), "vjp"));
    expect(whole).toBeGreaterThan(exact);
  });
});

describe("an engine that adds contributions in another order", () => {
  test("is accused of nothing in nested graphs, and told what it does wrong", async () => {
    const engine = inAnotherOrder();
    const forgetful = inAnotherOrder({ sum: (_before, next) => next });
    let told = 0;
    for (const question of campaign(nestedProfile, 58, 60)) {
      expect((await ask(engine, question, "float64", [])).kind).not.toBe("differs");
      if ((await ask(forgetful, question, "float64", [])).kind === "differs") told += 1;
    }
    expect(told).toBeGreaterThan(0);
  });

  test.each([
    "a derivative",
    "a call that is differentiated",
  ])("is not accused in %s of a program, and is told where it leaves one out", async (kind) => {
    const written = program(({ input, procedure, derivative, derivedCall, full }) => {
      const along = full({ shape: [], value: 1 });
      const f = procedure("f", [{ name: "u", kind: "value", shape: [] }], (u) => [
        u.multiply(1).add(u.multiply(s)).add(u.multiply(s)),
      ]);
      const x = input("x", []);
      return kind === "a derivative"
        ? [derivative(f, { mode: "vjp", of: 0, wrt: 0 }, x, along)]
        : derivedCall(f, { mode: "vjp", of: [0], wrt: [0], along: [along] }, x);
    });
    const task = {
      case: {
        program: written,
        point: { inputs: [scalar(1)], environment: new Map() },
        generator: { key: [0, 0] as const, drawn: 0 },
        received: new Map(),
        seeds: [],
      },
      calls: [],
    };
    const kinds: string[] = [];
    for (const engine of [interpreterEngine(), inAnotherOrder(), inAnotherOrder({ sum: (_, next) => next })])
      kinds.push((await askProgram(engine, task, "float64")).kind);
    expect(kinds).toEqual(["agrees", "agrees", "differs"]);
  });
});
