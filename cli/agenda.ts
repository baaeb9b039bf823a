import { type DataType, type Engine, referenceConventions } from "../engines/index.ts";
import {
  type CoveringOrder,
  campaignOn,
  coveringOrder,
  type Drawing,
  drawnAt,
  type Judged,
  type JudgeOptions,
  judge,
  refusals,
  type Sketch,
} from "../oracle/index.ts";
import type { Expected, OperatorName, VectorData } from "../spec/index.ts";
import type { SuiteCase } from "./suite.ts";

/** What every engine is asked: cases from files, or random ones. */
export interface Questions {
  readonly profile: Drawing;
  readonly seed: number;
  readonly cases: number;
  readonly lawsEvery: number;
  /** Cases from files; random ones if there are none. */
  readonly suite: readonly SuiteCase[];
}

/** What one engine is asked, in which order. */
export interface Agenda {
  /** The operators of the cases, as far as they were looked at. */
  readonly operators: ReadonlySet<OperatorName>;
  /** So many of the first cases have all of these. */
  readonly covering: number;
  ask(engine: Engine, dtype: DataType, limits: Limits): AsyncGenerator<Answered>;
}

/** What judging a case may take. */
type Limits = Required<Pick<JudgeOptions, "budget" | "isOver">>;

/** A case that was put to an engine, by its index or its file. */
interface Answered {
  readonly place: number | string;
  readonly judged: Judged;
}

/** So many random cases are looked at before the first is asked: more than it takes the mix to draw every operator. */
const LOOKED_AHEAD = 300;

/**
 * What an engine with these operators is asked. Random cases are asked in an order that has every operator early; which cases
 * these are, and what each of them is, does not depend on it. Cost: some hundred cases drawn.
 */
export function agendaOf(questions: Questions, offered: readonly OperatorName[]): Agenda {
  return questions.suite.length > 0
    ? suiteAgenda(questions.suite, offered)
    : randomAgenda(questions, offered);
}

function randomAgenda(questions: Questions, offered: readonly OperatorName[]): Agenda {
  const { profile, seed, cases } = questions;
  const sketches = Array.from({ length: Math.min(cases, LOOKED_AHEAD) }, (_, index): Sketch => {
    const { nodes } = drawnAt(profile, offered, seed, index).graph;
    return { index, operators: [...new Set(nodes.map(({ op }) => op))], nodes: nodes.length };
  });
  const order = coveringOrder(sketches);
  const options = { ...questions, indexes: [...indexesOf(order, cases)] };
  return {
    operators: new Set(sketches.flatMap(({ operators }) => operators)),
    covering: order.covering,
    async *ask(engine, dtype, limits) {
      for await (const judged of campaignOn(engine, { ...options, ...limits, dtype }))
        yield { place: judged.index, judged };
    },
  };
}

function* indexesOf({ indexes }: CoveringOrder, cases: number): Iterable<number> {
  yield* indexes;
  for (let index = indexes.length; index < cases; index++) yield index;
}

function suiteAgenda(suite: readonly SuiteCase[], offered: readonly OperatorName[]): Agenda {
  const operators = suite.map(({ case: { graph } }) => graph.nodes.map(({ op }) => op));
  const promised = operators.filter((ops) => ops.every((op) => offered.includes(op)));
  return {
    operators: new Set(promised.flat()),
    covering: 0,
    async *ask(engine, dtype, limits) {
      const refusalOf = refusals(engine, dtype);
      for (const [index, { file, case: question, vector }] of suite.entries()) {
        const verdict = await judge(engine, question, { dtype, ...limits, ...choicesOf(vector) });
        const refusal =
          verdict.kind === "unsupported" ? await refusalOf(question, verdict.reason) : undefined;
        const judged = { index, case: question, verdict };
        yield { place: file, judged: refusal === undefined ? judged : { ...judged, refusal } };
      }
    },
  };
}

/** The choices that a vector leaves and engines cannot declare; one that they can is judged as declared. */
export function choicesOf(vector: VectorData | undefined): { readonly allowed?: Expected } {
  if (vector?.policy === undefined || Object.hasOwn(referenceConventions, vector.policy.name)) return {};
  return { allowed: vector.expected };
}
