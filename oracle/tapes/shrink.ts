import type { NodeId } from "../../spec/shapes/index.ts";
import { mannersIssues, type TapeCase, type TapeStep } from "../../spec/tapes/index.ts";

/**
 * Returns a case that still `fails` after dropping steps one by one, then unrecorded graphs, then hooks; it
 * is well-formed, and `question` if nothing smaller fails. Deterministic. Cost: `budget` calls of `fails`.
 */
export async function shrinkTapes(
  question: TapeCase,
  fails: (smaller: TapeCase) => Promise<boolean>,
  budget: number,
): Promise<TapeCase> {
  let left = budget;
  const stillFails = async (candidate: TapeCase): Promise<boolean> => {
    if (left <= 0 || candidate.steps.length === 0 || mannersIssues(candidate).length > 0) return false;
    left -= 1;
    return fails(candidate);
  };
  let current = question;
  // Later steps go first, since they rely on earlier ones.
  for (let i = current.steps.length - 1; i >= 0; i--) {
    const candidate = withoutIdleGraphs({ ...current, steps: without(current.steps, i) });
    if (!(await stillFails(candidate))) continue;
    current = candidate;
    // Later steps may have been there only for this one.
    i = current.steps.length;
  }
  for (const [i, step] of current.steps.entries()) {
    for (const hook of step.do === "record" ? (step.hooks ?? []) : []) {
      const candidate = withoutHook(current, i, hook);
      if (await stillFails(candidate)) current = candidate;
    }
  }
  return current;
}

/** Removes one of the hooks of a recording. */
function withoutHook(question: TapeCase, index: number, hook: NodeId): TapeCase {
  const steps = question.steps.map((step, i): TapeStep => {
    if (i !== index || step.do !== "record" || step.hooks === undefined) return step;
    const { hooks, ...bare } = step;
    const left = hooks.filter((id) => id !== hook);
    return left.length === 0 ? bare : { ...bare, hooks: left };
  });
  return { ...question, steps };
}

/** Removes a step, and all that is done with the tape that it records. */
function without(steps: readonly TapeStep[], index: number): TapeStep[] {
  const gone = steps[index];
  const kept = steps.filter(
    (step, i) => i !== index && !(gone?.do === "record" && step.do !== "record" && step.tape === gone.tape),
  );
  return kept.map((step, i): TapeStep => {
    if (step.do !== "sweep" || step.together === undefined || kept[i - 1]?.do === "sweep") return step;
    const { together: _, ...single } = step;
    return single;
  });
}

/** Removes the graphs that no step records. */
function withoutIdleGraphs(question: TapeCase): TapeCase {
  const { graphs, steps } = question;
  const used = graphs.flatMap((_, place) =>
    steps.some((step) => step.do === "record" && step.graph === place) ? [place] : [],
  );
  if (used.length === graphs.length || used.length === 0) return question;
  return {
    ...question,
    graphs: graphs.filter((_, place) => used.includes(place)),
    steps: steps.map((step) => (step.do === "record" ? { ...step, graph: used.indexOf(step.graph) } : step)),
  };
}
