import { judgedAhead, type Posed, telling } from "../../oracle/driver/index.ts";
import { coveringOrder, type Drawing, drawnAt, type Sketch } from "../../oracle/generate/index.ts";
import { nothingHeard } from "../../oracle/hearing/index.ts";
import { faultMemory, type Judged, type JudgeOptions, posedCases } from "../../oracle/judge/index.ts";
import { laws } from "../../oracle/laws/index.ts";
import { posedTapes, scriptAt } from "../../oracle/tapes/index.ts";
import { type Engine, referenceConventions } from "../../spec/contract/index.ts";
import type { VectorData } from "../../spec/documents/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import type { DataType, Expected, Shard } from "../../spec/wire/index.ts";
import { questionOfTapes, type SuiteCase } from "../given/suite.ts";
import type { Agenda, Course, Limits } from "./kind.ts";
import { Postponing } from "./postponing.ts";
import { isAll, isSelected, type Selection, selectedIndexes } from "./selection.ts";
import { operatorsOf, Turns } from "./turns.ts";

/** Questions about graphs are asked of every engine: cases from files, or random ones. */
export interface Questions {
  /** If true, random questions are tape scripts rather than cases. */
  readonly kind?: "tapes";
  readonly profile: Drawing;
  readonly seed: number;
  readonly cases: number;
  readonly lawsEvery: number;
  /** These cases come from files; if there are none, random ones are drawn. */
  readonly suite: readonly SuiteCase[];
  /** Only the selected cases are asked. */
  readonly selection: Selection;
  /** This part of the selected cases is asked; all of them by default. */
  readonly shard?: Shard;
  /** Cases that failed before are asked first, or they alone. */
  readonly failed?: FailedBefore;
}

/** Some cases of each engine have failed before, by index or file. */
export interface FailedBefore {
  of(engine: string): ReadonlySet<number | string>;
  /** The other cases are not asked. */
  readonly isOnly: boolean;
}

/** A judged case has, beside its verdict, what was heard. */
export type JudgedCase = Omit<Judged, "index">;

/** The agenda looks ahead at this many random cases, more than the mix needs to draw every operator. */
const LOOKED_AHEAD = 300;

/**
 * Returns what an engine with these operators is asked. Random cases are ordered so that every operator comes
 * early; the order changes no case. Cost: some hundred cases drawn.
 */
export function agendaOf(questions: Questions, engine: Engine): Agenda<JudgedCase> {
  return questions.suite.length > 0 ? suiteAgenda(questions, engine) : randomAgenda(questions, engine);
}

/** These fields say how random questions are drawn. */
export type RandomQuestions = Pick<Questions, "kind" | "profile" | "seed">;

/** Returns random question number `index` for an engine, of the operators and tapes it offers. */
export function drawnFor(
  engine: Engine,
  { kind, profile, seed }: RandomQuestions,
  index: number,
): Pick<SuiteCase, "case" | "tapes"> {
  const description = engine.describe();
  const { operators } = description;
  if (kind === undefined) return { case: drawnAt(profile, operators, seed, index, description) };
  const { lives: [life = "until released", ...lives] = [], hooks = false } = engine.tapes ?? {};
  const script = {
    drawing: profile,
    operators,
    promised: description,
    lives: [life, ...lives],
    hooks,
  } as const;
  return questionOfTapes(scriptAt(script, seed, index));
}

/** A question has its place here, and the laws that are checked beside the truth. */
interface Placed extends Pick<SuiteCase, "case" | "vector" | "tapes"> {
  readonly place: number | string;
  readonly laws?: JudgeOptions["laws"];
}

function randomAgenda(questions: Questions, engine: Engine): Agenda<JudgedCase> {
  const { cases, shard, selection } = questions;
  const { early, isOnly } = earlyIn(questions, engine);
  const drawn = (index: number): Pick<SuiteCase, "case" | "tapes"> => drawnFor(engine, questions, index);
  const { operators: offered } = engine.describe();
  const graphAt = (index: number): Graph => drawn(index).case.graph;
  const indexes = function* (): Generator<number> {
    const chosen = isOnly
      ? [...early].filter((index) => isAll(selection) || isSelected(selection, graphAt(index)))
      : selectedIndexes(selection, cases, offered, graphAt);
    for (const index of chosen) if (isIn(shard, index)) yield index;
  };
  const sketches: Sketch[] = [];
  for (const index of indexes()) {
    if (sketches.length === LOOKED_AHEAD) break;
    const { nodes } = drawn(index).case.graph;
    sketches.push({ index, operators: [...new Set(nodes.map(({ op }) => op))], nodes: nodes.length });
  }
  const order = coveringOrder(sketches);
  const ordered = function* (): Generator<number> {
    let place = 0;
    for (const own of isOnly ? [] : early) if (isIn(shard, own)) yield own;
    for (const index of indexes()) {
      const own = order.indexes[place] ?? index;
      place += 1;
      if (isOnly || !early.has(own)) yield own;
    }
  };
  const posed = posedFor(questions, engine);
  return {
    // Behind those that were looked at, a selection is taken to find as many as are wanted.
    cases: sketches.length < LOOKED_AHEAD ? sketches.length : countIn(shard, isOnly ? early.size : cases),
    operators: new Set(sketches.flatMap(({ operators }) => operators)),
    covering: order.covering + (isOnly ? 0 : early.size),
    ask: (engine, dtype, limits, first, course) =>
      asked(ordered(), posed, engine, dtype, { ...limits, memory: faultMemory() }, { first, course }),
  };
}

/** Poses random questions by number, with all laws on every n-th. */
function posedFor(questions: NumberedQuestions, engine: Engine): (index: number) => Placed {
  const { lawsEvery } = questions;
  return (index) => ({
    place: index,
    ...drawnFor(engine, questions, index),
    laws: lawsEvery > 0 && index % lawsEvery === 0 ? laws : [],
  });
}

/** These fields say what random question number n is. */
type NumberedQuestions = RandomQuestions & Pick<Questions, "lawsEvery">;

/** Puts random questions to an engine, by these numbers and in this order. */
export function askedNumbers(
  questions: NumberedQuestions,
  numbers: Iterable<number>,
  engine: Engine,
  dtype: DataType,
  limits: Limits & Pick<JudgeOptions, "memory">,
): AsyncGenerator<{ readonly place: number | string; readonly judged: JudgedCase }> {
  return asked(numbers, posedFor(questions, engine), engine, dtype, limits, { first: 0, course: undefined });
}

/** Returns the random cases that failed before, in their order, and whether others are asked behind them. */
function earlyIn(
  { failed, cases, selection }: Questions,
  engine: Engine,
): { readonly early: ReadonlySet<number>; readonly isOnly: boolean } {
  if (failed === undefined) return { early: new Set(), isOnly: false };
  const { of, isOnly } = failed;
  const indexes = [...of(engine.describe().name)].filter((place) => typeof place === "number");
  // A selection may have found its cases at larger indexes than there are cases.
  const own = isOnly || !isAll(selection) ? indexes : indexes.filter((index) => index < cases);
  return { early: new Set(own.toSorted((a, b) => a - b)), isOnly };
}

/** Tells whether a part has the case of this index: each part takes every n-th case. */
function isIn(shard: Shard | undefined, index: number): boolean {
  return shard === undefined || index % shard.count === shard.index - 1;
}

/** Counts the cases of a part of so many, where none is left out. */
function countIn(shard: Shard | undefined, cases: number): number {
  return shard === undefined ? cases : Math.ceil((cases - shard.index + 1) / shard.count);
}

function suiteAgenda(
  { suite: all, shard, selection, failed }: Questions,
  engine: Engine,
): Agenda<JudgedCase> {
  const { operators: offered, name } = engine.describe();
  const selected = all.filter(({ case: { graph } }) => isSelected(selection, graph));
  const part = selected.filter((_, index) => isIn(shard, index));
  const early = failed?.of(name);
  const failing = early === undefined ? [] : part.filter(({ file }) => early.has(file));
  const others = failed?.isOnly === true ? [] : part.filter((one) => !failing.includes(one));
  const suite = [...failing, ...others];
  const operators = suite.map(({ case: { graph } }) => graph.nodes.map(({ op }) => op));
  const promised = operators.filter((ops) => ops.every((op) => offered.includes(op)));
  return {
    cases: suite.length,
    operators: new Set(promised.flat()),
    covering: 0,
    ask: (engine, dtype, limits, first, course) =>
      asked(suite, (one) => ({ ...one, place: one.file }), engine, dtype, limits, { first, course }),
  };
}

/** An earlier run has asked so many questions, and they ended so. */
interface Begun {
  readonly first: number;
  readonly course: Course | undefined;
}

/**
 * Judges questions in their order, several at a time: scripts for tapes where they are such, else cases.
 * Those of operators that the engine breaks down over come last. What an earlier run has asked is gone
 * through, not asked, so that the same wait.
 */
function asked<T>(
  all: Iterable<T>,
  placed: (one: T) => Placed,
  engine: Engine,
  dtype: DataType,
  limits: Limits & Pick<JudgeOptions, "memory">,
  { first, course }: Begun,
): AsyncGenerator<{ readonly place: number | string; readonly judged: JudgedCase }> {
  const posedCase = posedCases(engine, dtype);
  const postponing = new Postponing();
  const turns = new Turns(all, placed, postponing, first, course);
  const pose = (
    question: Placed,
  ): Posed<{ readonly place: number | string; readonly judged: JudgedCase }> => {
    const { place, case: own, vector, tapes, laws: chosen } = question;
    const told = (judged: JudgedCase) => {
      const waiting = postponing.note(operatorsOf(question), judged.verdict);
      if (waiting.length > 0) course?.postponed(waiting);
      return { place, judged };
    };
    if (tapes !== undefined)
      return telling(posedTapes(engine, tapes, { dtype, ...limits }), (verdict) =>
        told({ case: own, verdict, heard: nothingHeard }),
      );
    const options = { ...limits, ...choicesOf(vector), ...(chosen === undefined ? {} : { laws: chosen }) };
    return telling(posedCase(own, options), told);
  };
  return judgedAhead(engine, turns, pose, { ...limits, putOff: (question) => turns.putOff(question) });
}

/** Returns the choices that a vector leaves open and engines cannot declare; those they can are judged so. */
export function choicesOf(vector: VectorData | undefined): { readonly allowed?: Expected } {
  if (vector?.policy === undefined || Object.hasOwn(referenceConventions, vector.policy.name)) return {};
  return { allowed: vector.expected };
}
