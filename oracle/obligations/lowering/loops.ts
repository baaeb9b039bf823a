import {
  type LoopProgram,
  type ScalarFunction,
  type Source,
  writtenOut,
} from "../../../engines/compile/plan/index.ts";
import { lower } from "../../../engines/compile/plan/lower/index.ts";
import { map, type Tensor, zeros } from "../../../reference/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import {
  type Algebra,
  assertNever,
  at,
  InvariantError,
  nodeId,
  type OrderedReal,
  present,
} from "../../../spec/shapes/index.ts";
import { type Compared, graphOf, type Pair } from "../derivatives/index.ts";
import {
  dualValueOf,
  type Inputs,
  inputsOf,
  primalOf,
  pullbackOf,
  type RuleOf,
  rightForward,
  type Use,
} from "../operators/index.ts";
import { type Arguments, type Arithmetic, resultsOver } from "../rewrites/index.ts";

/**
 * Engines compute these slopes by other formulas than the reference, which are equal by more than algebra.
 */
export const byOtherFormulas: ReadonlySet<PrimitiveName> = new Set(["tanh", "erf"]);

/** So many tangents are pushed at once, each with numbers of its own. */
const TANGENTS = 2;

/** Lowers a use to loops: its value, its tangents along two directions, and its operands' cotangents. */
export function loopsOf(use: Use<PrimitiveName>): LoopProgram {
  const { graph, output } = writtenOut(graphOf(use), "bit_exact", undefined);
  const ids = graph.inputs.map((_, id) => nodeId(id));
  const result = nodeId(output);
  const moving = { tangents: { ids: [result], count: TANGENTS } };
  const back = { cotangents: { ids, seeds: [{ id: result, from: "source" as const }] } };
  return lower(graph, { values: [result], ...(ids.length === 0 ? {} : { ...moving, ...back }) }, "bit_exact");
}

/** Runs a program over any scalars: every element of every result, in order. */
type Run = <T>(arithmetic: Arithmetic<T>, given: Arguments<T>) => readonly T[];

/** Pairs what loops compute of a use with what the reference's rules do. */
export function comparedLoops<K extends PrimitiveName>(
  use: Use<K>,
  program: LoopProgram,
  run: Run = (arithmetic, given) => resultsOver(program, arithmetic, given),
): Compared {
  return {
    pairs: (algebra, scalar) => {
      const numbers = directionsOf(use, scalar);
      const { sources, indices } = argumentsOf(use, program, numbers);
      const got = run(arithmeticOf(algebra), { sources, indices });
      const wanted = wantedOf(use, algebra, numbers);
      if (got.length !== wanted.length)
        throw new InvariantError("loops have the elements that are asked for");
      return wanted.map(
        (right, position): Pair<typeof right> => [present(got[position], "an element"), right],
      );
    },
  };
}

/** Makes the numbers of a use for each tangent; they differ in the tangents alone. */
function directionsOf<S>(use: Use<PrimitiveName>, scalar: (name: string) => S): readonly Inputs<S>[] {
  return Array.from({ length: TANGENTS }, (_, turn) =>
    inputsOf(use, (name) => scalar(turn > 0 && name.startsWith("dx") ? `more${turn}.${name}` : name)),
  );
}

/** Hands a program its sources, and the use's indices. */
function argumentsOf<S>(use: Use<PrimitiveName>, program: LoopProgram, numbers: readonly Inputs<S>[]) {
  return {
    sources: program.sources.map(({ origin }) => sourceOf(origin, numbers)),
    indices: program.indexSources.map(({ name }) =>
      present(use.usage.environment.find((entry) => entry.name === name)?.indices, "indices of Δ"),
    ),
  };
}

function sourceOf<S>(origin: Source["origin"], numbers: readonly Inputs<S>[]): readonly S[] {
  const first = at(numbers, 0);
  switch (origin.kind) {
    case "input":
      return at(first.x, origin.position).data;
    case "tangent":
      return numbers.flatMap(({ dx }) => at(dx, origin.position).data);
    case "seed":
      return first.c.data;
    case "environment":
      return present(first.environment.get(origin.name), "an entry of Δ").data;
    default:
      return assertNever(origin);
  }
}

/** Lists what the reference's rules compute, element by element, in the order of a program's results. */
function wantedOf<K extends PrimitiveName, S, B>(
  use: Use<K>,
  algebra: Algebra<S, B>,
  numbers: readonly Inputs<S>[],
): readonly S[] {
  const rule: RuleOf<K> = rules[use.op];
  const first = at(numbers, 0);
  const value = primalOf(rule, use, algebra, first);
  if (first.x.length === 0) return value.data;
  const tangents = numbers.map((inputs) =>
    map(dualValueOf(rule, rightForward, use, algebra, inputs), ({ xDot }) => xDot),
  );
  const bars = pullbackOf(rule, use, algebra, first);
  const cotangents = first.x.map((operand, place) => bars[place] ?? zeros(algebra.additive, operand.shape));
  return [value, ...tangents, ...cotangents].flatMap(({ data }: Tensor<S>) => data);
}

/** Takes a loop program's scalar functions from an algebra that has them all. */
function arithmeticOf<S, B>(algebra: Algebra<S, B>): Arithmetic<S> {
  const a = present(algebra.levels.orderedReal, "an algebra with every function");
  return {
    literal: a.literal,
    apply: (name, [x, y, z]) => applied(a, name, [present(x, "an operand"), y, z]),
  };
}

function applied<S, B>(
  a: OrderedReal<S, B>,
  name: ScalarFunction,
  [x, second, third]: readonly [S, S | undefined, S | undefined],
): S {
  const y = (): S => present(second, "a second operand");
  const z = (): S => present(third, "a third operand");
  switch (name) {
    case "subtract":
      return a.add(x, a.negative(y()));
    case "less":
    case "equal":
      return a.select(a[name](x, y()), a.one, a.zero);
    case "select":
      return a.select(a.equal(x, a.zero), z(), y());
    case "multiply_add":
      return a.add(a.multiply(x, y()), z());
    case "add":
    case "multiply":
    case "divide":
    case "pow":
    case "atan2":
    case "hypot":
      return a[name](x, y());
    default:
      return a[name](x);
  }
}
