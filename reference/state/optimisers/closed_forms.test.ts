import { describe, expect, test } from "vitest";
import { type Algebra, at, checkProgram, expand, type Program, program } from "../../../spec/index.ts";
import { type Dual, dual } from "../../algebras/dual.ts";
import { float64 } from "../../algebras/float.ts";
import { type Rational, rational } from "../../algebras/rational.ts";
import { interpret } from "../../interpret.ts";
import { backpropSparse } from "../../sweep.ts";
import type { Tensor } from "../../tensor.ts";
import { execute, record } from "../execute.ts";
import { Session } from "../session.ts";
import { startAt } from "../state.test.kit.ts";
import { minus, plus, q, times } from "./calls.test.kit.ts";
import { adagrad, adam, gradientDescent, momentumDescent, rmsprop } from "./index.ts";

function scalar<S>(x: S): Tensor<S> {
  return { shape: [], data: [x] };
}

function only<S>(tensor: Tensor<S> | undefined): S {
  return at([...(tensor?.data ?? []).map((x) => ({ x }))], 0).x;
}

/** Returns the parameter after each step on ½ a x², with gradient a x. Each step may have other options. */
function trained<S, B>(
  algebra: Algebra<S, B>,
  optimiser: Program,
  steps: number,
  {
    gradientAt,
    state,
    rates,
  }: {
    readonly gradientAt: (x: S, step: number) => S;
    readonly state: readonly S[];
    readonly rates: (step: number) => readonly S[];
  },
): S[] {
  const checked = checkProgram(JSON.parse(JSON.stringify(optimiser)));
  expect(checked).toEqual({ ok: true, value: optimiser });
  const session = new Session(algebra, optimiser, {
    state: state.map(scalar),
    environment: new Map(),
    generator: { key: [0, 0], drawn: 0 },
  });
  const handle = session.handle("x");
  const path: S[] = [];
  for (let step = 0; step < steps; step++) {
    const x = handle.ok ? session.read(handle.value) : handle;
    if (!x.ok) throw new Error("no parameter");
    const call = session.call([gradientAt(only(x.value), step), ...rates(step)].map(scalar));
    if (!call.ok) throw new Error(JSON.stringify(call.error));
    path.push(only(call.value.state[0]));
  }
  return path;
}

const a = q(3, 2);
const start = q(5);
const rate = q(1, 4);
const momentum = q(2, 3);
const onQuadratic = { gradientAt: (x: Rational) => times(a, x) };

function shown(path: readonly Rational[]): string[] {
  return path.map(rational.format);
}

/** Makes so many steps of a recurrence in two numbers. */
function recurrence(
  steps: number,
  next: (x: Rational, v: Rational, step: number) => readonly [Rational, Rational],
): string[] {
  let [x, v] = [start, q(0)];
  return Array.from({ length: steps }, (_, step) => {
    [x, v] = next(x, v, step);
    return rational.format(x);
  });
}

describe("on a quadratic, over the rationals", () => {
  test("gradient descent is (1 − η a)ᵏ x", () => {
    const path = trained(rational, gradientDescent([]), 8, {
      ...onQuadratic,
      state: [start],
      rates: () => [rate],
    });
    const factor = minus(q(1), times(rate, a));
    let x = start;
    const closed = path.map(() => {
      x = times(factor, x);
      return x;
    });
    expect(shown(path)).toEqual(shown(closed));
  });

  test("momentum, and Nesterov's, are their linear recurrences", () => {
    const given = { ...onQuadratic, state: [start, q(0)], rates: () => [rate, momentum] };
    const heavy = trained(rational, momentumDescent([]), 8, given);
    expect(shown(heavy)).toEqual(
      recurrence(8, (x, v) => {
        const next = plus(times(momentum, v), times(a, x));
        return [minus(x, times(rate, next)), next];
      }),
    );
    const nesterov = trained(rational, momentumDescent([], { isNesterov: true }), 8, given);
    expect(shown(nesterov)).toEqual(
      recurrence(8, (x, v) => {
        const g = times(a, x);
        const next = plus(times(momentum, v), g);
        return [minus(x, times(rate, plus(g, times(momentum, next)))), next];
      }),
    );
    expect(shown(nesterov)).not.toEqual(shown(heavy));
  });

  test("both forms of a velocity agree while the rate stays, and part when it changes", () => {
    for (const isNesterov of [false, true]) {
      const both = (rates: (step: number) => readonly Rational[]): string[][] =>
        (["heavyBall", "scaled"] as const).map((form) =>
          shown(
            trained(rational, momentumDescent([], { form, isNesterov }), 5, {
              ...onQuadratic,
              state: [start, q(0)],
              rates,
            }),
          ),
        );
      const [heavy, scaled] = both(() => [rate, momentum]);
      expect(scaled).toEqual(heavy);
      const [falling, other] = both((step) => [q(1, 4 + step), momentum]);
      expect(other).not.toEqual(falling);
    }
  });

  test("decay into the gradient or beside it is one thing without memory, and two with a velocity", () => {
    const decays = ["coupled", "decoupled"] as const;
    const plain = decays.map((decay) =>
      shown(
        trained(rational, gradientDescent([], { decay }), 5, {
          ...onQuadratic,
          state: [start],
          rates: () => [rate, q(1, 8)],
        }),
      ),
    );
    expect(plain[1]).toEqual(plain[0]);
    const moving = decays.map((decay) =>
      shown(
        trained(rational, momentumDescent([], { decay }), 5, {
          ...onQuadratic,
          state: [start, q(0)],
          rates: () => [rate, q(1, 8), momentum],
        }),
      ),
    );
    expect(moving[1]).not.toEqual(moving[0]);
  });
});

describe("with roots, over float64", () => {
  const gradients = [0.5, -1.25, 3, 0.125, -2, 0.75];
  const gradientAt = (_: number, step: number): number => at([...gradients], step);
  const epsilon = 0.25;

  /** Writes Adam out, as a hand would: `wrong` is what is planted. */
  function byHand(wrong: string, epsilonPlace: "outside" | "inside", isCorrected: boolean): number[] {
    const [eta, beta1, beta2] = [0.1, 0.75, 0.875];
    let [x, m, v, p1, p2] = [2, 0, 0, 1, 1];
    return gradients.map((g, step) => {
      m = m * beta1 + (-beta1 + 1) * (wrong === "moments swapped" ? g * g : g);
      v = v * beta2 + (-beta2 + 1) * (wrong === "moments swapped" ? g : g * g);
      p1 *= wrong === "counts from the second step" && step === 0 ? 1 : beta1;
      p2 *= wrong === "counts from the second step" && step === 0 ? 1 : beta2;
      const divisor = (power: number): number => (isCorrected ? 1 - power : 1);
      const corrected = (y: number, power: number): number =>
        wrong === "correction multiplied" ? y * divisor(power) : y / divisor(power);
      const [mean, square] = [corrected(m, p1), corrected(v, p2)];
      const isInside = wrong === "epsilon elsewhere" ? epsilonPlace === "outside" : epsilonPlace === "inside";
      x -= (eta * mean) / (isInside ? Math.sqrt(square + epsilon) : Math.sqrt(square) + epsilon);
      return x;
    });
  }

  const wrongs = [
    "moments swapped",
    "correction multiplied",
    "counts from the second step",
    "epsilon elsewhere",
  ];

  test.each([
    ["outside", true],
    ["inside", true],
    ["outside", false],
  ] as const)("Adam is its recurrence to the bit, and no other: ε %s, corrected %s", (epsilonPlace, isCorrected) => {
    const path = trained(float64, adam([], { epsilonPlace, isCorrected }), gradients.length, {
      gradientAt,
      state: [2, 0, 0, 1, 1],
      rates: () => [0.1, 0.75, 0.875, epsilon],
    });
    expect(path).toEqual(byHand("", epsilonPlace, isCorrected));
    const planted = isCorrected ? wrongs : wrongs.filter((wrong) => !wrong.startsWith("co"));
    for (const wrong of planted) expect(path).not.toEqual(byHand(wrong, epsilonPlace, isCorrected));
  });

  test("Adagrad and RMSProp, centred or not, are their recurrences to the bit", () => {
    let [x, s] = [2, 0];
    const ada = gradients.map((g) => {
      s += g * g;
      x -= (0.1 * g) / (Math.sqrt(s) + epsilon);
      return x;
    });
    const given = { gradientAt, rates: () => [0.1, epsilon] };
    expect(trained(float64, adagrad([]), 6, { ...given, state: [2, 0] })).toEqual(ada);
    expect(
      trained(float64, adagrad([], { epsilonPlace: "inside" }), 6, { ...given, state: [2, 0] }),
    ).not.toEqual(ada);
    const rho = 0.5;
    let [y, square, mean] = [2, 0, 0];
    const rms = gradients.map((g) => {
      square = square * rho + (-rho + 1) * (g * g);
      mean = mean * rho + (-rho + 1) * g;
      y -= (0.1 * g) / Math.sqrt(square - mean * mean + epsilon);
      return y;
    });
    const centred = rmsprop([], { isCentred: true, epsilonPlace: "inside" });
    const rates = (): number[] => [0.1, rho, epsilon];
    expect(trained(float64, centred, 6, { gradientAt, state: [2, 0, 0], rates })).toEqual(rms);
    let [z, own] = [2, 0];
    const plain = gradients.map((g) => {
      own = own * rho + (-rho + 1) * (g * g);
      z -= (0.1 * g) / (Math.sqrt(own) + epsilon);
      return z;
    });
    expect(trained(float64, rmsprop([]), 6, { gradientAt, state: [2, 0], rates })).toEqual(plain);
    expect(plain).not.toEqual(rms);
  });

  test("decay beside the gradient is not decay through the normalised gradient", () => {
    const paths = (["coupled", "decoupled"] as const).map((decay) =>
      trained(float64, adam([], { decay }), 4, {
        gradientAt,
        state: [2, 0, 0, 1, 1],
        rates: () => [0.1, 0.5, 0.75, 0.875, epsilon],
      }),
    );
    expect(paths[0]).not.toEqual(paths[1]);
    // The first step of AdamW on a zero gradient is decay alone: x − η λ x.
    const still = trained(float64, adam([], { decay: "decoupled" }), 1, {
      gradientAt: () => 0,
      state: [2, 0, 0, 1, 1],
      rates: () => [0.1, 0.5, 0.75, 0.875, epsilon],
    });
    expect(still).toEqual([2 - 0.1 * 0.5 * 2]);
  });
});

describe("a hypergradient", () => {
  const STEPS = 4;

  /** ½ a x² after four steps with momentum, as a program of where it starts, the rate and the momentum. */
  const training = program(({ input, buffer, for_ }) => {
    const [x0, eta, mu] = [input("x0"), input("rate"), input("momentum")];
    const [x, v] = [buffer(x0), buffer(x0.multiply(0))];
    for_(STEPS, () => {
      v.update("multiply", mu);
      v.update("add", x.multiply(1.5));
      x.update("subtract", eta.multiply(v));
    });
    return [x.multiply(x).multiply(0.75)];
  });

  function recorded(mu: Rational): readonly (string | undefined)[] {
    const inputs = [start, rate, mu].map(scalar);
    const recording = record(rational, training, startAt(inputs));
    if (!recording.ok) throw new Error(JSON.stringify(recording.error));
    const { graph, ids } = expand(recording.value.graph);
    const meaning = interpret(graph, rational);
    if (!meaning.ok) throw new Error("no meaning");
    const id = at(ids, at(recording.value.outcome.results, 0));
    const seeds = new Map([[id, scalar(q(1))]]);
    const { environment } = recording.value;
    const cotangents = backpropSparse(rational.additive, meaning.value, inputs, environment, seeds);
    return graph.inputs.map((_, place) => {
      const found = [...cotangents].find(([key]) => key === place)?.[1];
      return found && rational.format(only(found));
    });
  }

  test("through steps without momentum is the closed form: −a² k (1 − η a)²ᵏ⁻¹ x²", () => {
    const factor = minus(q(1), times(rate, a));
    let power = q(1);
    for (let i = 0; i < 2 * STEPS - 1; i++) power = times(power, factor);
    const closed = times(times(times(q(-STEPS), times(a, a)), power), times(start, start));
    expect(recorded(q(0))[1]).toBe(rational.format(closed));
  });

  test("of rate and momentum is what dual numbers say that are overwritten in place", () => {
    const duals = dual(rational);
    const backwards = recorded(momentum);
    for (const place of [0, 1, 2]) {
      const moved = [start, rate, momentum].map(
        (x, i): Tensor<Dual<Rational>> => scalar({ x, xDot: q(i === place ? 1 : 0) }),
      );
      const generator = { key: [0, 0] as const, drawn: 0 };
      const run = execute(duals, training, {
        parameters: moved,
        state: [],
        environment: new Map(),
        generator,
        world: new Map(),
      });
      if (!run.ok) throw new Error(JSON.stringify(run.error));
      expect(rational.format(only(run.value.results[0]).xDot)).toBe(backwards[place]);
    }
  });
});
