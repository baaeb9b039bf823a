import type { Engine } from "../../spec/contract/index.ts";

/** Makes a call to an engine, and returns its answer. */
export type Turns = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Makes calls to an engine in the order given. Where the engine {@link Engine.queues} it does not wait for
 * the answers, which saves waits through a pipe; else each call waits for the last one's answer.
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
