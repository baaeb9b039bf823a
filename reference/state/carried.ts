import type { Program, Statement } from "../../spec/programs/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import type { Recording } from "./execute.ts";

/** What one call of a program leaves in a persistent location, and the next one reads or leaves there: it outlives its sweep, and needs a form to be stored in. */
export interface Carried {
  readonly location: string;
  /** What wrote it last; nothing, if the call left it as it was given. */
  readonly written: Statement | undefined;
  /** What reads it first; nothing, if the call only leaves it or hands it out as it was. */
  readonly read: Statement | undefined;
}

/**
 * What is carried over from one call to the next, in the order of the locations. What the next call overwrites as a whole before it reads it is not, though it
 * lies in a persistent location. Law: the next call does the same, whatever the other locations hold when it begins. Cost: linear in both recordings.
 */
export function carriedOver<S>(
  program: Program,
  first: Recording<S>,
  next: Recording<S>,
): readonly Carried[] {
  const { graph, outcome, statements } = next;
  const parameters = graph.inputs.length - program.state.length;
  return program.state.flatMap(({ name }, place): Carried[] => {
    const id = nodeId(parameters + place);
    const reader = graph.nodes.findIndex(({ parents }) => parents.includes(id));
    const sent = outcome.sent.map(({ value }) => value);
    if (reader < 0 && ![...outcome.results, ...sent, ...outcome.state].includes(id)) return [];
    const writes = first.events.filter((event) => event.kind === "write" && event.memory === place);
    const last = writes.at(-1);
    return [
      {
        location: name,
        written: last?.kind === "write" ? last.statement : undefined,
        read: reader < 0 ? undefined : statements[reader],
      },
    ];
  });
}
