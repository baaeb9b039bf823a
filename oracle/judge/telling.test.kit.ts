import { type Engine, interpreterEngine, type Mutant, type Reply } from "../../engines/index.ts";
import type { FlatTensor } from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import { searchedCase } from "../generate/index.ts";
import { moved, scaledSeeds } from "../laws/answers.ts";
import found from "./telling.test.json" with { type: "json" };

/** The tests' random search has this seed, and a mutant may survive so many cases. */
const SEED = 7;
const PATIENCE = 10_000;

type Answer = Reply<readonly FlatTensor[]>;

/** Asks an engine all that a case asks, and then the same elsewhere, with other seeds. */
async function answers(engine: Engine, question: Case): Promise<readonly Answer[]> {
  const loaded = await engine.load(question.graph, "float64");
  if (loaded.kind !== "result") return [loaded];
  const program = loaded.value;
  const replies: Answer[] = [];
  for (const [point, factor] of [[question.point, 1] as const, [moved(question), -2] as const]) {
    const scaled = scaledSeeds(question.seeds, factor);
    replies.push(await program.evaluate(point));
    replies.push(await program.jvp(point, question.tangents));
    replies.push(await program.vjp(point, scaled));
    replies.push(await program.backwardDense(point, scaled));
  }
  await program.unload();
  return replies;
}

/** Tells whether two replies hold the same numbers, up to the sign of zeros; all NaNs are one. */
function areSame(a: Answer, b: Answer | undefined): boolean {
  if (a.kind !== "result" || b?.kind !== "result") return a.kind === b?.kind;
  return (
    a.value.length === b.value.length &&
    a.value.every(({ data }, i) => {
      const other = b.value[i]?.data;
      return data.length === other?.length && data.every((x, j) => x === other[j] || Object.is(x, other[j]));
    })
  );
}

/** Tells whether two engines answer a case differently, up to the sign of zeros, read at the end. */
export async function differ(a: Engine, b: Engine, question: Case): Promise<boolean> {
  const [left, right] = [await answers(a, question), await answers(b, question)];
  return left.some((answer, i) => !areSame(answer, right[i]));
}

/**
 * Finds a case of a random search that a mutant answers differently from the interpreter, and of which
 * `isTelling` holds. Its number stands in `telling.test.json`, where it was written when the search found it
 * as the first: `judged` has the first that the judge finds wrong, with all laws, and `short` the first of
 * fewer than 100 nodes, whatever the judge says. A number that is missing or no longer tells is refused, with
 * the one to write there.
 */
export async function tellingCase(
  mutant: Mutant,
  list: keyof typeof found,
  isTelling: (question: Case) => Promise<boolean>,
): Promise<Case> {
  const tells = async (question: Case): Promise<boolean> =>
    (await differ(mutant.engine(), interpreterEngine(), question)) && isTelling(question);
  const written = new Map(Object.entries(found[list])).get(mutant.name);
  if (written !== undefined && written < PATIENCE) {
    const question = searchedCase(SEED, written);
    if (await tells(question)) return question;
  }
  for (let index = 0; index < PATIENCE; index++) {
    if (!(await tells(searchedCase(SEED, index)))) continue;
    throw new Error(
      `${mutant.name} is told by case ${index}, not by ${written}: telling.test.json, under ${list}`,
    );
  }
  throw new Error(`${mutant.name} survives ${PATIENCE} cases`);
}
