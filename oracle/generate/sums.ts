import type { Random } from "fast-check";
import { graph, type Scope, type Value } from "../../spec/builder/index.ts";
import type { Description } from "../../spec/contract/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { Graph, Point } from "../../spec/graph/index.ts";
import { isPrimitiveName, type PrimitiveName } from "../../spec/operators/index.ts";
import { at, nodeId, present, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { happens, randomAt } from "../random/index.ts";
import { type Drawn, drawTiny, type LongSum, longSums, lopsided } from "./long_sums.ts";

/**
 * These numbers have eight digits, so that every float holds them, at sizes so unlike that their sums do not
 * fit: a partial sum in a format of any width loses digits, and opposite ones cancel.
 */
const unlike: readonly number[] = [0, 3, 6, 9, 12, 18, 24, 30, 40, 46, 50, 54].flatMap((exponent) =>
  [1.0078125, 1.3828125, 1.7421875].flatMap((digits) => [digits, -digits].map((x) => x * 2 ** -exponent)),
);

/** A sum of `n` numbers is written with one operator. */
interface Sum {
  inputs(n: number): readonly Shape[];
  /** Every index is 0 or 1. */
  indices?(n: number): Shape;
  write(scope: Scope, operands: readonly Value[], n: number, indices: string): unknown;
}

const rows = (n: number): Shape => [n, 1];

/** Each primitive that adds up has a sum in which it does, in its value or in its cotangent. */
const sums: Readonly<Partial<Record<PrimitiveName, Sum>>> = {
  sum: { inputs: (n) => [[2, n]], write: (_, [x]) => x?.sum({ axes: [1], keepdims: false }) },
  broadcast_to: { inputs: () => [[2]], write: (_, [x], n) => x?.broadcast_to({ shape: [n, 2] }) },
  take: {
    inputs: () => [[2]],
    indices: (n) => [n],
    write: (_, [x], __, indices) => x?.take({ axis: 0, indices }),
  },
  take_along_axis: {
    inputs: () => [[2]],
    indices: (n) => [n],
    write: (_, [x], __, indices) => x?.take_along_axis({ axis: 0, indices }),
  },
  gather: { inputs: () => [[2]], indices: rows, write: (_, [x], __, indices) => x?.gather({ indices }) },
  scatter_add: {
    inputs: (n) => [[2], [n]],
    indices: rows,
    write: (_, [x, updates], __, indices) => x?.scatter_add(present(updates, "updates"), { indices }),
  },
  cumulative_sum: { inputs: (n) => [[n]], write: (_, [x]) => x?.cumulative_sum({ axis: 0 }) },
  matmul: {
    inputs: (n) => [
      [2, n],
      [n, 2],
    ],
    write: (_, [x, y]) => x?.matmul(present(y, "the other matrix")),
  },
};

/** In the mix, one case of so many is drawn for what an engine declares of its sums. */
const [EVERY, FROM] = [20, 11];

/**
 * Draws case number `index` of the mix for an engine that declares how it adds up, now and then: every
 * operator that it declares, each in a sum of its own, primitives and composites in turn. Numbers are drawn
 * whose sums differ by width; those of primitives differ by order too. The bounds of composites have room for
 * other algorithms, so that theirs are long.
 */
export function declaredSumsAt(
  { accumulation, operators }: Required<Pick<Description, "operators" | "accumulation">>,
  seed: number,
  index: number,
): Case | undefined {
  if (index % EVERY !== FROM) return undefined;
  const declared = operators.filter((op) => Object.hasOwn(accumulation, op));
  const short = declared.flatMap((op) => (isPrimitiveName(op) ? (sums[op] ?? []) : []));
  const long = declared.flatMap((op) => longSums.get(op) ?? []);
  const random = randomAt(seed, index);
  const isLong = long.length > 0 && (short.length === 0 || Math.floor(index / EVERY) % 2 === 0);
  if (isLong) return drawnLongSums(long, random);
  return short.length === 0 ? undefined : drawnSums(short, random);
}

function drawnSums(all: readonly Sum[], random: Random): Case {
  const written = writtenSums(all, random.nextInt(16, 28), random);
  const numbers = (shape: Shape): FlatTensor => unlikeNumbers(shape, random);
  return asked(written, (shapes) => shapes.map(numbers), numbers);
}

function drawnLongSums(all: readonly LongSum[], random: Random): Case {
  const written = writtenSums(all, random.nextInt(512, 640), random);
  const tiny = drawTiny(random);
  const numbers = (drawn: Drawn, shape: Shape): FlatTensor => ({
    shape,
    data: lopsided(shape, drawn, tiny, random),
  });
  const kinds = all.flatMap(({ drawn }) => drawn);
  return asked(
    written,
    (shapes) => shapes.map((shape, place) => numbers(at(kinds, place), shape)),
    (shape) => numbers("terms", shape),
  );
}

/** A program of sums has indices. */
interface Written {
  readonly program: Graph;
  readonly environment: Point["environment"];
}

/** Writes every sum, of `n` numbers, with operands of its own. */
function writtenSums(all: readonly (Sum | LongSum)[], n: number, random: Random): Written {
  const environment = new Map<string, FlatTensor>();
  const program = graph((scope) => {
    const operands = all.map((sum, place) =>
      sum.inputs(n).map((shape, which) => scope.input(`x${place}_${which}`, shape)),
    );
    for (const [place, sum] of all.entries()) {
      const shape = sum.indices?.(n);
      const name = shape === undefined ? "" : scope.indices(`i${place}`, shape);
      if (shape !== undefined) {
        const data = new Float64Array(sizeOf(shape)).map(() => random.nextInt(0, 1));
        environment.set(name, { shape, data });
      }
      sum.write(scope, at(operands, place), n, name);
    }
  });
  return { program, environment };
}

/** Asks about a program at these inputs, along tangents and back from seeds at every node. */
function asked(
  { program, environment }: Written,
  inputs: (shapes: readonly Shape[]) => readonly FlatTensor[],
  numbers: (shape: Shape) => FlatTensor,
): Case {
  const shapes = shapesOf(program);
  const first = program.inputs.length;
  return {
    graph: program,
    point: { inputs: inputs(shapes.slice(0, first)), environment },
    tangents: shapes.slice(0, first).map(numbers),
    seeds: shapes
      .slice(first)
      .map((shape, place) => ({ id: nodeId(first + place), cotangent: numbers(shape) })),
  };
}

/** Draws a tensor of numbers of unlike sizes, half of the time from a few, so that some cancel. */
function unlikeNumbers(shape: Shape, random: Random): FlatTensor {
  const drawn = (from: readonly number[]): number => at(from, random.nextInt(0, from.length - 1));
  const few = Array.from({ length: 6 }, () => drawn(unlike)).flatMap((x) => [x, -x]);
  const from = happens(random, 1, 2) ? few : unlike;
  return { shape, data: new Float64Array(sizeOf(shape)).map(() => drawn(from)) };
}
