import type { Engine } from "../../spec/contract/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { ProgramFinding } from "./answer.ts";
import { Beginnings, type Wanted } from "./beginnings.ts";
import { different, differing, ownCotangent, ownResults } from "./different.ts";
import { type FirstWrong, Search } from "./search.ts";
import type { ProgramTask } from "./task.ts";

/** Beginnings are asked so. */
interface Manner {
  /** The numbers that the case has may be so plain that a fault is hidden: all ones. */
  readonly numbers: "all different" | "the case's";
  readonly modes: "the finding's" | "all";
  readonly cotangents: "all different" | "the case's";
  /** An engine may fail to read a name that it has not bound, and is wrong about others. */
  readonly results: "all names" | "the case's";
}

/** The first in which a beginning is wrong serves: a fault may need other modes, or the case's numbers. */
const manners: readonly Manner[] = [
  { numbers: "all different", modes: "the finding's", cotangents: "all different", results: "all names" },
  { numbers: "the case's", modes: "the finding's", cotangents: "all different", results: "all names" },
  { numbers: "the case's", modes: "all", cotangents: "all different", results: "all names" },
  { numbers: "the case's", modes: "all", cotangents: "the case's", results: "all names" },
  { numbers: "the case's", modes: "all", cotangents: "the case's", results: "the case's" },
];

/**
 * Finds the first statement after which the engine's own numbers are wrong, by asking beginnings of the
 * program whose results are all that its names stand for by then. A block, a loop, a branch or a call is
 * written out in turn, as far as that is wrong too. `undefined` if no beginning is wrong.
 * Cost: a question for each statement that is executed up to there, or five if they are hard to find.
 */
export async function firstWrong(
  engine: Engine,
  task: ProgramTask,
  finding: ProgramFinding,
  dtype: DataType,
): Promise<FirstWrong | undefined> {
  const { mode, isAgain, part } = finding;
  const calls = finding.isLater ? task.calls : [];
  for (const { numbers, modes, cotangents, results } of manners) {
    const asked = numbers === "all different" ? differing({ ...task, calls }) : task;
    const wanted: Wanted = {
      isSought: (other) =>
        other.mode === mode && other.isAgain === isAgain && kindOf(other) === kindOf(finding),
      // Draws are compared between modes, and what is left behind is seen after all.
      modes: isAgain === true || part === "draw" || modes === "all" ? undefined : [mode],
      cotangentOf:
        cotangents === "all different" ? (_, result, place) => different(result, place) : ownCotangent,
      resultsOf: results === "all names" ? (_, names) => names : ownResults,
      mode,
      calls,
      refuse: part === "refusal" ? task.refuse : undefined,
    };
    const found = await new Search(new Beginnings(engine, dtype, asked, wanted)).first();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** These parts are no numbers: an untold draw, an array that is written, a refusal, a world asked again. */
const noNumbers = ["draw", "argument", "refusal", "received"] as const;

function kindOf({ part }: ProgramFinding): (typeof noNumbers)[number] | "number" {
  return noNumbers.find((kind) => kind === part) ?? "number";
}
