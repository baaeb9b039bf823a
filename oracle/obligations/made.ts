import type { Obligation } from "./obligation.ts";

/**
 * Makes an obligation of the code that runs. If that code throws, nothing is known of what it owes: the
 * result then has this id and says what was thrown, and is never proved.
 */
export function made(id: string, make: () => Obligation): Obligation {
  try {
    return make();
  } catch (thrown) {
    return crashed(id, thrown);
  }
}

/** Makes several obligations, or one of this id that says what was thrown. */
export function madeAll(id: string, make: () => readonly Obligation[]): readonly Obligation[] {
  try {
    return make();
  } catch (thrown) {
    return [crashed(id, thrown)];
  }
}

/**
 * Loads the code that makes a family, and makes it, or one obligation of this id that says what was thrown.
 */
export async function loadedAll(
  id: string,
  load: () => Promise<(tier?: Obligation["tier"]) => readonly Obligation[]>,
  tier?: Obligation["tier"],
): Promise<readonly Obligation[]> {
  try {
    return (await load())(tier);
  } catch (thrown) {
    return [crashed(id, thrown)];
  }
}

function crashed(id: string, thrown: unknown): Obligation {
  return {
    id,
    statement: "The code that this obligation is about runs to its end.",
    clause: "SEMANTICS §5",
    logic: "QF_UF",
    scope: { kind: "all_graphs" },
    tier: "everyday",
    declarations: "",
    hypotheses: [],
    goal: "false",
    rlimit: 1_000,
    requiredCore: [],
    mutants: [],
    dependsOn: [],
    metaArgument: "",
    crash: String(thrown),
  };
}
