import type { Along } from "../../spec/contract/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { type Draw, directionOf, draws } from "./directions.ts";
import type { EstimateParts } from "./estimating.ts";

/** A planted fault of an estimator. */
export interface EstimateMutant {
  readonly name: string;
  readonly fault: string;
  /** Is true if a given direction shows the fault. */
  readonly isShownByGiven: boolean;
  /** Is true if the means of estimates and of their squares are nearly right, and the law is not. */
  readonly isLawAlone?: boolean;
  readonly parts: Partial<EstimateParts>;
}

/** Draws directions by other laws. */
function drawn(rademacher: Draw, gaussian: Draw): Partial<EstimateParts> {
  return { directionOf: (along, shapes) => directionOf(along, shapes, { rademacher, gaussian }) };
}

/** Changes directions that are drawn. */
function turned(
  change: (direction: readonly FlatTensor[], along: Along) => readonly FlatTensor[],
): Partial<EstimateParts> {
  return {
    directionOf: (along, shapes) => {
      const direction = directionOf(along, shapes);
      return along.law === "given" ? direction : change(direction, along);
    },
  };
}

/** Draws from a generator that goes on from call to call, whatever the seed is. */
function drawnAnew(): Partial<EstimateParts> {
  let calls = 0;
  return {
    directionOf: (along, shapes) =>
      directionOf(along.law === "given" ? along : { ...along, seed: calls++ }, shapes),
  };
}

/** A multiplicative generator that begins with its seed [Park and Miller, 1988]. */
const congruential = (seed: number) => {
  let state = seed + 1;
  return (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const each = (direction: readonly FlatTensor[], of: (x: number, place: number) => number): FlatTensor[] => {
  let place = 0;
  return direction.map(({ shape, data }) => ({ shape, data: data.map((x) => of(x, place++)) }));
};

/** Estimators with one fault each: in the law of directions, which only many show, or in the estimate. */
export const estimateMutants: readonly EstimateMutant[] = [
  {
    name: "mean_not_zero",
    fault: "three of four signs are positive",
    isShownByGiven: false,
    parts: drawn(
      (uniform) => (uniform() > 0.25 ? 1 : -1),
      (uniform) => draws.gaussian(uniform) + 0.5,
    ),
  },
  {
    name: "variance_not_one",
    fault: "directions are twice too long",
    isShownByGiven: false,
    parts: turned((direction) => each(direction, (x) => 2 * x)),
  },
  {
    name: "uniform",
    fault: "numbers are uniform from −1 to 1, of variance 1/3",
    isShownByGiven: false,
    parts: drawn(
      (uniform) => 2 * uniform() - 1,
      (uniform) => 2 * uniform() - 1,
    ),
  },
  {
    name: "unit_length",
    fault: "directions are divided by their length",
    isShownByGiven: false,
    parts: turned((direction) => {
      const length = Math.hypot(...direction.flatMap(({ data }) => [...data]));
      return each(direction, (x) => x / length);
    }),
  },
  {
    name: "neighbours_alike",
    fault: "every second number is the one before",
    isShownByGiven: false,
    parts: turned((direction) => {
      let last = 0;
      return each(direction, (x, place) => {
        if (place % 2 === 0) last = x;
        return last;
      });
    }),
  },
  {
    name: "one_seed",
    fault: "every seed draws the same direction",
    isShownByGiven: false,
    parts: {
      directionOf: (along, shapes) =>
        directionOf(along.law === "given" ? along : { ...along, seed: 7 }, shapes),
    },
  },
  {
    name: "seed_ignored",
    fault: "a seed asked again draws another direction",
    isShownByGiven: false,
    parts: drawnAnew(),
  },
  {
    name: "seeds_alike",
    fault: "neighbouring seeds draw neighbouring numbers, as of a generator whose state is the seed",
    isShownByGiven: false,
    parts: {
      directionOf: (along, shapes) => directionOf(along, shapes, draws, congruential),
    },
  },
  {
    name: "sparse",
    fault: "numbers are 0 or ±√2, of the same variance and another fourth moment",
    isShownByGiven: false,
    parts: turned((direction, along) => {
      const extra = directionOf({ law: "rademacher", seed: along.law === "given" ? 0 : along.seed + 1 }, [
        ...direction.map(({ shape }) => shape),
        ...direction.map(({ shape }) => shape),
      ]).flatMap(({ data }) => [...data]);
      const half = extra.length / 2;
      return each(direction, (_, place) =>
        extra[place] === 1 ? 0 : (extra[place + half] ?? 0) * Math.SQRT2,
      );
    }),
  },
  {
    name: "slope_alone",
    fault: "the slope is not multiplied by the direction, but for its sign",
    isShownByGiven: true,
    parts: { estimate: (slope, v) => slope * Math.sign(v) },
  },
  {
    name: "direction_squared",
    fault: "the slope is multiplied by the size of the direction",
    isShownByGiven: true,
    parts: { estimate: (slope, v) => slope * Math.abs(v) },
  },
  {
    name: "last_seed_lost",
    fault: "the last result does not count",
    isShownByGiven: true,
    parts: { seedsOf: (seeds) => seeds.slice(0, -1) },
  },
  {
    name: "float16_slope",
    fault: "the slope is rounded to float16",
    isShownByGiven: true,
    parts: { estimate: (slope, v) => Math.f16round(slope) * v },
  },
  {
    name: "laplace",
    fault: "normal numbers have Laplace's law, of the same variance",
    isShownByGiven: false,
    isLawAlone: true,
    parts: drawn(draws.rademacher, (uniform) => {
      const size = -Math.log(uniform()) / Math.SQRT2;
      return uniform() > 0.5 ? size : -size;
    }),
  },
  {
    name: "uniform_of_variance_one",
    fault: "normal numbers are uniform, of the same variance",
    isShownByGiven: false,
    isLawAlone: true,
    parts: drawn(draws.rademacher, (uniform) => Math.sqrt(3) * (2 * uniform() - 1)),
  },
  {
    name: "longer",
    fault: "directions are longer by a twentieth",
    isShownByGiven: false,
    isLawAlone: true,
    parts: turned((direction) => each(direction, (x) => 1.05 * x)),
  },
  {
    name: "signs_tied",
    fault: "every fourth sign is the product of the three before, so that pairs are independent",
    isShownByGiven: false,
    isLawAlone: true,
    parts: turned((direction) => {
      let product = 1;
      return each(direction, (x, place) => {
        const isLast = place % 4 === 3;
        const tied = isLast ? product * Math.abs(x) : x;
        product = isLast ? 1 : product * Math.sign(x);
        return tied;
      });
    }),
  },
  {
    name: "sizes_alike",
    fault: "every second normal number is as large as the one before, with a sign of its own",
    isShownByGiven: false,
    isLawAlone: true,
    parts: turned((direction) => {
      let last = 0;
      return each(direction, (x, place) => {
        if (place % 2 === 0) last = Math.abs(x);
        return Math.sign(x) * last;
      });
    }),
  },
];
