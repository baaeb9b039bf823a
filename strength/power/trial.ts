import { type Engine, interpreterEngine, type Mutant } from "../../engines/index.ts";
import type { Case } from "../../oracle/case/case.ts";
import { profileOfCase, searchedCase } from "../../oracle/generate/index.ts";
import { ask, operatorsOf } from "../../oracle/hearing/ask.ts";
import { laws } from "../../oracle/laws/index.ts";
import { compositeNames, type OperatorName } from "../../spec/index.ts";
import { isAccused, type Settings } from "./gradcheck.ts";

/** A trial asks a mutant case after case, until it is found or the cases end. */
export interface TrialOrders {
  readonly seed: number;
  /** There are this many cases at most. */
  readonly cases: number;
  readonly by: FiniteDifferences | Withheld;
}

/** This asks finite differences; `unsound` cases accuse even the sound interpreter and find nothing. */
interface FiniteDifferences {
  readonly kind: "differences";
  readonly settings: Settings;
  readonly unsound: ReadonlySet<number>;
}

/** This is random search without the profiles named by a mutant, whose turns go to the next cases. */
interface Withheld {
  readonly kind: "withheld";
  readonly profiles: ReadonlyMap<string, readonly string[]>;
}

/** A mutant was found after this many cases, the last one included; `undefined` if it was not. */
export interface Trial {
  readonly name: string;
  readonly cases: number | undefined;
}

/** Tries one mutant. The result depends on the arguments alone. */
export async function tried(mutant: Mutant, { seed, cases, by }: TrialOrders): Promise<Trial> {
  const engine = mutant.engine();
  const withheld = by.kind === "withheld" ? (by.profiles.get(mutant.name) ?? []) : [];
  let asked = 0;
  for (let index = 0; asked < cases; index++) {
    if (withheld.includes(profileOfCase(index).name)) continue;
    asked += 1;
    const question = searchedCase(seed, index);
    if (!mayTell(mutant, question)) continue;
    const isFound =
      by.kind === "withheld"
        ? (await ask(engine, question, "float64", laws)).kind === "differs"
        : !by.unsound.has(index) && (await isAccused(engine, question, by.settings));
    if (isFound) return { name: mutant.name, cases: asked };
  }
  return { name: mutant.name, cases: undefined };
}

/** Finds the first random cases in which finite differences accuse the sound interpreter. */
export async function unsoundCases(
  seed: number,
  cases: number,
  settings: Settings,
): Promise<ReadonlySet<number>> {
  const engine: Engine = interpreterEngine();
  const unsound = new Set<number>();
  for (let index = 0; index < cases; index++)
    if (await isAccused(engine, searchedCase(seed, index), settings)) unsound.add(index);
  return unsound;
}

const composites: ReadonlySet<OperatorName> = new Set(compositeNames);

/** Tells whether a mutant can differ on a case: if its operator is there, or in an expansion. */
export function mayTell({ operator }: Mutant, question: Case): boolean {
  return operator === undefined || operatorsOf(question).some((op) => op === operator || composites.has(op));
}
