import type { PrimitiveAttributes, PrimitiveName, Shape } from "../spec/index.ts";
import { float64 } from "./algebras/float.ts";
import type { Environment, EnvironmentValue } from "./environment.ts";
import type { Tensor } from "./tensor.ts";

/** A rule is applied to this at a size. */
export interface Sized<A> {
  readonly attributes: A;
  readonly operands: readonly Shape[];
  readonly environment?: Environment<number>;
}

/** A way to enlarge an operator's operands, and the power of the size that bounds its steps. */
export interface Growth<A> {
  readonly of: string;
  readonly exponent: number;
  at(size: number): Sized<A>;
}

const index = (shape: Shape, indices: readonly number[]): Environment<number> =>
  new Map([["i", { kind: "index", shape, indices }]]);
const upTo = (size: number): number[] => Array.from({ length: size }, (_, i) => i);
const linear = <A>(of: string, at: (size: number) => Sized<A>): Growth<A> => ({ of, exponent: 1, at });

/** The table says how each operator grows that is not elementwise. */
export const growths: { readonly [K in PrimitiveName]?: readonly Growth<PrimitiveAttributes[K]>[] } = {
  constant: [
    linear("elements", (n) => ({
      attributes: { name: "c" },
      operands: [],
      environment: new Map([["c", { kind: "real", tensor: { shape: [n], data: upTo(n) } }]]),
    })),
  ],
  full: [linear("elements", (n) => ({ attributes: { shape: [n], value: 1 }, operands: [] }))],
  iota: [linear("elements", (n) => ({ attributes: { shape: [n], axis: 0 }, operands: [] }))],
  bernoulli_mask: [
    linear("elements", (n) => ({
      attributes: { shape: [n], key: "i", rate: 0.5 },
      operands: [],
      environment: index([2], [1, 2]),
    })),
  ],
  sum: [
    linear("elements summed", (n) => ({ attributes: { axes: [0], keepdims: false }, operands: [[n]] })),
    linear("sums", (n) => ({ attributes: { axes: [0], keepdims: false }, operands: [[2, n]] })),
  ],
  broadcast_to: [linear("elements", (n) => ({ attributes: { shape: [n] }, operands: [[]] }))],
  reshape: [linear("elements", (n) => ({ attributes: { shape: [n] }, operands: [[n, 1]] }))],
  permute_dims: [linear("elements", (n) => ({ attributes: { axes: [1, 0] }, operands: [[n, 2]] }))],
  concat: [
    linear("operands", (n) => ({ attributes: { axis: 0 }, operands: upTo(n).map(() => [1]) })),
    linear("elements", (n) => ({ attributes: { axis: 0 }, operands: [[n], [n]] })),
    linear("elements beside the axis", (n) => ({
      attributes: { axis: 0 },
      operands: [
        [1, n],
        [1, n],
      ],
    })),
  ],
  take: [
    linear("indices", (n) => ({
      attributes: { axis: 0, indices: "i" },
      operands: [[4]],
      environment: index(
        [n],
        upTo(n).map((i) => i % 4),
      ),
    })),
    linear("elements", (n) => ({
      attributes: { axis: 0, indices: "i" },
      operands: [[n]],
      environment: index([2], [0, 1]),
    })),
  ],
  slice: [
    linear("elements", (n) => ({ attributes: { starts: [0], stops: [n], steps: [2] }, operands: [[n]] })),
  ],
  pad: [
    linear("elements", (n) => ({ attributes: { low: [1], high: [1], interior: [1] }, operands: [[n]] })),
    linear("zeros", (n) => ({ attributes: { low: [n], high: [0], interior: [0] }, operands: [[2]] })),
  ],
  take_along_axis: [
    linear("elements", (n) => ({
      attributes: { axis: 0, indices: "i" },
      operands: [[n]],
      environment: index([n], upTo(n).toReversed()),
    })),
  ],
  gather: [
    linear("rows", (n) => ({
      attributes: { indices: "i" },
      operands: [[n, 2]],
      environment: index([n, 1], upTo(n)),
    })),
  ],
  scatter_add: [
    linear("rows", (n) => ({
      attributes: { indices: "i" },
      operands: [
        [n, 2],
        [n, 2],
      ],
      environment: index([n, 1], upTo(n)),
    })),
  ],
  cumulative_sum: [
    linear("elements along the axis", (n) => ({ attributes: { axis: 0 }, operands: [[n]] })),
    linear("elements beside the axis", (n) => ({ attributes: { axis: 0 }, operands: [[2, n]] })),
  ],
  matmul: [
    linear("the inner extent", (n) => ({
      attributes: {},
      operands: [
        [1, n],
        [n, 1],
      ],
    })),
    linear("rows", (n) => ({
      attributes: {},
      operands: [
        [n, 2],
        [2, 2],
      ],
    })),
    linear("matrices", (n) => ({
      attributes: {},
      operands: [
        [n, 2, 2],
        [n, 2, 2],
      ],
    })),
    { of: "all three extents", exponent: 3, at: (n) => ({ attributes: {}, operands: [cube(n), cube(n)] }) },
  ],
  solve: [
    linear("right-hand sides", (n) => ({
      attributes: {},
      operands: [
        [2, 2],
        [2, n],
      ],
    })),
    linear("matrices", (n) => ({
      attributes: {},
      operands: [
        [n, 2, 2],
        [n, 2, 1],
      ],
    })),
  ],
  det: [linear("matrices", (n) => ({ attributes: {}, operands: [[n, 2, 2]] }))],
};

/** Square matrices that are small enough for a cube of their extent. */
function cube(size: number): Shape {
  return [size / 16, size / 16];
}

/** Operations of an algebra are counted, and reads of what was wrapped. */
export interface Steps {
  count: number;
}

/** Returns a list whose every read of an element is a step. */
export function countedList<T>(steps: Steps, list: readonly T[]): readonly T[] {
  return new Proxy(list, {
    get(target, key, receiver) {
      if (typeof key === "string" && /^[0-9]+$/.test(key)) steps.count += 1;
      return Reflect.get(target, key, receiver);
    },
  });
}

/** Returns a tensor whose elements and extents are counted when they are read. */
export function countedTensor<S>(steps: Steps, { shape, data }: Tensor<S>): Tensor<S> {
  return { shape: countedList(steps, shape), data: countedList(steps, data) };
}

/** Returns an environment whose elements and indices are counted when they are read. */
export function countedEnvironment<S>(steps: Steps, environment: Environment<S>): Environment<S> {
  return new Map(
    [...environment].map(([name, value]): [string, EnvironmentValue<S>] => [
      name,
      value.kind === "real"
        ? { kind: "real", tensor: countedTensor(steps, value.tensor) }
        : { ...value, indices: countedList(steps, value.indices) },
    ]),
  );
}

/** Makes a level each operation of which is a step. */
function countedLevel<L extends object>(steps: Steps, level: L): L {
  return new Proxy(level, {
    get(target, key, receiver) {
      const value: unknown = Reflect.get(target, key, receiver);
      if (typeof value === "function") steps.count += 1;
      return value;
    },
  });
}

/** Returns float64, but that every operation is a step. */
export function countedFloats(steps: Steps): typeof float64 {
  const { levels } = float64;
  const counted = <L extends object>(level: L | undefined): L | undefined =>
    level && countedLevel(steps, level);
  return {
    ...float64,
    additive: countedLevel(steps, float64.additive),
    levels: {
      additive: counted(levels.additive),
      semiring: counted(levels.semiring),
      ring: counted(levels.ring),
      field: counted(levels.field),
      real: counted(levels.real),
      ordered: counted(levels.ordered),
      orderedField: counted(levels.orderedField),
      orderedReal: counted(levels.orderedReal),
    },
  };
}

/** Sizes at which steps are counted: what does not grow with them is small beside what does. */
const sizes = [128, 256, 512] as const;

/** Returns the power of the size that steps grow with: the slope of their logarithms, by least squares. */
export function exponentOf(stepsAt: (size: number) => number): number {
  const points = sizes.map((size) => ({ x: Math.log(size), y: Math.log(stepsAt(size)) }));
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}
