import { at, fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { Recording } from "./execute.ts";

/**
 * The results of a run, by place, that depend on what came from outside. Under differentiation that is constant [SEMANTICS §10.7]: a derivative of
 * such a result is one of what the world happened to say. Cost: linear in the graph.
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

/** The policy that allows no derivative of what depends on an effect. Fails: `program/effect`, with the place of the result. */
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
