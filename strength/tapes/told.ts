import { tapeData } from "../../conformance/corpus/suite.ts";
import { tapeEngine } from "../../conformance/testees/tapes.ts";
import type { Engine } from "../../engines/index.ts";
import { mix, searchedCase } from "../../oracle/generate/index.ts";
import { ask } from "../../oracle/hearing/ask.ts";
import { scriptAt } from "../../oracle/tapes/draw.ts";
import { judgeTapes } from "../../oracle/tapes/judge.ts";
import { type TapeMutant, tapeSystemsOver } from "../../reference/package.ts";
import { present } from "../../spec/index.ts";
import { type SuiteVector, suiteCases } from "../power/suite.ts";

/** Asks a planted tape as anybody would: through the engine that it is, and not by the law of tapes. */
export function plantedEngine({ of, name, system }: TapeMutant): Engine {
  const right = present(
    tapeSystemsOver([]).find((one) => one.name === of),
    of,
  );
  return tapeEngine({ name, system, life: right.life });
}

/** These err in the sign of a zero alone, which either way is right, so no engine is told by one. */
export const beyondQuestions: readonly string[] = ["dynamic-zero-forgotten", "compressed-zeros-alike"];

const isTold = (kind: string): boolean => kind === "disagrees" || kind === "differs" || kind === "crashed";

const vectors: readonly SuiteVector[] = suiteCases().filter(
  ({ name, dtype }) => dtype === "float64" && !name.startsWith("findings/"),
);
const scripts = [...tapeData().values()];

/** Finds the first vector or script of the suites that tells an engine. */
export async function toldBySuite(engine: Engine): Promise<string | undefined> {
  for (const { name, case: question } of vectors)
    if (isTold((await ask(engine, question, "float64", [])).kind)) return name;
  for (const { name, case: question } of scripts) {
    const verdict = await judgeTapes(engine, question, { dtype: "float64", shrinkBudget: 0 });
    if (isTold(verdict.kind)) return `manners/${name}`;
  }
  return undefined;
}

/** A random search ended with what told, after this many questions. */
export interface SearchEnd {
  readonly by: "case" | "script";
  readonly questions: number;
}

/** Asks random cases and scripts in turn, until one tells an engine or this many of each were asked. */
export async function toldBySearch(
  engine: Engine,
  seed: number,
  most: number,
): Promise<SearchEnd | undefined> {
  const { operators } = engine.describe();
  const { lives = [], hooks = false } = engine.tapes ?? {};
  const [first, ...others] = lives;
  for (let index = 0; index < most; index++) {
    const found = await ask(engine, searchedCase(seed, index), "float64", []);
    if (isTold(found.kind)) return { by: "case", questions: 2 * index + 1 };
    if (first === undefined) continue;
    const script = scriptAt({ drawing: mix, operators, lives: [first, ...others], hooks }, seed, index);
    const verdict = await judgeTapes(engine, script, { dtype: "float64", shrinkBudget: 0 });
    if (isTold(verdict.kind)) return { by: "script", questions: 2 * index + 2 };
  }
  return undefined;
}
