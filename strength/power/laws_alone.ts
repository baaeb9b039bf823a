import type { Engine } from "../../engines/index.ts";
import { searchedCase } from "../../oracle/generate/index.ts";
import type { Law } from "../../oracle/hearing/ask.ts";
import { askLaw } from "../../oracle/laws/alone.ts";
import { laws } from "../../oracle/laws/index.ts";

/** Finds for each law after how many cases of a random search it is broken; `undefined` if never. */
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
