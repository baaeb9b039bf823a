import {
  backpropSparse,
  compareRationals,
  type DimensionRules,
  dimensionRules,
  dimensionsOf,
  type EnvironmentValue,
  evaluate,
  interpret,
  measuredExpansion,
  type Rational,
  rational,
  rationalOf,
  type Tensor,
  undefinedRational,
  unknownAt,
} from "../../reference/package.ts";
import {
  type Algebra,
  addExponents,
  at,
  type BinaryName,
  dimensionless,
  type Exponent,
  elementary,
  everyLevel,
  exponentOf,
  type Graph,
  type Measure,
  measuredIn,
  multiplyExponents,
  type OrderedReal,
  present,
  type Shape,
  shapesOf,
  stridesOf,
  type UnaryName,
  type Unit,
  undeclared,
} from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import { posed, succeeded } from "../derivatives.test.kit.ts";
import type { Form } from "./elimination.ts";
import { type Inference, inferDimensions } from "./inference.ts";

/** Each of three bases is measured by powers of a prime. */
const primes = [10_007n, 10_009n, 10_037n];
const bases = ["a", "b", "c"];

const field = present(rational.levels.orderedField, "the field of the rationals");

/** Splits a number into powers of the primes and the rest. */
function stripped(x: Rational): readonly [rest: Rational, powers: bigint[]] {
  let [numerator, denominator] = [x.numerator, x.denominator];
  const powers = primes.map((prime) => {
    let power = 0n;
    for (; numerator !== 0n && numerator % prime === 0n; numerator /= prime) power += 1n;
    for (; denominator % prime === 0n; denominator /= prime) power -= 1n;
    return power;
  });
  return [rationalOf(numerator, denominator), powers];
}

function powerOfPrimes(powers: readonly bigint[]): Rational {
  const product = (signs: (power: bigint) => bigint): bigint =>
    powers.reduce((total, power, i) => total * at(primes, i) ** signs(power), 1n);
  return rationalOf(
    product((power) => (power > 0n ? power : 0n)),
    product((power) => (power < 0n ? -power : 0n)),
  );
}

const hasValue = (x: Rational): boolean => x.denominator !== 0n;

function floorOf(numerator: bigint, denominator: bigint): bigint {
  const towardsZero = numerator / denominator;
  return numerator < 0n && towardsZero * denominator !== numerator ? towardsZero - 1n : towardsZero;
}

/**
 * Raises x to a power as far as a scale can tell: the primes exactly, where their powers are whole, and the
 * rest to some number. An integral power is exact.
 */
function power(x: Rational, exponent: Rational): Rational {
  const { numerator, denominator } = exponent;
  if (!hasValue(x) || !hasValue(exponent)) return undefinedRational;
  if (denominator === 1n && numerator >= -8n && numerator <= 8n) {
    const positive = rationalOf(
      x.numerator ** (numerator < 0n ? -numerator : numerator),
      x.denominator ** (numerator < 0n ? -numerator : numerator),
    );
    return numerator < 0n ? field.divide(field.one, positive) : positive;
  }
  if (x.numerator === 0n) return field.zero;
  if (denominator > 64n || numerator > 512n || numerator < -512n) return undefinedRational;
  const [rest, powers] = stripped(x);
  const scaled = powerOfPrimes(powers.map((own) => floorOf(own * numerator, denominator)));
  return field.multiply(scaled, scrambled("sqrt", rest));
}

/** Hashes a rational; the function satisfies no useful equation, and keeps numbers short. */
function scrambled(name: string, x: Rational): Rational {
  if (!hasValue(x)) return undefinedRational;
  const a = BigInt(name.length + name.charCodeAt(0));
  const mixed = (x.numerator * 31n + x.denominator * 17n + a) % 1009n;
  return rationalOf((mixed < 0n ? mixed + 1009n : mixed) + a, a + 3n);
}

const sizeOfRational = (x: Rational): Rational => (x.numerator < 0n ? field.negative(x) : x);

function binary(name: BinaryName): (x: Rational, y: Rational) => Rational {
  const sum = (x: Rational, y: Rational): Rational => field.add(sizeOfRational(x), sizeOfRational(y));
  if (name === "pow") return power;
  if (name === "hypot") return sum;
  return (y, x) => field.divide(y, sum(x, y));
}

function unary(name: UnaryName): (x: Rational) => Rational {
  if (name === "sqrt") return (x) => power(x, rationalOf(1n, 2n));
  return (x) => scrambled(name, x);
}

const real: OrderedReal<Rational, boolean | undefined> = { ...field, ...elementary(unary, binary) };

/**
 * These are rationals whose functions scale right and mean nothing else: roots and powers act on the primes,
 * `hypot` is homogeneous, `atan2` is invariant, and what takes only numbers is arbitrary. So a value is
 * scaled by its dimension or it differs.
 */
const scalable: Algebra<Rational, boolean | undefined> = {
  ...rational,
  name: "scalable",
  levels: everyLevel(real),
};

/** A dimension is measured as a power of each prime. */
export type Powers = readonly Exponent[];

/** Draws small whole numbers from a seed. */
export function dice(seed: number): (sides: number) => number {
  let state = (seed * 2_654_435_761 + 97) >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

export type Assigned = Extract<Inference, { readonly kind: "assigned" }>;

/** An instance of a principal solution gives every element a dimension; free ones are drawn. */
export interface Instance {
  readonly inference: Assigned;
  at(value: number, position: number): Powers;
}

/** Draws dimensions for the free ones of a solution. */
export function instanceOf(inference: Assigned, roll: (sides: number) => number): Instance {
  const { system, solution } = inference;
  const drawn = new Map<number, Powers>();
  const known = new Map<number, Powers>();
  const base = (unknown: number): Powers => bases.map((_, i) => exponentOf(i === unknown ? 1n : 0n));
  const draw = (unknown: number): Powers => {
    const powers = drawn.get(unknown) ?? bases.map(() => exponentOf(BigInt(roll(7) - 3)));
    drawn.set(unknown, powers);
    return powers;
  };
  const instance = (unknown: number): Powers => {
    const before = known.get(unknown);
    if (before !== undefined) return before;
    let sum: Powers = bases.map(() => exponentOf(0n));
    for (const [part, times] of solution.formOf([[unknown, 1n]])) {
      const powers = part < system.aspect.bases.length ? base(part) : draw(part);
      sum = sum.map((own, i) => addExponents(own, multiplyExponents(times, at(powers, i))));
    }
    known.set(unknown, sum);
    return sum;
  };
  return {
    inference,
    at: (value, position) => {
      const grid = at(system.grids, value);
      const strides = stridesOf(grid.shape);
      const place = strides.map((stride, axis) => Math.floor(position / stride) % at(grid.shape, axis));
      return instance(unknownAt(grid, place));
    },
  };
}

/** Infers over the three bases with nothing declared. */
export function inferFreely(graph: Graph, rules: DimensionRules = dimensionRules): Inference {
  const nothing = undeclared(bases);
  return inferDimensions(graph, nothing, dimensionsOf(nothing), rules);
}

/** A scaling compared elements: this counts those that are equal, unequal and without a value. */
export interface Compared {
  readonly same: number;
  readonly different: number;
  readonly valueless: number;
}

/**
 * Scales everything that a case is given by the primes to its dimension, `common` times, and compares each
 * element of values, tangents and cotangents with what it was times the primes to its dimension.
 */
export function compareScaled(question: Case, instance: Instance, loss: Powers): Compared {
  const { system } = instance.inference;
  const { graph, x, environment, seeds } = posed(scalable, question, measuredExpansion(question.graph));
  const shapes = shapesOf(graph);
  const values = (id: number): number => (id < graph.inputs.length ? id : id + graph.environment.length);
  const dimensions = shapes.map((shape, id) =>
    Array.from({ length: shape.reduce((n, m) => n * m, 1) }, (_, i) => instance.at(values(id), i)),
  );
  const entries = new Map(
    graph.environment.map(({ name }) => [name, present(system.valueOfEntry(name), name)]),
  );
  const common = commonDenominator([...dimensions.flat(), loss]);
  const scale = (powers: Powers): Rational =>
    powerOfPrimes(powers.map(({ numerator, denominator }) => (numerator * common) / denominator));
  const scaled = (tensor: Tensor<Rational>, of: (position: number) => Powers): Tensor<Rational> => ({
    shape: tensor.shape,
    data: tensor.data.map((element, i) => field.multiply(element, scale(of(i)))),
  });
  const over = (powers: Powers): Powers =>
    loss.map((own, i) => addExponents(own, multiplyExponents(at(powers, i), exponentOf(-1n))));
  const scaledX = x.map((tensor, id) => scaled(tensor, (i) => at(at(dimensions, id), i)));
  const scaledEnvironment = new Map<string, EnvironmentValue<Rational>>(
    [...environment].map(([name, value]) => [
      name,
      value.kind === "index"
        ? value
        : {
            kind: "real",
            tensor: scaled(value.tensor, (i) => instance.at(present(entries.get(name), name), i)),
          },
    ]),
  );
  const meaning = succeeded(interpret(graph, scalable));
  const before = evaluate(meaning, x, environment);
  const after = evaluate(meaning, scaledX, scaledEnvironment);
  const scaledSeeds = new Map(
    [...seeds].map(([id, seed]) => [id, scaled(seed, (i) => over(at(at(dimensions, id), i)))]),
  );
  const back = backpropSparse(scalable.additive, meaning, x, environment, seeds);
  const scaledBack = backpropSparse(scalable.additive, meaning, scaledX, scaledEnvironment, scaledSeeds);
  const count = { same: 0, different: 0, valueless: 0 };
  const compare = (was: Tensor<Rational>, is: Tensor<Rational>, of: (i: number) => Powers): void => {
    scaled(was, of).data.forEach((wanted, i) => {
      const found = at(is.data, i);
      if (!hasValue(wanted) && !hasValue(found)) count.valueless += 1;
      else if (compareRationals(wanted, found) === 0) count.same += 1;
      else count.different += 1;
    });
  };
  for (let id = 0; id < before.length; id++) {
    if (!system.isMeasured(values(id))) continue;
    compare(at(before, id), at(after, id), (i) => at(at(dimensions, id), i));
  }
  for (const [id, cotangent] of back) {
    if (!system.isMeasured(values(id))) continue;
    compare(cotangent, present(scaledBack.get(id), "a cotangent"), (i) => over(at(at(dimensions, id), i)));
  }
  return count;
}

function commonDenominator(all: readonly Powers[]): bigint {
  let common = 1n;
  for (const { denominator } of all.flat()) {
    if (common % denominator !== 0n) common *= denominator;
  }
  return common;
}

/** Draws a dimension for a loss. */
export function drawnPowers(roll: (sides: number) => number): Powers {
  return bases.map(() => exponentOf(BigInt(roll(5) - 2)));
}

/** Measures a value by an instance's dimensions; `undefined` where they are no product over axes. */
export function measureOf(shape: Shape, of: (position: number) => Powers): Measure | undefined {
  const strides = stridesOf(shape);
  if (shape.includes(0)) return measuredIn();
  const origin = of(0);
  const along = shape.map((extent, axis) =>
    Array.from({ length: extent }, (_, i) => quotient(of(i * at(strides, axis)), origin)),
  );
  const size = shape.reduce((n, m) => n * m, 1);
  for (let position = 0; position < size; position++) {
    const expected = strides.reduce<Powers>(
      (sum, stride, axis) =>
        sum.map((own, i) =>
          addExponents(own, at(at(at(along, axis), Math.floor(position / stride) % at(shape, axis)), i)),
        ),
      origin,
    );
    if (quotient(expected, of(position)).some(({ numerator }) => numerator !== 0n)) return undefined;
  }
  return {
    unit: unitOf(origin),
    along: along.map((units, axis) => ({ axis, units: units.map(unitOf) })),
  };
}

function quotient(x: Powers, y: Powers): Powers {
  return x.map((own, i) => addExponents(own, multiplyExponents(at(y, i), exponentOf(-1n))));
}

function unitOf(powers: Powers): Unit {
  const dimension = new Map(
    powers.flatMap((power, i) => (power.numerator === 0n ? [] : [[at(bases, i), power] as const])),
  );
  return { dimension, scale: dimensionless };
}

/** Tells whether a form, in bases alone, is one dimension over another. */
export function isQuotient(form: Form, x: Powers, y: Powers): boolean {
  return quotient(x, y).every(
    ({ numerator, denominator }, i) =>
      (form.get(i)?.numerator ?? 0n) === numerator && (form.get(i)?.denominator ?? 1n) === denominator,
  );
}

/** These are the bases of the drawn dimensions. */
export const drawnBases: readonly string[] = bases;
