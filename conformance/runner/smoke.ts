import { operatorNames } from "../../spec/composites/index.ts";
import type { Description, Engine } from "../../spec/contract/index.ts";
import { formatIssue } from "../../spec/shapes/index.ts";
import { ProcessEngine } from "./engine.ts";
import type { Limits } from "./limits.ts";
import type { Command, Start } from "./process.ts";
import { engineFaults } from "./smoke/engine_faults.ts";
import { estimateSteps } from "./smoke/estimates.ts";
import { mannersSteps } from "./smoke/manners.ts";
import { operatorSteps } from "./smoke/operators.ts";
import { programSteps } from "./smoke/programs.ts";
import { failed, type Outcome, passed, type SmokeStep } from "./smoke/step.ts";
import { tapeSteps } from "./smoke/tapes.ts";

export { engineFaults } from "./smoke/engine_faults.ts";
export { causeOf, type Outcome, type SmokeStep, type Subject } from "./smoke/step.ts";

/** The report says what is right and wrong with an adapter, in the order of the steps. */
export interface SmokeReport {
  readonly argv: readonly string[];
  /** The engine describes itself so; `undefined` if it did not get so far. */
  readonly description: Description | undefined;
  readonly steps: readonly SmokeStep[];
  /** Is true if nothing failed. */
  readonly isFine: boolean;
  /** These failed steps are the engine's fault ({@link engineFaults}), all others the adapter's. */
  readonly engineFaults: readonly string[];
}

/**
 * Tells the author of an adapter what is wrong with it. Smoke starts it, tries every promised operator and
 * statement in every promised precision and mode on numbers that can be checked in the head, then what
 * every engine must do, then its end. It says whether the adapter can be talked to, not whether the engine is
 * right; but where only a derivative is wrong, it calls that the engine's fault.
 * `onStep` hears of each step as it is done; `start` is another way to begin a process. Never rejects.
 */
export async function smoke(
  command: Command,
  limits: Partial<Limits> = {},
  onStep: (step: SmokeStep) => void = () => {},
  start?: Start,
): Promise<SmokeReport> {
  const steps: SmokeStep[] = [];
  const hear = (step: SmokeStep): void => {
    steps.push(step);
    onStep(step);
  };
  const note = (name: string, outcome: Outcome): void => hear({ name, outcome });
  const report = (description: Description | undefined): SmokeReport => ({
    argv: command.argv,
    description,
    steps,
    isFine: steps.every(({ outcome }) => outcome.kind !== "failed"),
    engineFaults: engineFaults(steps).map(({ name }) => name),
  });
  const started = await ProcessEngine.start(command, limits, "base64", start);
  if (!started.ok) {
    for (const { message, hint } of started.error)
      note("starts and introduces itself", failed(message, hint));
    return report(undefined);
  }
  const engine = started.value;
  note("starts and introduces itself", passed);
  note("has all operators", missing(engine.describe()));
  for await (const step of smokeSteps(engine)) hear(step);
  note("reads numbers as text", await readsText(command, limits, start));
  const faults = await engine.close();
  const hint = "write nothing but replies to standard output; exit with code 0 when standard input ends";
  note(
    "says nothing else, and exits when its input ends",
    faults.length === 0 ? passed : failed(faults.map(formatIssue).join("; "), hint),
  );
  return report(engine.describe());
}

/** Yields the steps that need no process: an engine may be tried in this one. */
export async function* smokeSteps(engine: Engine): AsyncGenerator<SmokeStep, void> {
  yield* operatorSteps(engine);
  yield* programSteps(engine);
  yield* tapeSteps(engine);
  yield* estimateSteps(engine);
  yield* mannersSteps(engine);
}

/** Starts the engine once more, and sends it numbers in the other form. */
async function readsText(
  command: Command,
  limits: Partial<Limits>,
  start: Start | undefined,
): Promise<Outcome> {
  const started = await ProcessEngine.start(command, limits, "text", start);
  if (!started.ok) return failed(started.error.map(formatIssue).join("; "), "an engine may be started twice");
  await using engine = started.value;
  const first = await operatorSteps(engine).next();
  return first.done === true ? passed : first.value.outcome;
}

/** Not to have an operator is no fault, but worth a line. */
function missing({ operators }: Description): Outcome {
  const names = operatorNames.filter((name) => !operators.includes(name));
  return names.length === 0 ? passed : { kind: "skipped", reason: `not promised: ${names.join(", ")}` };
}
