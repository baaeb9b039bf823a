import type { Case } from "../../oracle/case/index.ts";
import type { Witness } from "../../oracle/hearing/index.ts";
import { type Rational, rational } from "../../reference/index.ts";
import { type Expansion, expandUnless } from "../../spec/expansion/index.ts";
import { type Graph, operatorsWithin } from "../../spec/graph/index.ts";
import { fail, type NodeId, ok, present, type Result, type Shape } from "../../spec/shapes/index.ts";
import { type DataType, type Mode, parseFloat64 } from "../../spec/wire/index.ts";
import { floatBelow } from "../corpus/index.ts";
import { showExact } from "../report/index.ts";

const field = present(rational.levels.field, "the rational numbers");

/** A script asks a library for one mode of one graph, which gives a wrong number or throws. */
export interface IssueQuestion {
  readonly title: string;
  /** It says what is wrong, in sentences. */
  readonly note: string;
  /** Its graph uses only operators that the engine has. */
  readonly case: Case;
  readonly dtype: DataType;
  readonly mode: Mode;
  /** The answer is wrong in this; without it the library throws where it should answer. */
  readonly wrong?: WrongAnswer;
}

/** An answer is wrong in a number of one of its tensors, or in the tensor's shape. */
export interface WrongAnswer {
  /** The tensor's place in the answer. */
  readonly place: number;
  /** The true value, or what is due, as people read it. */
  readonly truth: string;
  readonly due:
    | { readonly kind: "number"; readonly element: number; readonly right: RightNumbers }
    | { readonly kind: "shape"; readonly shape: Shape };
}

/** NaN alone, or all numbers of a closed interval. */
export type RightNumbers = "nan" | { readonly low: number; readonly high: number };

/**
 * Returns the float64 numbers within `bound` of `expected`, both exact texts; an infinity is right alone, and
 * without a bound any number is. Fails: `undefined` where `expected` is no number but a broken law.
 */
export function rightNumbers(expected: string, bound: string): RightNumbers | undefined {
  const [centre, radius] = [exactly(expected), exactly(bound)];
  if (centre === undefined) {
    const special = parseFloat64(expected);
    if (special === undefined) return undefined;
    return Number.isNaN(special) ? "nan" : { low: special, high: special };
  }
  if (radius === undefined) return { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const high = floatBelow(field.add(centre, radius));
  const low = -floatBelow(field.add(radius, field.negative(centre)));
  return { low, high };
}

/** Parses an exact text; `undefined` where it denotes no rational. */
function exactly(text: string): Rational | undefined {
  const q = rational.parse(text);
  return q === undefined || q.denominator === 0n ? undefined : q;
}

/** Returns a witness's question, or why no script can put it; `sent` gives the graph that the engine gets. */
export function questionOf(
  { case: asked, question, id, element, expected, bound, blame }: Witness,
  dtype: DataType,
  sent: (graph: Graph) => Graph,
): Result<IssueQuestion, string> {
  const mode = modes.find((one) => one === question);
  if (mode === undefined) return fail(`a script asks one question, and ${question} compares several answers`);
  const [first, ...others] = asked.calls ?? [];
  if (others.length > 0 || first?.change !== undefined)
    return fail("a script asks one question, and this one is wrong only among other calls");
  const due = dueOf(expected, bound, element);
  if (due === undefined) return fail(`the expected answer is no number: ${expected}`);
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

/** Returns the question at which an engine throws. */
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

/** Expands the graph as the engine gets it, and says where the original's ids are in it. */
function inOperatorsOf(graph: Graph, sent: (graph: Graph) => Graph): Expansion<Graph> {
  const offered = new Set(operatorsWithin(sent(graph)));
  return expandUnless(graph, (op) => offered.has(op));
}

function placed(asked: Case, graph: Graph, ids: readonly NodeId[]): Case {
  const { point, tangents, seeds } = asked;
  const moved = seeds.map(({ id, cotangent }) => ({ id: present(ids[id], "the id of a seed"), cotangent }));
  return { graph, point, tangents, seeds: moved };
}
