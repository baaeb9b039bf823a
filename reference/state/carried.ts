import type { Program, Statement } from "../../spec/programs/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import type { Recording } from "./execute.ts";

/** The next call reads this persistent location, so its contents must be stored in some format. */
export interface Carried {
  readonly location: string;
  /** This statement wrote it last; there is none if the call left it as it was given. */
  readonly written: Statement | undefined;
  /** This statement reads it first; there is none if the call only leaves it or returns it unchanged. */
  readonly read: Statement | undefined;
}

/**
 * Tells what is carried from one call to the next, in the order of the locations. A location that the next
 * call overwrites before reading carries nothing. Law: the other locations do not affect the next call. Cost:
 * linear.
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
