import { Exhausted, whileInTime } from "../../reference/index.ts";
import type { FunctionQuestion } from "../../spec/documents/index.ts";
import { type Budget, defaultBudget, overBudget } from "../../spec/expansion/index.ts";
import type { Case } from "../case/index.ts";
import type { Blame, Finding, Witness } from "../hearing/index.ts";
import { isSmaller, measure, simplifications } from "../shrink/index.ts";
import { type Standard, standardOfFunction } from "../truth/index.ts";
import { type AskedAt, askAt } from "./ask.ts";
import { blameFunction } from "./blame.ts";
import { type AskedFunction, drawnPoint, givenPoint, isInDomain } from "./question.ts";

/** So many numbers were looked at. */
interface FunctionCounts {
  readonly points: number;
  readonly numbers: number;
  /** So many of them are right for certain. */
  readonly decided: number;
}

/** A verdict on a function, at all points that it was asked at. */
export type FunctionVerdict = FunctionCounts &
  (
    | { readonly kind: "agrees" }
    /** `differs`: the values, so that the graph is not this function's, or its values are wrong. */
    | { readonly kind: "disagrees" | "differs" | "imprecise"; readonly witness: Witness }
    | { readonly kind: "undecided"; readonly cause: string }
    | { readonly kind: "unsupported"; readonly reason: string }
    | { readonly kind: "crashed"; readonly message: string; readonly case: Case }
  );

/** Judging a function may take this much. */
interface FunctionOptions {
  readonly budget?: Budget;
  readonly isOver?: () => boolean;
  /** At most so many plainer points are tried where the answer is wrong: 200 unless given. */
  readonly shrinkBudget?: number;
  /** Returns the question at smaller extents of its inputs, with the function that it is about. */
  readonly smaller?: (shapes: readonly (readonly number[])[]) => Promise<Posed | undefined>;
  /** Returns the question as the function is at a point, where branches depend on numbers. */
  readonly at?: (point: Case) => Promise<Posed | undefined>;
}

/** A question and the function that it is about. */
export interface Posed {
  readonly question: FunctionQuestion;
  readonly asked: AskedFunction;
}

/** Where so small a part of the numbers is decided, nothing is known of the function. */
const LEAST_DECIDED = 0.5;

/** Besides the point where a gradient is wrong, so many are looked at to find out which part of it is. */
const POINTS_TO_BLAME = 4;

/** A function is asked so many points again at smaller extents. */
const POINTS_WHEN_SMALLER = 5;

/**
 * Judges a function: asks it at the points that are given and at drawn ones, until an answer is wrong; then
 * looks for smaller extents and a plainer point where it still is, and for the part of the gradient to blame.
 * A function that answers otherwise when it is asked again accuses nobody. Never rejects for what a function
 * does. Cost: a call for each mode and a truth for each point.
 */
export async function judgeFunction(
  { question, asked }: Posed,
  options: FunctionOptions = {},
): Promise<FunctionVerdict> {
  const { budget = defaultBudget, isOver } = options;
  const excess = overBudget(question.graph, budget);
  const none = { points: 0, numbers: 0, decided: 0 };
  if (excess !== undefined)
    return { ...none, kind: "unsupported", reason: `${excess.message} Hint: ${excess.hint}` };
  const whole = (): Promise<FunctionVerdict> => judgeWhole({ question, asked }, options);
  try {
    return isOver === undefined ? await whole() : await whileInTime(isOver, whole);
  } catch (thrown) {
    if (!(thrown instanceof Exhausted)) throw thrown;
    const cause = `the ${thrown.what} was used up before the truth was known`;
    return { ...none, kind: "undecided", cause };
  }
}

const standards = new WeakMap<FunctionQuestion, Standard>();

function standardFor(question: FunctionQuestion): Standard {
  const standard = standards.get(question) ?? standardOfFunction(question.declared, question.dtype);
  standards.set(question, standard);
  return standard;
}

async function judgeWhole(posed: Posed, options: FunctionOptions): Promise<FunctionVerdict> {
  const { question } = posed;
  const total = question.at.length + question.points;
  let counts: FunctionCounts = { points: 0, numbers: 0, decided: 0 };
  let cause: string | undefined;
  let imprecise: { readonly finding: Finding; readonly point: Case } | undefined;
  for (let index = 0; index < total; index++) {
    const point =
      index < question.at.length
        ? givenPoint(question, index)
        : drawnPoint(question, index - question.at.length);
    const reached = await reach(posed, point, options);
    if (reached === undefined) continue;
    const { posed: here, point: there } = reached;
    const found = await askThere(here, there);
    counts = {
      points: counts.points + 1,
      numbers: counts.numbers + found.numbers,
      decided: counts.decided + found.decided,
    };
    const { outcome } = found;
    if (outcome.kind === "unsupported") return { ...counts, ...outcome };
    if (outcome.kind === "crashed")
      return { ...counts, kind: "crashed", message: outcome.message.replace(/^error: /, ""), case: there };
    if (outcome.kind === "differs") {
      const accused = await accuse({ posed: here, point: there, finding: outcome.finding }, options);
      return { ...counts, ...accused };
    }
    if (outcome.kind === "undecided") cause ??= outcome.cause;
    if (found.imprecise !== undefined) imprecise ??= { finding: found.imprecise, point: there };
  }
  if (imprecise !== undefined) {
    const { finding, point } = imprecise;
    const blame = asAWhole(finding, "It is right within its bound, and has fewer digits than were demanded.");
    return { ...counts, kind: "imprecise", witness: { case: point, ...finding, blame } };
  }
  if (counts.numbers > 0 && counts.decided >= LEAST_DECIDED * counts.numbers) {
    return { ...counts, kind: "agrees" };
  }
  return { ...counts, kind: "undecided", cause: cause ?? "nothing was asked" };
}

/** A question as it is at a point. */
interface Reached {
  readonly posed: Posed;
  readonly point: Case;
}

/** Returns a question at a point, with the graph of the branches taken there if these depend on numbers. */
async function reach(
  posed: Posed,
  point: Case,
  { at: brought }: FunctionOptions,
): Promise<Reached | undefined> {
  if (brought === undefined) return { posed, point };
  const there = await brought(point);
  if (there === undefined) return undefined;
  const { graph, outputs } = there.question;
  const places = posed.question.outputs;
  const seeds = point.seeds.flatMap(({ id, cotangent }) => {
    const output = outputs[places.indexOf(id)];
    return output === undefined ? [] : [{ id: output, cotangent }];
  });
  // What the branches that are taken there need of Δ comes with the graph.
  const reached = { ...point.point, environment: there.question.environment };
  return { posed: there, point: { ...point, graph, point: reached, seeds } };
}

async function askThere({ question, asked }: Posed, point: Case): Promise<AskedAt> {
  return askAt(question, asked, standardFor(question), point);
}

type Accusation =
  | { readonly kind: "disagrees" | "differs"; readonly witness: Witness }
  | { readonly kind: "undecided"; readonly cause: string };

/** Returns the verdict on a wrong answer, at the smallest extents and the plainest point that were found. */
async function accuse(came: WrongAt, options: FunctionOptions): Promise<Accusation> {
  const again = await askThere(came.posed, came.point);
  if (again.outcome.kind !== "differs") {
    const cause = "the function answers otherwise when it is asked the same again";
    return { kind: "undecided", cause };
  }
  const isPointwise = options.at !== undefined;
  // A graph that holds at one point alone says nothing of another.
  const first = isPointwise ? came : await atSmallerExtents(came, options);
  const { posed, ...plainest } = isPointwise
    ? first
    : await atPlainerPoint(first, options.shrinkBudget ?? 200);
  const kind = plainest.finding.question === "evaluate" ? "differs" : "disagrees";
  const blame = await blamed(posed, plainest.point, plainest.finding, isPointwise);
  return { kind, witness: { case: plainest.point, ...plainest.finding, blame } };
}

/** A function answers wrongly at a point. */
interface WrongAt {
  readonly posed: Posed;
  readonly point: Case;
  readonly finding: Finding;
}

/** Looks for smaller extents at which the function is wrong too. */
async function atSmallerExtents(came: WrongAt, { smaller }: FunctionOptions): Promise<WrongAt> {
  if (smaller === undefined) return came;
  let smallest = came;
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (const shapes of smallerShapes(smallest.posed.question)) {
      const posed = await smaller(shapes);
      const wrong = posed === undefined ? undefined : await firstWrong(posed, smallest.finding);
      if (wrong === undefined) continue;
      smallest = wrong;
      isSettled = false;
      break;
    }
  }
  return smallest;
}

/** Lists shapes of the inputs in which one extent, wherever it occurs, is smaller. */
function* smallerShapes({ graph }: FunctionQuestion): Generator<readonly (readonly number[])[]> {
  const shapes = graph.inputs.map(({ shape }) => shape);
  const extents = [...new Set(shapes.flat())].filter((extent) => extent > 1).sort((a, b) => b - a);
  for (const extent of extents) {
    const tries = new Set([1, 2, Math.floor(extent / 2)].filter((less) => less >= 1 && less < extent));
    for (const less of tries) {
      yield shapes.map((shape) => shape.map((one) => (one === extent ? less : one)));
    }
  }
}

async function firstWrong(posed: Posed, { question: mode }: Finding): Promise<WrongAt | undefined> {
  for (let index = 0; index < POINTS_WHEN_SMALLER; index++) {
    const point = drawnPoint(posed.question, index);
    const { outcome } = await askThere(posed, point);
    if (outcome.kind === "differs" && outcome.finding.question === mode)
      return { posed, point, finding: outcome.finding };
    if (outcome.kind === "unsupported" || outcome.kind === "crashed") return undefined;
  }
  return undefined;
}

/** Looks for a plainer point of the domain, with plainer seeds, where the same mode is wrong. */
async function atPlainerPoint(came: WrongAt, budget: number): Promise<WrongAt> {
  const { posed } = came;
  let plainest = came;
  let left = budget;
  for (let isSettled = false; !isSettled && left > 0; ) {
    isSettled = true;
    for (const simpler of simplifications(plainest.point)) {
      if (left <= 0) break;
      const isPlainer = isSmaller(measure(simpler), measure(plainest.point));
      if (!isPlainer || !isInDomain(posed.question, came.point, simpler)) continue;
      left -= 1;
      const { outcome } = await askThere(posed, simpler);
      if (outcome.kind !== "differs" || outcome.finding.question !== came.finding.question) continue;
      plainest = { posed, point: simpler, finding: outcome.finding };
      isSettled = false;
      break;
    }
  }
  return plainest;
}

function asAWhole({ id, question }: Finding, sentence: string): Blame {
  const part = question === "evaluate" ? "value" : question === "jvp" ? "tangent" : "cotangent";
  return { id, op: undefined, part, sentence };
}

async function blamed(
  { question, asked }: Posed,
  point: Case,
  finding: Finding,
  isPointwise: boolean,
): Promise<Blame> {
  if (finding.question === "evaluate") {
    const sentence =
      "The values differ, so derivatives were not compared: the graph is not what this function computes.";
    return asAWhole(finding, sentence);
  }
  if (finding.question !== "vjp") return asAWhole(finding, "The function as a whole has this tangent.");
  // A plain point may hide which part it is: several generic ones show it.
  const points = Array.from({ length: isPointwise ? 0 : POINTS_TO_BLAME }, (_, index) =>
    drawnPoint(question, index),
  );
  const others = points.filter(({ point: { inputs } }) =>
    inputs.every(({ data }) => data.every(Number.isFinite)),
  );
  return blameFunction(question, asked, [point, ...others], finding.id);
}
