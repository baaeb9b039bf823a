import type { Obligation } from "./obligation.ts";
import { partScript, type Script } from "./script.ts";
import type { Asked } from "./solve/index.ts";

/** This many sets of hypotheses are tried before a hypothesis counts as dead. */
const TRIED = 32;

/** A search found a core with the hypothesis or not, and asked these scripts. */
export interface CoreSearch {
  readonly isFound: boolean;
  readonly asked: readonly Asked[];
}

/**
 * Looks for a proof that uses the hypothesis `name`, which the proof with `core` does not: leaves out one
 * hypothesis of a core, asks again, and so on, breadth first, until a core has it, nothing is left to leave
 * out, or {@link TRIED} sets were asked. Law: finds every minimal core, given enough tries. Source: Reiter, A
 * theory of diagnosis from first principles (1987), the hitting-set tree.
 */
export async function findCoreWith(
  obligation: Obligation,
  name: string,
  core: readonly string[],
  ask: (script: Script) => Promise<Asked>,
): Promise<CoreSearch> {
  const names = obligation.hypotheses.map((hypothesis) => hypothesis.name);
  const asked: Asked[] = [];
  const seen = new Set<string>();
  const waiting = branches(names, [], core);
  for (const left of waiting) {
    const key = left.toSorted().join(" ");
    if (seen.has(key)) continue;
    if (asked.length === TRIED) break;
    seen.add(key);
    const kept = obligation.hypotheses.filter((hypothesis) => !left.includes(hypothesis.name));
    const answered = await ask(partScript(obligation, kept));
    asked.push(answered);
    const { answer } = answered.reply;
    if (answer.kind !== "proved") continue;
    if (answer.core.includes(name)) return { isFound: true, asked };
    waiting.push(...branches(names, left, answer.core));
  }
  return { isFound: false, asked };
}

/** Lists the sets that hit `core`, each with one more hypothesis left out. */
function branches(names: readonly string[], left: readonly string[], core: readonly string[]): string[][] {
  return core.filter((name) => names.includes(name)).map((name) => [...left, name]);
}
