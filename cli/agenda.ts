import { coveringOrder, type Drawing, drawnAt, type Sketch } from "../oracle/generate/index.ts";
import { nothingHeard } from "../oracle/hearing/index.ts";
import { campaignOn, type Judged, type JudgeOptions, judge, refusals } from "../oracle/judge/index.ts";
import { judgeTapes } from "../oracle/tapes/index.ts";
import { type Engine, referenceConventions } from "../spec/contract/index.ts";
import type { VectorData } from "../spec/documents/index.ts";
import type { OperatorName } from "../spec/operators/index.ts";
import type { DataType, Expected, Shard } from "../spec/wire/index.ts";
import { isSelected, type Selection, selectedIndexes } from "./selection.ts";
import type { SuiteCase } from "./suite.ts";

/** What every engine is asked: cases from files, or random ones. */
export interface Questions {
  readonly profile: Drawing;
  readonly seed: number;
  readonly cases: number;
  readonly lawsEvery: number;
  /** Cases from files; random ones if there are none. */
  readonly suite: readonly SuiteCase[];
  /** Which of these are asked. */
  readonly selection: Selection;
  /** The part of those that is asked; all where it is left out. */
  readonly shard?: Shard;
}

/** What one engine is asked, in which order. */
export interface Agenda {
  /** How many cases these are. */
  readonly cases: number;
  /** The operators of the cases, as far as they were looked at. */
  readonly operators: ReadonlySet<OperatorName>;
  /** So many of the first cases have all of these. */
  readonly covering: number;
  /** Puts them to an engine, but for the first so many. */
  ask(engine: Engine, dtype: DataType, limits: Limits, first: number): AsyncGenerator<Answered>;
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
  return questions.suite.length > 0 ? suiteAgenda(questions, offered) : randomAgenda(questions, offered);
}

function randomAgenda(questions: Questions, offered: readonly OperatorName[]): Agenda {
  const { profile, seed, cases, shard, selection } = questions;
  const selected = selectedIndexes(selection, profile, { offered, seed, cases });
  const indexes = selected.filter((index) => isIn(shard, index));
  const sketches = indexes.slice(0, LOOKED_AHEAD).map((index): Sketch => {
    const { nodes } = drawnAt(profile, offered, seed, index).graph;
    return { index, operators: [...new Set(nodes.map(({ op }) => op))], nodes: nodes.length };
  });
  const order = coveringOrder(sketches);
  const ordered = [...order.indexes, ...indexes.slice(sketches.length)];
  return {
    cases: indexes.length,
    operators: new Set(sketches.flatMap(({ operators }) => operators)),
    covering: order.covering,
    async *ask(engine, dtype, limits, first) {
      const options = { ...questions, ...limits, dtype, indexes: ordered.slice(first) };
      for await (const judged of campaignOn(engine, options)) yield { place: judged.index, judged };
    },
  };
}

/** Whether a part has the case of this index: every so many-th. */
function isIn(shard: Shard | undefined, index: number): boolean {
  return shard === undefined || index % shard.count === shard.index - 1;
}

function suiteAgenda({ suite: all, shard, selection }: Questions, offered: readonly OperatorName[]): Agenda {
  const selected = all.filter(({ case: { graph } }) => isSelected(selection, graph));
  const suite = selected.filter((_, index) => isIn(shard, index));
  const operators = suite.map(({ case: { graph } }) => graph.nodes.map(({ op }) => op));
  const promised = operators.filter((ops) => ops.every((op) => offered.includes(op)));
  return {
    cases: suite.length,
    operators: new Set(promised.flat()),
    covering: 0,
    async *ask(engine, dtype, limits, first) {
      const refusalOf = refusals(engine, dtype);
      for (const [index, { file, case: question, vector, tapes }] of suite.entries()) {
        if (index < first) continue;
        if (tapes !== undefined) {
          const judged = {
            index,
            case: question,
            verdict: await judgeTapes(engine, tapes, { dtype, ...limits }),
            heard: nothingHeard,
          };
          yield { place: file, judged };
          continue;
        }
        let heard = nothingHeard;
        const hear: JudgeOptions["hear"] = (all) => {
          heard = all;
        };
        const verdict = await judge(engine, question, { dtype, ...limits, ...choicesOf(vector), hear });
        const refusal =
          verdict.kind === "unsupported" ? await refusalOf(question, verdict.reason) : undefined;
        const judged = { index, case: question, verdict, heard };
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
