import { Random } from "fast-check";
import { init } from "gmp-wasm";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { expect, test } from "vitest";
import { present } from "../../spec/index.ts";
import { float64 } from "./float.ts";

const { getContext } = await init();
const real = present(float64.levels.orderedReal, "the reals");

/** MPFR's floats at a precision that leaves dozens of right digits even where a formula below cancels. */
const exact = getContext({ precisionBits: 300 });
type Exact = ReturnType<typeof exact.Float>;
/** The library's declared type of a result. `exact.Float` makes it a number to compute with. */
type Outcome = ReturnType<Exact["exp"]>;
const on = (x: Outcome): Exact => exact.Float(x);

type Draw = (random: Random) => number;
const between =
  (from: number, to: number): Draw =>
  (random) =>
    from + (to - from) * random.nextDouble();
/** Draws numbers of either sign, from 2^from to 2^to, all sizes alike. */
const scaled =
  (from: number, to: number): Draw =>
  (random) =>
    (random.nextInt(0, 1) === 0 ? -1 : 1) * 2 ** between(from, to)(random);
const near =
  (centre: number): Draw =>
  (random) =>
    centre + scaled(-50, -1)(random);

interface Known {
  /** The bound, in units in the last place. */
  readonly ulps: number;
  readonly points: readonly Draw[];
  readonly truth: (x: Exact) => Outcome;
}

/** The error of our functions: V8's own are below 2, with room; `erf` is written here. */
const unary: { readonly [F in Exclude<keyof typeof real, "zero" | "one">]?: Known } = {
  exp: { ulps: 2, points: [between(-700, 700), scaled(-60, 9)], truth: (x) => x.exp() },
  log: { ulps: 2, points: [scaled(-1000, 1000), near(1)], truth: (x) => x.ln() },
  sin: { ulps: 2, points: [between(-10, 10), scaled(-30, 40)], truth: (x) => x.sin() },
  cos: { ulps: 2, points: [between(-10, 10), scaled(-30, 40)], truth: (x) => x.cos() },
  tanh: { ulps: 2, points: [between(-3, 3), scaled(-60, 4)], truth: (x) => x.tanh() },
  sqrt: { ulps: 0.5, points: [scaled(-1000, 1000)], truth: (x) => x.sqrt() },
  expm1: { ulps: 2, points: [between(-50, 700), scaled(-60, 6)], truth: (x) => on(x.exp()).sub(1) },
  log1p: { ulps: 2, points: [between(-1, 1), scaled(-60, 300)], truth: (x) => on(x.add(1)).ln() },
  log2: { ulps: 2, points: [scaled(-1000, 1000), near(1)], truth: (x) => x.log2() },
  tan: { ulps: 2, points: [between(-10, 10), scaled(-30, 40), near(Math.PI / 2)], truth: (x) => x.tan() },
  asin: { ulps: 2, points: [between(-1, 1), near(1), scaled(-60, 0)], truth: (x) => x.asin() },
  acos: { ulps: 2, points: [between(-1, 1), near(1), near(-1)], truth: (x) => x.acos() },
  atan: { ulps: 2, points: [between(-3, 3), scaled(-60, 60)], truth: (x) => x.atan() },
  sinh: { ulps: 2, points: [between(-2, 2), scaled(-60, 9)], truth: (x) => x.sinh() },
  cosh: { ulps: 2, points: [between(-2, 2), scaled(-60, 9)], truth: (x) => x.cosh() },
  asinh: { ulps: 2, points: [between(-5, 5), scaled(-60, 1000)], truth: (x) => x.asinh() },
  acosh: { ulps: 2, points: [between(1, 5), near(1), scaled(0, 1000)], truth: (x) => x.acosh() },
  atanh: { ulps: 2, points: [between(-1, 1), near(1), scaled(-60, 0)], truth: (x) => x.atanh() },
  erf: { ulps: 4, points: [between(-1, 1), between(-6, 6), scaled(-60, 3), near(1)], truth: (x) => x.erf() },
};

/** Returns the distance of a normal float64 from the next larger one. */
function unitOf(y: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(y));
  const here = view.getFloat64(0);
  view.setBigInt64(0, view.getBigInt64(0) + 1n);
  return view.getFloat64(0) - here;
}

/** Returns the largest error of `f` at so many points of each kind, in units in the last place. */
function errorOf(f: (x: number) => number, { points, truth }: Known, count: number): number {
  const random = new Random(xoroshiro128plus(31));
  let largest = 0;
  for (const draw of points) {
    for (let n = 0; n < count; n++) {
      const x = draw(random);
      const y = f(x);
      if (!Number.isFinite(y) || y === 0) continue;
      const error = Math.abs(on(on(truth(exact.Float(x))).sub(y)).toNumber()) / unitOf(y);
      if (error > largest) largest = error;
    }
  }
  return largest;
}

const names = Object.keys(unary).filter((name): name is keyof typeof unary => name in unary);

test.each(names)("%s in float64 is within its units in the last place of MPFR's", (name) => {
  const known = present(unary[name], "a known function");
  const f = present(unaryOf(name), "a function of one operand");
  expect(errorOf(f, known, 1000)).toBeLessThanOrEqual(known.ulps);
  expect(errorOf((x) => f(x) * (1 + 2 ** -48), known, 50)).toBeGreaterThan(known.ulps);
});

function unaryOf(name: string): ((x: number) => number) | undefined {
  const found = Object.entries(real).find(([key]) => key === name)?.[1];
  return typeof found === "function" ? (x) => Number(Reflect.apply(found, undefined, [x])) : undefined;
}

test("hypot, atan2 and pow in float64 are within 2 units in the last place of MPFR's", () => {
  const random = new Random(xoroshiro128plus(32));
  const pi = exact.Pi();
  const truths = {
    hypot: (x: Exact, y: Exact): Outcome => on(on(x.mul(x)).add(y.mul(y))).sqrt(),
    // The first operand is the ordinate.
    atan2: (y: Exact, x: Exact): Outcome => {
      const angle = on(on(y.div(x)).atan());
      return x.sign() > 0 ? angle : y.sign() > 0 ? angle.add(pi) : angle.sub(pi);
    },
    pow: (x: Exact, y: Exact): Outcome => x.pow(y),
  };
  for (const name of ["hypot", "atan2", "pow"] as const) {
    for (let n = 0; n < 2000; n++) {
      const [x, y] = [scaled(-12, 12)(random), scaled(-6, 6)(random)];
      const a = name === "pow" ? Math.abs(x) : x;
      const found = real[name](a, y);
      const error = on(on(truths[name](exact.Float(a), exact.Float(y))).sub(found)).toNumber();
      if (found !== 0 && Number.isFinite(found))
        expect(Math.abs(error)).toBeLessThanOrEqual(2 * unitOf(found));
    }
  }
});

test("erf is odd to the bit, increasing where its method changes, and 1 from 6 on", () => {
  for (const x of [0, 2 ** -1074, 0.5, 1, 1.5, 5.9, 6, 30, Number.POSITIVE_INFINITY]) {
    expect(real.erf(-x)).toBe(-real.erf(x));
  }
  expect(real.erf(1 + 2 ** -50)).toBeGreaterThanOrEqual(real.erf(1 - 2 ** -50));
  expect([6, 30, Number.POSITIVE_INFINITY].map(real.erf)).toEqual([1, 1, 1]);
  expect(real.erf(Number.NaN)).toBeNaN();
  expect(real.erf(2 ** -1074)).toBe(2 ** -1074);
});
