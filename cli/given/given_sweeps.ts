import type { Case } from "../../oracle/case/index.ts";
import type { RecordStep, TapeCase } from "../../spec/tapes/index.ts";

/**
 * Returns the question that each sweep of a script asks: graph and point of its tape, and its seeds; none of
 * a sweep that must be refused. Each can be answered by a run that knows of no tape.
 */
export function sweptCases({ graphs, steps }: TapeCase): readonly Case[] {
  const recorded = new Map<string, RecordStep>();
  return steps.flatMap((step) => {
    if (step.do === "record") recorded.set(step.tape, step);
    const tape = step.do === "sweep" && step.refuse !== "must" ? recorded.get(step.tape) : undefined;
    const graph = graphs[tape?.graph ?? -1];
    if (step.do !== "sweep" || tape === undefined || graph === undefined) return [];
    return [{ graph, point: tape.point, tangents: still(tape.point), seeds: step.seeds }];
  });
}

/** Returns tangents of zero at a point. */
export function still({ inputs }: RecordStep["point"]): Case["tangents"] {
  return inputs.map(({ shape, data }) => ({ shape, data: data.map(() => 0) }));
}
