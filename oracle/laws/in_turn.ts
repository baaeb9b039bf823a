import type { Engine } from "../../spec/contract/index.ts";

/** Makes a call to an engine, and gives what it answers. */
export type Turns = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Makes calls to an engine in the order given, without waiting for their answers where the engine says that it
 * {@link Engine.queues}: through a pipe that saves waits. Any other is called again only when it has answered.
 */
export function inTurn({ queues = false }: Engine): Turns {
  if (queues) return (call) => call();
  let last: Promise<unknown> = Promise.resolve();
  return (call) => {
    const next = last.then(call);
    last = next;
    return next;
  };
}
