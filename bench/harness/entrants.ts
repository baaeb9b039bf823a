import { join } from "node:path";
import process from "node:process";
import { contestantNamed, contestantNames } from "../contestants/table.ts";
import { startContestant } from "./contestant_process.ts";
import type { Entrant } from "./entrant.ts";
import { pythonEntrants } from "./python.ts";
import { yardsticks } from "./yardstick.ts";

/** Lists all entrants, ours first; they compile and answer in the folder `scratch`. */
export async function allEntrants(scratch: string): Promise<Entrant[]> {
  const ours: Entrant[] = [];
  for (const name of contestantNames) {
    const { precision, style, module } = await contestantNamed(name);
    ours.push({
      name,
      precision,
      style,
      module,
      start: (task) =>
        startContestant([process.execPath, join(import.meta.dirname, "child.ts")], name, task, scratch),
    });
  }
  return [...ours, ...pythonEntrants(scratch), ...yardsticks(scratch)];
}
