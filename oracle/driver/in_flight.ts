import type { Engine } from "../../spec/contract/index.ts";

/** This many requests may be on their way to an engine that queues. */
const MOST = 64;

/**
 * Pairs requests of one kind with their answers, in order. An engine that queues is asked ahead after its
 * first answer, so that one that cannot answer says so only once. Others are asked one at a time.
 */
export async function* inFlight<T, R>(
  { queues = false }: Engine,
  requests: Iterable<T>,
  ask: (request: T) => Promise<R>,
): AsyncGenerator<readonly [request: T, reply: R]> {
  const waiting: Promise<readonly [T, R]>[] = [];
  let most = 1;
  for (const request of requests) {
    waiting.push(ask(request).then((reply) => [request, reply]));
    if (waiting.length < most) continue;
    for (const first of waiting.splice(0, 1)) yield await first;
    most = queues ? MOST : 1;
  }
  for (const last of waiting) yield await last;
}
