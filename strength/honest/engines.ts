/** Engines that are honest in ways unlike ours: none may be accused, by any law either. */
import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import {
  type Description,
  type Engine,
  interpreterEngine,
  type LoadedGraph,
  type Reply,
} from "../../engines/index.ts";
import type { PrimitiveProgram } from "../../oracle/case/expansion.ts";
import { algebraEngine } from "../../oracle/judge/algebra_engine.test.kit.ts";
import { enclosuresOf } from "../../oracle/truth/case_truth.ts";
import { approximateRational } from "../../oracle/truth/centre/index.ts";
import { fusing, plain } from "../../oracle/truth/fusing.test.kit.ts";
import { type Adding, addingUp, shuffled } from "../../oracle/truth/standard/accumulation.test.kit.ts";
import { accumulating, referenceStandard } from "../../oracle/truth/standard/index.ts";
import type { Interval } from "../../oracle/truth/verdicts/component.ts";
import { floats, type Graph, interpret } from "../../reference/package.ts";
import { referenceConventions } from "../../spec/contract/index.ts";
import {
  type Algebra,
  at,
  type DataType,
  elementary,
  everyLevel,
  type FlatTensor,
  formats,
  type NodeId,
  nodeId,
  type OrderedReal,
  operatorNames,
  type Point,
  present,
  type Seed,
  sizeOf,
} from "../../spec/index.ts";

function describe(name: string, dtypes: readonly DataType[] = ["float64", "float32"]): Description {
  return {
    name,
    version: "1",
    language: "TypeScript",
    links: [],
    dtypes,
    operators: operatorNames,
    modes: ["evaluate", "jvp", "vjp", "backward_dense"],
    conventions: referenceConventions,
    accuracy: {},
  };
}

function interpreted<S>(program: PrimitiveProgram, algebra: Algebra<S, boolean>): Graph<S> {
  const meaning = interpret(program.graph, algebra);
  if (!meaning.ok) throw new Error("the algebra offers everything");
  return meaning.value;
}

/** A number, and the quotient 1/y that it was rounded from, if its numerator was the constant 1. */
interface Foldable {
  readonly value: number;
  readonly under?: number;
}

/** Floats in which `a · (1/y)` is folded to `a/y` where that 1 is a constant, as a seed is. */
function folding(dtype: DataType): Algebra<Foldable, boolean> {
  const real = present(floats[dtype].levels.orderedReal, "the functions of a float");
  const of = (value: number): Foldable => ({ value });
  const multiplied = (x: Foldable, y: Foldable): Foldable => {
    const [one, other] = x.under === undefined ? [y, x] : [x, y];
    return of(
      one.under === undefined ? real.multiply(x.value, y.value) : real.divide(other.value, one.under),
    );
  };
  const all: OrderedReal<Foldable, boolean> = {
    zero: of(0),
    one: of(1),
    add: (x, y) => of(real.add(x.value, y.value)),
    detach: (x) => x,
    multiply: multiplied,
    literal: (x) => of(real.literal(x)),
    negative: (x) => of(-x.value),
    divide: (x, y) => {
      const value = real.divide(x.value, y.value);
      return x.value === 1 && Number.isFinite(value) ? { value, under: y.value } : of(value);
    },
    ...elementary<Foldable>(
      (name) => (x) => of(real[name](x.value)),
      (name) => (x, y) => of(real[name](x.value, y.value)),
    ),
    less: (x, y) => x.value < y.value,
    equal: (x, y) => x.value === y.value,
    select: (condition, x, y) => (condition ? x : y),
    floor: (x) => of(Math.floor(x.value)),
  };
  return {
    name: "folding",
    additive: all,
    levels: everyLevel(all),
    isSame: (x, y) => Object.is(x.value, y.value),
    format: ({ value }) => String(value),
    parse: (text) => of(Number(text)),
  };
}

/** Makes an engine whose sums are added up in its own order. */
function summing(
  name: string,
  ordered: (terms: readonly number[]) => readonly number[],
  reduce: (terms: readonly number[], add: (x: number, y: number) => number) => number = inTurn,
  isFused = false,
): Engine {
  return algebraEngine<number>(describe(name), (program, dtype) => {
    const algebra = floats[dtype];
    const { round } = formats[dtype];
    const add = (x: number, y: number): number => round(x + y);
    const isExact = isFused && dtype === "float32";
    const adding: Adding = {
      // A product of float32 is exact in float64, but for underflow.
      multiply: (x, y) => (isExact ? x * y : round(x * y)),
      add: (terms) => round(reduce(ordered(terms), add)),
      meet: add,
      isApart: () => false,
    };
    const plainGraph = interpreted(program, algebra);
    const question = { ...program, point: { inputs: [], environment: new Map() }, tangents: [], seeds: [] };
    const graph = addingUp(question, plainGraph, accumulating, adding);
    return { additive: algebra.additive, graph, lift: round, lower: (x) => x };
  });
}

function inTurn(terms: readonly number[], add: (x: number, y: number) => number): number {
  return terms.length === 0 ? 0 : terms.reduce(add);
}

/** Adds halves, and halves of these. */
function pairwise(terms: readonly number[], add: (x: number, y: number) => number): number {
  if (terms.length < 3) return inTurn(terms, add);
  const half = terms.length >> 1;
  return add(pairwise(terms.slice(0, half), add), pairwise(terms.slice(half), add));
}

/** Makes an engine that rounds the true numbers once, and answers as another where none is known. */
function exactEngine(fallback: Engine): Engine {
  const description = describe("correctly rounded");
  return {
    describe: () => description,
    async load(graph, dtype): Promise<Reply<LoadedGraph>> {
      const loaded = await fallback.load(graph, dtype);
      if (loaded.kind !== "result") return loaded;
      const program = loaded.value;
      const none = graph.inputs.map(({ shape }) => ({ shape, data: new Float64Array(sizeOf(shape)) }));
      const truth = (point: Point, tangents: readonly FlatTensor[], seeds: readonly Seed[]) =>
        enclosuresOf({ graph, point, tangents, seeds }, referenceStandard(dtype));
      const rounded = async (
        reply: Promise<Reply<readonly FlatTensor[]>>,
        first: number,
        part: (id: NodeId) => readonly Interval[],
      ): Promise<Reply<readonly FlatTensor[]>> => {
        const known = await reply;
        if (known.kind !== "result") return known;
        const value = known.value.map(({ shape, data }, place) => {
          const intervals = part(nodeId(first + place));
          return { shape, data: data.map((x, i) => nearest(at(intervals, i), x, dtype)) };
        });
        return { kind: "result", value };
      };
      const count = graph.inputs.length;
      return {
        kind: "result",
        value: {
          evaluate: (point) => rounded(program.evaluate(point), count, truth(point, none, []).value),
          jvp: (point, tangents) =>
            rounded(program.jvp(point, tangents), count, truth(point, tangents, []).tangent),
          vjp: (point, seeds) => rounded(program.vjp(point, seeds), 0, truth(point, none, seeds).cotangent),
          backwardDense: (point, seeds) =>
            rounded(program.backwardDense(point, seeds), 0, truth(point, none, seeds).cotangent),
          unload: () => program.unload(),
        },
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}

/**
 * Returns the number of a precision next to what an interval encloses; `other` if that is not known, or if so
 * wide a bound may come of a tie, which an enclosure does not decide.
 */
function nearest({ low, bound }: Interval, other: number, dtype: DataType): number {
  const { round, unitRoundoff } = formats[dtype];
  const near = round(approximateRational(low));
  if (!(bound <= Math.sqrt(unitRoundoff) * Math.abs(near))) return other;
  // A zero keeps its sign, which the rational number has not.
  return near === other ? other : near;
}

/** An honest engine is made anew for each run, since its random numbers go on from call to call. */
export interface HonestEngine {
  readonly name: string;
  engine(): Engine;
}

/** These are honest in ways that have been accused, or might be. */
export const honestEngines: readonly HonestEngine[] = [
  {
    name: "folds constant seeds",
    engine: () =>
      algebraEngine<Foldable>(describe("folds constant seeds"), (program, dtype) => {
        const algebra = folding(dtype);
        return {
          additive: algebra.additive,
          graph: interpreted(program, algebra),
          lift: (x) => ({ value: formats[dtype].round(x) }),
          lower: ({ value }) => value,
        };
      }),
  },
  {
    name: "adds in an order that depends on values",
    engine: () => summing("adds the least first", (terms) => terms.toSorted((x, y) => x - y)),
  },
  {
    name: "adds in an order that changes from call to call",
    engine: () => {
      const random = new Random(xoroshiro128plus(17));
      return summing("atomic additions", (terms) => shuffled(terms, random));
    },
  },
  {
    name: "adds pairwise and fuses norms",
    engine: () => summing("pairwise sums", (terms) => terms, pairwise, true),
  },
  { name: "rounds correctly", engine: () => exactEngine(interpreterEngine()) },
  {
    name: "fuses at random",
    engine: () => {
      const algebra = fusing(new Random(xoroshiro128plus(23)));
      return algebraEngine(describe("random FMA", ["float32"]), (program) => ({
        additive: algebra.additive,
        graph: interpreted(program, algebra),
        lift: (x) => plain(Math.fround(x)),
        lower: ({ rounded }) => rounded,
      }));
    },
  },
];
