import type { Command } from "commander";
import type { Issue } from "../../spec/shapes/index.ts";
import { givenFlags } from "../options/options.ts";

/** Engines can be asked these kinds of question. */
export const questionKinds = ["graphs", "programs", "tapes", "forward-gradients"] as const;

export type QuestionKind = (typeof questionKinds)[number];

/** An engine is asked this many random questions in each precision by default. */
export const usualCases: Readonly<Record<QuestionKind, number>> = {
  graphs: 500,
  programs: 200,
  tapes: 200,
  "forward-gradients": 20,
};

const ofGraphs: readonly QuestionKind[] = ["graphs", "tapes"];
const ofCases: readonly QuestionKind[] = ["graphs", "tapes", "forward-gradients"];

/** Tells whether runs of this kind have reports in all forms, known failures, parts, and a last run. */
export function isOfGraphs(kind: QuestionKind): boolean {
  return ofGraphs.includes(kind);
}

/** These options are for some kinds of question only. */
const particular: Readonly<Record<string, readonly QuestionKind[]>> = {
  "--laws-every": ["graphs"],
  "--strict": ["graphs"],
  "--first": ["programs"],
  "--without": ["programs"],
  "--actions": ["programs"],
  "--samples": ["forward-gradients"],
  "--profile": ofCases,
  "--max-elements": ofCases,
  "--max-work": ofCases,
  "--operator": ofGraphs,
  "--exclude": ofGraphs,
  "--shard": ofGraphs,
  "--jobs": ofGraphs,
  "--resume": ofGraphs,
  "--html": ofGraphs,
  "--sarif-location": ofGraphs,
  "--hex": ofGraphs,
  "--known": ofGraphs,
  "--update-known": ofGraphs,
  "--json": ["graphs", "tapes", "programs"],
  "--last-failed": ofGraphs,
  "--watch": ofGraphs,
  "--watch-path": ofGraphs,
  "--report": ["graphs", "tapes", "programs"],
};

/** Returns an issue for each option given that is not for questions of this kind. */
export function foreignFlags(command: Command, kind: QuestionKind): Issue[] {
  return givenFlags(command).flatMap((flag): Issue[] => {
    const kinds = particular[flag];
    if (kinds === undefined || kinds.includes(kind)) return [];
    const message = `${flag} is not for ${kind}.`;
    const hint = `leave ${flag} out: it is for ${kinds.join(", ")}`;
    return [{ code: "flag/inapplicable", pointer: "", message, hint }];
  });
}
