import type { Engine } from "../../engines/index.ts";
import { searchedCase } from "../../oracle/generate/index.ts";
import { ask } from "../../oracle/hearing/ask.ts";
import type { Witness } from "../../oracle/hearing/verdict.ts";
import { judge } from "../../oracle/judge/judge.ts";
import { type Cotangents, lawsFor, withCotangents } from "./cotangents.ts";

/** A random search has these options. */
export interface SearchOptions {
  readonly seed: number;
  /** At most this many cases are asked. */
  readonly cases: number;
  readonly cotangents: Cotangents;
}

/** A kill is the first case of a random search that an engine answers wrongly. */
export interface Kill {
  /** This many cases were asked, this one included. */
  readonly cases: number;
  /** This was asked when the answer was wrong. */
  readonly question: Witness["question"];
}

/** Finds the first kill of a random search; `undefined` if the engine survives. Cost: a verdict a case. */
export async function searchKill(engine: Engine, options: SearchOptions): Promise<Kill | undefined> {
  const { seed, cases, cotangents } = options;
  for (let index = 0; index < cases; index++) {
    const question = withCotangents(searchedCase(seed, index), cotangents);
    const outcome = await ask(engine, question, "float64", lawsFor(cotangents));
    if (outcome.kind === "differs") return { cases: index + 1, question: outcome.finding.question };
  }
  return undefined;
}

/** Shrinks the case at which a random search of generic cotangents ended. */
export async function witnessOf(engine: Engine, seed: number, { cases }: Kill): Promise<Witness | undefined> {
  const verdict = await judge(engine, searchedCase(seed, cases - 1), { dtype: "float64" });
  return verdict.kind === "disagrees" ? verdict.witness : undefined;
}
