import {
  bfloat16,
  boolean,
  dual,
  float16,
  float32,
  float64,
  formal,
  integer,
  modular,
  type RunTexts,
  rational,
  traceOf,
} from "../reference/index.ts";
import type { Algebra, Graph, Issue, Result, TraceJson } from "../spec/index.ts";

/** Runs a program over the algebra it closes over: the carrier's type stays inside. */
export type Runner = (
  program: Graph,
  texts: RunTexts,
  form: "dense" | "sparse",
) => Result<TraceJson, Issue[]>;

/** An algebra as the command line sees it, and the same under dual numbers. */
interface Choice {
  readonly run: Runner;
  dual(): Choice;
}

const choices: ReadonlyMap<string, Choice> = new Map([
  ["integer", choiceOf(integer)],
  ["rational", choiceOf(rational)],
  ["modular", choiceOf(modular)],
  ["formal", choiceOf(formal)],
  ["float64", choiceOf(float64)],
  ["float32", choiceOf(float32)],
  ["float16", choiceOf(float16)],
  ["bfloat16", choiceOf(bfloat16)],
  ["boolean", choiceOf(boolean)],
]);

/** What may be written for an algebra. */
export const algebraNames: readonly string[] = [...choices.keys(), "dual(…)"];

/** The runner over the algebra of that name, `dual(…)` nested as often as wanted; `undefined` for any other text. */
export function runnerOf(name: string): Runner | undefined {
  return choiceNamed(name)?.run;
}

function choiceNamed(name: string): Choice | undefined {
  const inner = /^dual\((.*)\)$/.exec(name)?.[1];
  return inner === undefined ? choices.get(name) : choiceNamed(inner)?.dual();
}

function choiceOf<S, B>(algebra: Algebra<S, B>): Choice {
  return {
    run: (program, texts, form) => traceOf(program, algebra, texts, form),
    dual: () => choiceOf(dual(algebra)),
  };
}
