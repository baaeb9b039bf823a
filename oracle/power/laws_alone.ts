import type { DataType, Engine } from "../../engines/index.ts";
import type { Law } from "../ask.ts";
import type { Case } from "../case.ts";
import { laws } from "../laws/index.ts";
import { profileOf, truthOf } from "../truth/index.ts";
import { searchedCase } from "./search.ts";

/** What one law alone says of an engine's answers: no answer is compared with the truth, which gives the bounds only. */
export async function askLaw(
  engine: Engine,
  question: Case,
  dtype: DataType,
  law: Law,
): Promise<"agrees" | "differs" | "undecided"> {
  const loaded = await engine.load(question.graph, dtype);
  if (loaded.kind !== "result") return "undecided";
  const program = loaded.value;
  try {
    const profile = profileOf(engine.describe(), dtype);
    const truth = truthOf(question, profile);
    const { kind } = await law.check({ question, engine, program, profile, truth });
    return kind === "agrees" || kind === "differs" ? kind : "undecided";
  } finally {
    await program.unload();
  }
}

/** For each law, after how many cases of a random search it is broken; `undefined` if it never is. */
export async function brokenLaws(
  engine: Engine,
  seed: number,
  cases: number,
): Promise<ReadonlyMap<Law["name"], number | undefined>> {
  const broken = new Map<Law["name"], number | undefined>();
  for (const law of laws) {
    let count: number | undefined;
    for (let index = 0; index < cases && count === undefined; index++) {
      const said = await askLaw(engine, searchedCase(seed, index), "float64", law);
      if (said === "differs") count = index + 1;
    }
    broken.set(law.name, count);
  }
  return broken;
}
