import { at, fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { Recording } from "./execute.ts";

/**
 * The results of a run, by place, that depend on what came from outside, which is constant under
 * differentiation [SEMANTICS §10.7]: a derivative would be of what the world happened to say. Cost: linear.
 */
export function resultsFromOutside<S>({ graph, received, outcome }: Recording<S>): number[] {
  const isFromOutside = graph.inputs.map(() => false);
  const sources = new Set<number>(received);
  for (const { parents } of graph.nodes) {
    isFromOutside.push(
      sources.has(isFromOutside.length) || parents.some((parent) => at(isFromOutside, parent)),
    );
  }
  return outcome.results.flatMap((id, place) => (isFromOutside[id] === true ? [place] : []));
}

/** Returns the policy that allows no derivative of effects. Fails: `program/effect`, at the result. */
export function forbidEffects<S>(recording: Recording<S>): Result<Recording<S>, Issue[]> {
  const issues = resultsFromOutside(recording).map(
    (place): Issue => ({
      code: "program/effect",
      pointer: `/procedures/0/results/${place}`,
      message: "the result depends on what came from outside, which has no derivative.",
      hint: "let effects be recorded as constants, or leave the result out",
    }),
  );
  return issues.length === 0 ? ok(recording) : fail(issues);
}
