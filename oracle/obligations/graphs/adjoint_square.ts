import {
  bodiesOf,
  type Expression,
  type LoopProgram,
  type Passes,
  plan,
  soundPasses,
  watched,
  writtenOut,
} from "../../../engines/compile/plan/index.ts";
import { lower, type Request } from "../../../engines/compile/plan/lower/index.ts";
import { type Rational, rational, rationalFromNumber } from "../../../reference/index.ts";
import type { Derived } from "../../../spec/derivatives/index.ts";
import { derive, expandedIndexLimitsOf } from "../../../spec/expansion/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { unaryNames } from "../../../spec/operators/index.ts";
import {
  at,
  fail,
  type Issue,
  type NodeId,
  ok,
  present,
  quote,
  type Result,
  sizeOf,
} from "../../../spec/shapes/index.ts";
import { type Arithmetic, resultsOver } from "../rewrites/index.ts";
import { arithmeticOf } from "./lowered.ts";

/** One way from a graph to the planned program of its gradient: derived first, or lowered first. */
type Way = "derived, then lowered" | "lowered, then derived";

/** A step of a way: the lowering, or a pass that changed the program, and the gradient that it leaves. */
export interface SquareStep {
  readonly way: Way;
  readonly name: string;
  /** The cotangents that are wanted, element after element, at each of the points. */
  readonly gradients: readonly (readonly Rational[])[];
}

/** Both ways, step by step. */
export interface Square {
  readonly steps: readonly SquareStep[];
  /** These functions have no rational values; any numbers stood for theirs, the same at the same places. */
  readonly functions: readonly string[];
}

/** What is asked: the gradient of `of`, pulled back from ones, and where it is compared. */
export interface SquareAsked {
  readonly of: readonly NodeId[];
  readonly wrt: readonly NodeId[];
  /** Numbers for elements of what is given, by point; each is drawn once for a place. */
  readonly points: readonly ((source: string, element: number) => number)[];
}

/** These scalar functions have values over the rationals. */
const exact = new Set(["negative", "add", "subtract", "multiply", "divide", "less", "equal", "select"]);

/**
 * Goes both ways round the square from a graph to the planned program of its gradient, over the rationals:
 * `derive` and then the lowering of what it writes, or the lowering with the planner's own pullbacks; and
 * then each pass that changes the program, one after the other. Law: the square commutes, at each step: all
 * gradients are the same, whatever the elementary functions are, unless a rule uses an identity of one, as
 * that of tanh does. Fails: as {@link derive} does, and `derive/check` where something else than an
 * elementary function of one operand has no rational value. Cost: each program is evaluated at each point.
 */
export function adjointSquare(
  graph: Graph,
  asked: SquareAsked,
  passes: Passes = soundPasses,
  derived: (graph: Graph, asked: Pick<SquareAsked, "of" | "wrt">) => Result<Derived, Issue[]> = (
    one,
    { of, wrt },
  ) => derive(one, { mode: "vjp", of, wrt }),
): Result<Square, Issue[]> {
  const first = derived(graph, asked);
  if (!first.ok) return first;
  const { graph: gradient, results, seeds } = first.value;
  const { ids } = writtenOut(graph, "fast", undefined);
  const moved = (some: readonly NodeId[]): NodeId[] => some.map((id) => at(ids, id));
  const isSeed = new Set(seeds.map((id) => at(gradient.inputs, id).name));
  const ways: readonly (readonly [Way, Graph, Request])[] = [
    ["derived, then lowered", gradient, { values: placedIn(gradient, results) }],
    [
      "lowered, then derived",
      graph,
      {
        values: [],
        cotangents: {
          ids: moved(asked.wrt),
          seeds: moved(asked.of).map((id) => ({ id, from: "ones" as const })),
        },
      },
    ],
  ];
  const steps: SquareStep[] = [];
  const functions = new Set<string>();
  for (const [way, start, request] of ways) {
    const program = lower(writtenOut(start, "fast", undefined).graph, request, "fast");
    for (const name of functionsIn(program)) {
      if (isUnary(name)) functions.add(name);
      else if (!exact.has(name)) return fail([noRational(name)]);
    }
    const tell = (name: string, left: LoopProgram): void => {
      const gradients = asked.points.map((point) => gradientAt(left, start, isSeed, point));
      steps.push({ way, name, gradients });
    };
    tell("lowering", program);
    const heard = (name: string, before: LoopProgram, after: LoopProgram): void => {
      if (after !== before) tell(name, after);
    };
    plan(program, { regime: "fast", precision: "float64", passes: watched(passes, heard) });
  }
  return ok({ steps, functions: [...functions] });
}

function placedIn(graph: Graph, some: readonly NodeId[]): NodeId[] {
  const { ids } = writtenOut(graph, "fast", undefined);
  return some.map((id) => at(ids, id));
}

/** Tells which steps leave another gradient than the first one, where both have values. */
export function brokenSteps(steps: readonly SquareStep[]): readonly SquareStep[] {
  const first = steps[0]?.gradients ?? [];
  const differs = (x: Rational, y: Rational): boolean =>
    x.denominator !== 0n && y.denominator !== 0n && !rational.isSame(x, y);
  return steps.filter(({ gradients }) =>
    gradients.some((all, point) => {
      const wanted = first[point] ?? [];
      return all.length !== wanted.length || all.some((x, i) => differs(x, at(wanted, i)));
    }),
  );
}

function gradientAt(
  program: LoopProgram,
  graph: Graph,
  isSeed: ReadonlySet<string>,
  point: (source: string, element: number) => number,
): readonly Rational[] {
  const sources = program.sources.map(({ origin, shape }) => {
    const name =
      origin.kind === "input"
        ? at(graph.inputs, origin.position).name
        : origin.kind === "environment"
          ? origin.name
          : "";
    return Array.from({ length: sizeOf(shape) }, (_, i) =>
      rationalFromNumber(isSeed.has(name) && origin.kind === "input" ? 1 : point(name, i)),
    );
  });
  const limits = expandedIndexLimitsOf(graph);
  const indices = program.indexSources.map(({ name, size }) =>
    Array.from({ length: size }, (_, i) => Math.abs(point(name, i)) % Math.min(...(limits.get(name) ?? [1]))),
  );
  return resultsOver(program, overRationals(), { sources, indices });
}

function overRationals(): Arithmetic<Rational> {
  const field = present(rational.levels.field, "a field");
  const ring = arithmeticOf(field);
  return {
    ...ring,
    apply: (name, operands) => {
      const [x, y] = [at(operands, 0), at(operands, Math.min(1, operands.length - 1))];
      if (name === "divide") return field.divide(x, y);
      if (name === "equal") return isTrue(x.numerator * y.denominator === y.numerator * x.denominator);
      if (name === "less") return isTrue(x.numerator * y.denominator < y.numerator * x.denominator);
      if (name === "select") return x.numerator === 0n ? at(operands, 2) : y;
      return isUnary(name) ? anyFunction(name, x) : ring.apply(name, operands);
    },
  };
}

/** The hash function FNV-1a takes these numbers. */
const [BASIS, FACTOR] = [0x811c9dc5, 0x01000193];

function isUnary(name: string): boolean {
  return unaryNames.some((one) => one === name);
}

/** Returns a number for a function at a number, the same one each time, and never 0. */
function anyFunction(name: string, { numerator, denominator }: Rational): Rational {
  const mixed = [...`${name} ${numerator}/${denominator}`].reduce(
    (sum, character) => Math.imul(sum ^ character.charCodeAt(0), FACTOR),
    BASIS,
  );
  return rationalFromNumber(1 + (mixed >>> 28));
}

function isTrue(holds: boolean): Rational {
  return rationalFromNumber(holds ? 1 : 0);
}

/** Lists the scalar functions of a program, with the folds and routines that are none. */
function functionsIn(program: LoopProgram): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<Expression>();
  const visit = (part: Expression): void => {
    if (part.kind !== "apply" || seen.has(part)) return;
    seen.add(part);
    names.add(part.function);
    part.operands.forEach(visit);
  };
  for (const instruction of program.instructions) {
    if (instruction.kind === "routine") names.add(instruction.routine.kind);
    if (instruction.kind === "fold") names.add(instruction.operation);
    for (const { body } of bodiesOf(instruction)) visit(body.expression);
  }
  return names;
}

function noRational(name: string): Issue {
  return {
    code: "derive/check",
    pointer: "",
    message: `${quote(name)} has no value over the rationals, where both ways are compared.`,
    hint: "leave --check out; adjudge judge compares rounded gradients of any graph",
  };
}
