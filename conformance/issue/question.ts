import type { Case } from "../../oracle/case/index.ts";
import type { Witness } from "../../oracle/hearing/index.ts";
import { approximateRational } from "../../oracle/truth/centre/index.ts";
import {
  compareRationals,
  type Rational,
  rational,
  rationalFromNumber,
  rationalOf,
} from "../../reference/index.ts";
import { type Expansion, expandUnless } from "../../spec/composites/index.ts";
import { type Graph, operatorsWithin } from "../../spec/graph/index.ts";
import { fail, type NodeId, ok, present, type Result, type Shape } from "../../spec/shapes/index.ts";
import { type DataType, type Mode, parseFloat64 } from "../../spec/wire/index.ts";
import { showExact } from "../report/index.ts";

/** What a script asks a library: one mode of one graph, of which one number is wrong, or which throws. */
export interface IssueQuestion {
  readonly title: string;
  /** What is wrong, in sentences. */
  readonly note: string;
  /** In the operators that the engine has. */
  readonly case: Case;
  readonly dtype: DataType;
  readonly mode: Mode;
  /** Without it the library should answer, and throws. */
  readonly wrong?: WrongAnswer;
}

/** What is wrong with an answer: a number of one of its tensors, or the tensor's shape. */
export interface WrongAnswer {
  /** The place of the tensor among those of the answer. */
  readonly place: number;
  /** The true value, or what is due, for people. */
  readonly truth: string;
  readonly due:
    | { readonly kind: "number"; readonly element: number; readonly right: RightNumbers }
    | { readonly kind: "shape"; readonly shape: Shape };
}

/** NaN alone, or all numbers of an interval with both of its ends. */
export type RightNumbers = "nan" | { readonly low: number; readonly high: number };

/**
 * The float64 numbers within `bound` of `expected`, both in exact text form; `undefined` where `expected` is no number, as for a law that is
 * broken. An infinity is right alone; within no bound every number is.
 */
export function rightNumbers(expected: string, bound: string): RightNumbers | undefined {
  const [centre, radius] = [exactly(expected), exactly(bound)];
  if (centre === undefined) {
    const special = parseFloat64(expected);
    if (special === undefined) return undefined;
    return Number.isNaN(special) ? "nan" : { low: special, high: special };
  }
  if (radius === undefined) return { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const high = greatestBelow(sum(centre, radius));
  const low = -greatestBelow(sum(radius, { ...centre, numerator: -centre.numerator }));
  return { low, high };
}

function sum(x: Rational, y: Rational): Rational {
  return rationalOf(x.numerator * y.denominator + y.numerator * x.denominator, x.denominator * y.denominator);
}

/** The greatest float64 that is not above a rational number. */
function greatestBelow(limit: Rational): number {
  const start = approximateRational(limit);
  let x = Number.isFinite(start) ? start : Math.sign(start) * Number.MAX_VALUE;
  while (compareRationals(rationalFromNumber(x), limit) === 1) x = neighbour(x, -1);
  for (let next = neighbour(x, 1); compareRationals(rationalFromNumber(next), limit) !== 1; ) {
    if (!Number.isFinite(next)) break;
    x = next;
    next = neighbour(x, 1);
  }
  return x;
}

/** The next float64 in a direction. */
function neighbour(x: number, direction: -1 | 1): number {
  if (x === 0) return direction * Number.MIN_VALUE;
  const bits = new BigInt64Array(Float64Array.of(x).buffer);
  const [pattern = 0n] = bits;
  bits[0] = pattern + BigInt(Math.sign(x) * direction);
  return present(new Float64Array(bits.buffer)[0], "a neighbour");
}

/** The rational that a text denotes; `undefined` where it denotes none. */
function exactly(text: string): Rational | undefined {
  const q = rational.parse(text);
  return q === undefined || q.denominator === 0n ? undefined : q;
}

/** The question that a witness is about; a reason where no script can put it. `sent` is what the engine gets in place of a graph. */
export function questionOf(
  { case: asked, question, id, element, expected, bound, blame }: Witness,
  dtype: DataType,
  sent: (graph: Graph) => Graph,
): Result<IssueQuestion, string> {
  const mode = modes.find((one) => one === question);
  if (mode === undefined) return fail(`a script puts one question, and ${question} is about several answers`);
  const due = dueOf(expected, bound, element);
  if (due === undefined) return fail(`what is expected is no number: ${expected}`);
  const { graph, ids } = inOperatorsOf(asked.graph, sent);
  const inputs = mode === "evaluate" || mode === "jvp" ? graph.inputs.length : 0;
  const place = present(ids[id], "the id of the number") - inputs;
  return ok({
    title: `${blame.op ?? "the sum of cotangents"}: a wrong ${blame.part}`,
    note: blame.sentence,
    case: placed(asked, graph, ids),
    dtype,
    mode,
    wrong: { place, truth: showExact(expected), due },
  });
}

function dueOf(expected: string, bound: string, element: number): WrongAnswer["due"] | undefined {
  const right = rightNumbers(expected, bound);
  if (right !== undefined) return { kind: "number", element, right };
  const [, extents] = /^a tensor of shape \[([0-9,]*)\]$/.exec(expected) ?? [];
  if (extents === undefined) return undefined;
  return { kind: "shape", shape: extents === "" ? [] : extents.split(",").map(Number) };
}

/** The question at which an engine throws. */
export function crashOf(
  asked: Case,
  message: string,
  dtype: DataType,
  mode: Mode,
  sent: (graph: Graph) => Graph,
): IssueQuestion {
  const { graph, ids } = inOperatorsOf(asked.graph, sent);
  return { title: `${mode} throws`, note: message, case: placed(asked, graph, ids), dtype, mode };
}

const modes: readonly Mode[] = ["evaluate", "jvp", "vjp", "backward_dense"];

/** The graph as the engine gets it, and where the ids of the original are in it. */
function inOperatorsOf(graph: Graph, sent: (graph: Graph) => Graph): Expansion<Graph> {
  const offered = new Set(operatorsWithin(sent(graph)));
  return expandUnless(graph, (op) => offered.has(op));
}

function placed(asked: Case, graph: Graph, ids: readonly NodeId[]): Case {
  const { point, tangents, seeds } = asked;
  const moved = seeds.map(({ id, cotangent }) => ({ id: present(ids[id], "the id of a seed"), cotangent }));
  return { graph, point, tangents, seeds: moved };
}
