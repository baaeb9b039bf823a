import type { SmokeStep } from "./step.ts";

/**
 * Lists the failed steps that are the engine's fault, not the adapter's: the operator's value is right, only
 * numbers of its derivative are wrong, and the mode is right for at least half of the operators. Then the
 * adapter knows the operator and how to ask for derivatives. A wrong value counts as the adapter's.
 */
export function engineFaults(steps: readonly SmokeStep[]): SmokeStep[] {
  return steps.filter(({ subject, outcome }) => {
    if (subject === undefined || outcome.kind !== "failed" || !outcome.areNumbersAlone) return false;
    const { op, dtype, mode, variant } = subject;
    const ofMode = steps.filter((step) => step.subject?.dtype === dtype && step.subject.mode === mode);
    const ofValue = steps.find(
      (step) =>
        step.subject?.dtype === dtype &&
        step.subject.op === op &&
        step.subject.mode === "evaluate" &&
        step.subject.variant === variant,
    );
    const passed = ofMode.filter((step) => step.outcome.kind === "passed").length;
    return mode !== "evaluate" && ofValue?.outcome.kind === "passed" && 2 * passed >= ofMode.length;
  });
}
