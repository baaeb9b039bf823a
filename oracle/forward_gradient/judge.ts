import { float64 } from "../../reference/index.ts";
import { threefry2x32 } from "../../reference/operators/index.ts";
import type { Along, Engine, LoadedGraph, Reply } from "../../spec/contract/index.ts";
import { at, type NodeId, nodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { type DataType, type FlatTensor, formats } from "../../spec/wire/index.ts";
import { type Case, runReference } from "../case/index.ts";
import { type Ended, inFlight, type JudgingOptions, judgeBy, type Kind } from "../driver/index.ts";
import { excusing } from "../hearing/index.ts";
import { shrink } from "../shrink/index.ts";
import { type Component, judgedBy, standardOf, type Truth, truthOf } from "../truth/index.ts";
import { estimateQuestion } from "./estimate_graph.ts";
import { estimateLaw, type MeanFound, meanOf } from "./means.ts";

/** These options say how an estimator is judged. */
export interface EstimateOptions {
  readonly dtype: DataType;
  /** Each law is asked about this many seeds. */
  readonly samples: number;
  /** This is the first of them; given directions are drawn from it too. */
  readonly seed: number;
  /** A right estimator is accused with at most this probability, over all of its means. */
  readonly alarm: number;
}

/** An estimate is wrong in a number of it, or in a mean. */
export interface EstimateFault {
  readonly input: NodeId;
  readonly element: number;
  /** This says in words what is compared. */
  readonly of: string;
  readonly found: number;
  readonly expected: string;
  readonly within: number;
}

/** The directions of one law led to this. */
export interface EstimateVerdict {
  readonly law: Along["law"];
  readonly kind: "agrees" | "disagrees" | "undecided" | "unsupported" | "failed";
  /** This many numbers and means were compared. */
  readonly compared: number;
  readonly faults: readonly EstimateFault[];
  readonly reason?: string;
}

/** All laws together led to this; a case that is too large or takes too long is asked none. */
export type CaseEstimates =
  | {
      readonly kind: "agrees" | "undecided" | "unsupported" | "crashed";
      readonly laws: readonly EstimateVerdict[];
    }
  /** `case` is the smallest found with a wrong estimate. */
  | { readonly kind: "disagrees"; readonly laws: readonly EstimateVerdict[]; readonly case: Case };

/** These options say how the estimates of a case are judged. */
export type JudgeEstimatesOptions = EstimateOptions & JudgingOptions<CaseEstimates>;

/** This many directions are given. */
const GIVEN = 16;

/**
 * Judges an engine's forward gradients of a case, law by law. Along given directions, every number is held to
 * the bound of the graph that computes the estimate. Along directions that the engine draws, the means of
 * estimates and of their squares over many seeds are held to the exact means, by tests whose rates of false
 * alarms add up to `alarm`. Never rejects for what an engine does.
 */
export async function judgeEstimates(
  engine: Engine,
  question: Case,
  options: EstimateOptions,
): Promise<readonly EstimateVerdict[]> {
  const laws = engine.estimates ?? [];
  const loaded = await engine.load(question.graph, options.dtype);
  if (loaded.kind !== "result") return laws.map((law) => without(law, loaded));
  const verdicts: EstimateVerdict[] = [];
  for (const law of laws)
    verdicts.push(
      law === "given"
        ? await judgeGiven(engine, loaded.value, question, options)
        : await judgeDrawn(engine, loaded.value, question, law, options, alarmOf(question, laws, options)),
    );
  await loaded.value.unload();
  return verdicts;
}

/** Gives {@link judgeEstimates} as one verdict; if a law disagrees, on the smallest case found that does. */
export async function judgeCaseEstimates(
  engine: Engine,
  question: Case,
  options: JudgeEstimatesOptions,
): Promise<CaseEstimates | Ended> {
  return judgeBy(estimates, engine, question, options);
}

/** This kind of question asks for estimates of the gradients of cases. */
const estimates: Kind<Case, readonly EstimateVerdict[], CaseEstimates, JudgeEstimatesOptions> = {
  // Each costs thousands of estimates.
  shrinkBudget: 40,
  graphsOf: ({ graph }) => [graph],
  async ask(engine, question, options) {
    const laws = await judgeEstimates(engine, question, options);
    const has = (kind: EstimateVerdict["kind"]): boolean => laws.some((verdict) => verdict.kind === kind);
    if (has("disagrees")) return { finding: laws };
    if (has("failed")) return { verdict: { kind: "crashed", laws } };
    // Every law was promised, so a case agrees only where each does.
    if (has("unsupported") || laws.length === 0) return { verdict: { kind: "unsupported", laws } };
    return { verdict: { kind: has("undecided") ? "undecided" : "agrees", laws } };
  },
  shrink,
  blame: async (_, { question, finding }) => ({ kind: "disagrees", laws: finding, case: question }),
  blameHastily: ({ question, finding }) => ({ kind: "disagrees", laws: finding, case: question }),
};

/** Returns one mean's share of the alarm: there are two for each number of the gradient and each law. */
function alarmOf({ graph }: Case, laws: readonly Along["law"][], { alarm }: EstimateOptions): number {
  const numbers = graph.inputs.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
  const drawn = laws.filter((law) => law !== "given").length;
  return alarm / (2 * Math.max(numbers, 1) * Math.max(drawn, 1));
}

function without(
  law: Along["law"],
  reply: Exclude<Reply<unknown>, { readonly kind: "result" }>,
): EstimateVerdict {
  const reason = "reason" in reply ? reply.reason : reply.message;
  const kind = reply.kind === "unsupported" ? "unsupported" : "failed";
  return { law, kind, compared: 0, faults: [], reason };
}

/** Directions have few digits, so that every precision has them: signs, halves and quarters. */
function givenDirections(
  { graph }: Case,
  { dtype, seed }: EstimateOptions,
): readonly (readonly FlatTensor[])[] {
  const shapes = graph.inputs.map(({ shape }) => shape);
  return Array.from({ length: GIVEN }, (_, n) => {
    const signs = signsOf(seed + n, shapes);
    if (n === 0) return signs;
    return signs.map(({ shape, data }) => ({
      shape,
      data: data.map((sign, i) => formats[dtype].round(sign * (1 + ((i + n) % 4) / 4) * 2 ** -((i * n) % 3))),
    }));
  });
}

/** Draws signs with probability ½ each: the first bits of Threefry's words, so that a seed repeats them. */
function signsOf(seed: number, shapes: readonly Shape[]): readonly FlatTensor[] {
  let counter = 0;
  const sign = (): number => {
    const [x, y] = threefry2x32([seed, 0], [0, counter++]);
    return (x ^ y) < 0 ? 1 : -1;
  };
  return shapes.map((shape) => ({ shape, data: Float64Array.from({ length: sizeOf(shape) }, sign) }));
}

async function judgeGiven(
  engine: Engine,
  program: LoadedGraph,
  question: Case,
  options: EstimateOptions,
): Promise<EstimateVerdict> {
  const law = "given";
  const faults: EstimateFault[] = [];
  let [compared, undecided] = [0, 0];
  const directions = givenDirections(question, options);
  const replies = inFlight(engine, directions, (tangents) => asked(program, question, { law, tangents }));
  for await (const [tangents, reply] of replies) {
    if (reply.kind !== "result") return without(law, reply);
    const truth = componentsOf(engine, question, tangents, options.dtype);
    for (const [input, components] of truth.entries())
      for (const [element, component] of components.entries()) {
        const found = reply.value[input]?.data[element] ?? Number.NaN;
        const judgement = component.judge(found);
        compared += 1;
        if (judgement === "undecided") undecided += 1;
        if (judgement === "outside")
          faults.push({
            input: nodeId(input),
            element,
            of: "the estimate along a given direction",
            found,
            expected: component.allowed,
            within: component.bound,
          });
      }
  }
  return verdictOf(law, compared, undecided, faults);
}

function componentsOf(
  engine: Engine,
  question: Case,
  tangents: readonly FlatTensor[],
  dtype: DataType,
): readonly (readonly Component[])[] {
  const { case: asked, estimates } = estimateQuestion(question, tangents);
  const standard = standardOf(engine.describe(), dtype);
  const truth = truthOf(asked, standard);
  // A slope whose tangent may be NaN by a stored zero makes the whole estimate NaN, and accuses nobody.
  const found: { isExcused?: boolean } = {};
  const isExcused = (): boolean => {
    found.isExcused ??= mayBeNaN(question.seeds, truthOf({ ...question, tangents }, standard));
    return found.isExcused;
  };
  return estimates.map((id) =>
    truth.value(id).map((component) =>
      judgedBy(component, (answer) => {
        const judged = component.judge(answer);
        return judged === "outside" && Number.isNaN(answer) && isExcused() ? "undecided" : judged;
      }),
    ),
  );
}

/** Tells whether a tangent at one of the seeds may be NaN. */
function mayBeNaN(seeds: Case["seeds"], truth: Truth): boolean {
  const { tangent } = excusing(truth, "tangent");
  return seeds.some(({ id }) => tangent(id).some((component) => component.judge(Number.NaN) !== "outside"));
}

async function asked(
  program: LoadedGraph,
  { point, seeds }: Case,
  along: Along,
): Promise<Reply<readonly FlatTensor[]>> {
  if (program.forwardGradient === undefined)
    return { kind: "unsupported", reason: "the engine has no forward gradients" };
  return program.forwardGradient(point, seeds, along);
}

/**
 * Tells whether a component of a gradient is 0, or its fourth power, of which the law of an estimate's square
 * is made, a normal double: no bound is made of what overflows or underflows.
 */
function hasFourthPower(component: number): boolean {
  const size = Math.abs(component);
  return size === 0 || (size > 2 ** -250 && size < 2 ** 250);
}

async function judgeDrawn(
  engine: Engine,
  program: LoadedGraph,
  question: Case,
  law: "rademacher" | "gaussian",
  options: EstimateOptions,
  alarm: number,
): Promise<EstimateVerdict> {
  const { samples, seed } = options;
  const run = runReference(question, float64);
  const zeros = (shape: Shape): readonly number[] => Array.from({ length: sizeOf(shape) }, () => 0);
  const gradient = question.graph.inputs.flatMap(({ shape }, id) => [
    ...(run.cotangents.get(nodeId(id))?.data ?? zeros(shape)),
  ]);
  if (!gradient.every(hasFourthPower)) return verdictOf(law, 2 * gradient.length, 2 * gradient.length, []);
  const { rounding, isExcused } = looked(engine, question, options);
  if (!Number.isFinite(rounding)) return verdictOf(law, 2 * gradient.length, 2 * gradient.length, []);
  const drawn: number[][] = gradient.map(() => []);
  const seeds = Array.from({ length: samples }, (_, n) => (seed + n) >>> 0);
  for await (const [, reply] of inFlight(engine, seeds, (seed) => asked(program, question, { law, seed }))) {
    if (reply.kind !== "result") return without(law, reply);
    const numbers = reply.value.flatMap(({ data }) => [...data]);
    for (const [place, of] of drawn.entries()) of.push(numbers[place] ?? Number.NaN);
  }
  const again = await askedAgain(engine, (seed) => asked(program, question, { law, seed }), seeds, drawn);
  if (again.kind !== "result") return without(law, again);
  const size = Math.max(...gradient.map(Math.abs), 0) + Math.hypot(...gradient);
  const places = question.graph.inputs.flatMap(({ shape }, input) =>
    Array.from({ length: sizeOf(shape) }, (_, element) => ({ input: nodeId(input), element })),
  );
  const others = again.value.flatMap(({ place, seed, before, found }): EstimateFault[] => {
    const within = REPEATED * rounding;
    const isSame = Number.isNaN(before) || Number.isNaN(found) || Math.abs(before - found) <= within;
    if (isSame) return [];
    const of = `the estimate of seed ${seed}, asked again,`;
    return [{ ...at(places, place), of, found, expected: String(before), within }];
  });
  const faults = [
    ...others,
    ...places.flatMap(({ input, element }, place): EstimateFault[] => {
      const { estimate, square } = estimateLaw(law, gradient, place);
      const numbers = at(drawn, place);
      const told = (of: string, mean: MeanFound, expected: number, allowance: number): EstimateFault[] => {
        const within = mean.threshold + allowance;
        if (Math.abs(mean.found - expected) <= within) return [];
        if (Number.isNaN(mean.found) && isExcused(place)) return [];
        return [{ input, element, of, found: mean.found, expected: String(expected), within }];
      };
      return [
        ...told("the mean of estimates", meanOf(numbers, estimate, alarm), estimate.mean, rounding),
        ...told(
          "the mean of their squares",
          meanOf(
            numbers.map((x) => x ** 2),
            square,
            alarm,
          ),
          square.mean,
          2 * rounding * (size + rounding) * gradient.length,
        ),
      ];
    }),
  ];
  const silent = drawn.filter((numbers, place) => numbers.some(Number.isNaN) && isExcused(place));
  return verdictOf(law, 2 * gradient.length, 2 * silent.length, faults);
}

/** So many seeds are asked again: the same seed must draw the same direction (docs/protocol.md). */
const AGAIN = 8;

/**
 * Two estimates of one direction lie within so many of the allowances of a mean, which are for numbers of
 * size 2. Rounding grows with the square of a direction's numbers, and a normal one of 8 never comes.
 */
const REPEATED = 32;

/** A number of an estimate came `before`, and was `found` when the same seed was asked again. */
interface Repeated {
  readonly place: number;
  readonly seed: number;
  readonly before: number;
  readonly found: number;
}

/** Asks the first seeds again, behind all others, so that what an engine keeps between them shows. */
async function askedAgain(
  engine: Engine,
  ask: (seed: number) => Promise<Reply<readonly FlatTensor[]>>,
  seeds: readonly number[],
  drawn: readonly (readonly number[])[],
): Promise<Reply<readonly Repeated[]>> {
  const repeated: Repeated[] = [];
  let turn = 0;
  for await (const [seed, reply] of inFlight(engine, seeds.slice(0, AGAIN), ask)) {
    if (reply.kind !== "result") return reply;
    const numbers = reply.value.flatMap(({ data }) => [...data]);
    for (const [place, of] of drawn.entries())
      repeated.push({ place, seed, before: at(of, turn), found: numbers[place] ?? Number.NaN });
    turn += 1;
  }
  return { kind: "result", value: repeated };
}

/**
 * Looks along some directions of signs. Rounding adds at most four times the greatest bound, since a drawn
 * number may exceed 1; `isExcused` tells where a NaN accuses nobody.
 */
function looked(
  engine: Engine,
  question: Case,
  { dtype, seed }: EstimateOptions,
): { readonly rounding: number; readonly isExcused: (place: number) => boolean } {
  const shapes = question.graph.inputs.map(({ shape }) => shape);
  const seen = Array.from({ length: GIVEN }, (_, n) =>
    componentsOf(engine, question, signsOf(seed + n, shapes), dtype).flat(),
  );
  const bounds = seen.flat().map(({ bound }) => (Number.isNaN(bound) ? Number.POSITIVE_INFINITY : bound));
  const [first = []] = seen;
  return {
    rounding: 4 * Math.max(0, ...bounds),
    isExcused: (place) => first[place]?.judge(Number.NaN) !== "outside",
  };
}

function verdictOf(
  law: Along["law"],
  compared: number,
  undecided: number,
  faults: readonly EstimateFault[],
): EstimateVerdict {
  const kind = faults.length > 0 ? "disagrees" : compared > undecided ? "agrees" : "undecided";
  return { law, kind, compared, faults };
}
