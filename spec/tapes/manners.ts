import { shapesOf } from "../expansion/index.ts";
import type { Seed } from "../graph/index.ts";
import { formatShape, type Issue, isSameShape, pointerTo, quote, type Shape } from "../shapes/index.ts";
import { MAXIMUM_TAPES } from "../wire/index.ts";
import type { RecordStep, Refusal, TapeCase, TapeStep } from "./steps.ts";

/** A tape while the steps of a case are gone through. */
interface Standing {
  readonly record: RecordStep;
  /** The graph's ids have these shapes. */
  readonly shapes: readonly Shape[];
  isReleased: boolean;
  /** A sweep has been asked that need not be refused. */
  isSwept: boolean;
}

/**
 * Finds which of a case's steps make no sense: `tape/twice`, `tape/unknown`, `tape/count`, `tape/together`;
 * and what cannot be asked of each sweep [SEMANTICS §4.10]: `tape/refuse`. Cost: linear.
 */
export function mannersIssues({ graphs, steps }: TapeCase): Issue[] {
  const tapes = new Map<string, Standing>();
  return steps.flatMap((step, i): Issue[] => {
    const pointer = pointerTo("/steps", i);
    const tape = tapes.get(step.tape);
    if (step.do === "record") {
      if (tape !== undefined) return [recordedTwice(step.tape, `${pointer}/tape`)];
      const graph = graphs[step.graph];
      const shapes = graph === undefined ? [] : shapesOf(graph);
      tapes.set(step.tape, { record: step, shapes, isReleased: false, isSwept: false });
      const open = [...tapes.values()].filter(({ isReleased }) => !isReleased).length;
      return open > MAXIMUM_TAPES ? [tooMany(pointer)] : [];
    }
    if (tape === undefined) return [unknownTape(step.tape, [...tapes.keys()], `${pointer}/tape`)];
    if (step.do === "release") {
      tape.isReleased = true;
      return [];
    }
    const issues = [
      ...(step.together === true && steps[i - 1]?.do !== "sweep" ? [alone(`${pointer}/together`)] : []),
      ...refusalIssues(step.refuse, refusalsOf(tape, step.seeds), `${pointer}/refuse`),
    ];
    if (step.refuse !== "must") tape.isSwept = true;
    return issues;
  });
}

/** These of the three words fit a sweep, for this reason. */
interface Fitting {
  readonly words: readonly Refusal[];
  readonly why: string;
}

function refusalsOf({ record, shapes, isReleased, isSwept }: Standing, seeds: readonly Seed[]): Fitting {
  if (isReleased) return { words: ["must"], why: "the tape has been released" };
  for (const { id, cotangent } of seeds) {
    const shape = shapes[id];
    if (shape === undefined || !record.of.includes(id))
      return { words: ["must"], why: `the tape is not recorded for a seed at id ${id}` };
    if (!isSameShape(shape, cotangent.shape)) {
      const shapesText = `${formatShape(cotangent.shape)}, the value ${formatShape(shape)}`;
      return { words: ["must"], why: `the seed at id ${id} has shape ${shapesText}` };
    }
  }
  return record.life === "once" && isSwept
    ? { words: ["may", "must"], why: "the tape is for one sweep, and has been swept" }
    : { words: ["never"], why: "the tape is there, and the seeds fit" };
}

function refusalIssues(given: Refusal, { words, why }: Fitting, pointer: string): Issue[] {
  if (words.includes(given)) return [];
  const hint = `write ${words.map(quote).join(" or ")}`;
  return [{ code: "tape/refuse", pointer, message: `the sweep says ${quote(given)}, but ${why}.`, hint }];
}

function recordedTwice(name: string, pointer: string): Issue {
  const message = `a tape ${quote(name)} was recorded before.`;
  return { code: "tape/twice", pointer, message, hint: "give each recording a name of its own" };
}

function unknownTape(name: TapeStep["tape"], known: readonly string[], pointer: string): Issue {
  const message = `no tape ${quote(name)} was recorded before this step.`;
  const hint = known.length === 0 ? "record one first" : `there are ${known.map(quote).join(", ")}`;
  return { code: "tape/unknown", pointer, message, hint };
}

function tooMany(pointer: string): Issue {
  const message = `more than ${MAXIMUM_TAPES} tapes are not released.`;
  return { code: "tape/count", pointer, message, hint: "release some first" };
}

function alone(pointer: string): Issue {
  const message = "the step before it is no sweep.";
  return { code: "tape/together", pointer, message, hint: "only a sweep is begun beside a sweep" };
}
