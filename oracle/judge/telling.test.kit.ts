import type { Engine, Mutant, Reply } from "../../engines/index.ts";
import { interpreterEngine } from "../../engines/index.ts";
import type { FlatTensor } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { searchedCase } from "../generate/index.ts";
import { moved, scaledSeeds } from "../laws/answers.ts";

/** The seed of the tests' random search, and the most cases a mutant may survive. */
const SEED = 7;
const PATIENCE = 10_000;

/** What an engine answers to all that a case asks, and then to the same elsewhere, with other seeds. */
async function answers(engine: Engine, question: Case): Promise<readonly string[]> {
  const { tangents, seeds } = question;
  const loaded = await engine.load(question.graph, "float64");
  if (loaded.kind !== "result") return [loaded.kind];
  const program = loaded.value;
  const replies: Reply<readonly FlatTensor[]>[] = [];
  for (const [point, factor] of [[question.point, 1] as const, [moved(question), -2] as const]) {
    const scaled = scaledSeeds(seeds, factor);
    replies.push(await program.evaluate(point));
    replies.push(await program.jvp(point, tangents));
    replies.push(await program.vjp(point, scaled));
    replies.push(await program.backwardDense(point, scaled));
  }
  await program.unload();
  return replies.map((reply) =>
    reply.kind === "result"
      ? reply.value.map(({ data }) => data.map((x) => x + 0).join()).join(";")
      : reply.kind,
  );
}

/** Whether two engines answer a case differently, up to the sign of zeros. */
export async function differ(a: Engine, b: Engine, question: Case): Promise<boolean> {
  const [left, right] = [await answers(a, question), await answers(b, question)];
  return left.some((answer, i) => answer !== right[i]);
}

/**
 * The first case of a random search that a mutant answers differently from the interpreter, and of which `isTelling`
 * holds. Many times faster than a search that asks for the truth of every case.
 */
export async function firstTelling(
  mutant: Mutant,
  isTelling: (question: Case) => Promise<boolean>,
): Promise<Case> {
  const [wrong, right] = [mutant.engine(), interpreterEngine()];
  for (let index = 0; index < PATIENCE; index++) {
    const question = searchedCase(SEED, index);
    if ((await differ(wrong, right, question)) && (await isTelling(question))) return question;
  }
  throw new Error(`${mutant.name} survives ${PATIENCE} cases`);
}
