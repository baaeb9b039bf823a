import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Missing, Running, Task } from "./entrant.ts";
import { LineProcess } from "./line_process.ts";
import type { Reply, Request } from "./messages.ts";

/** A contestant is given up after this many milliseconds: for getting ready, and for everything else. */
const READY = 120_000;
const ANSWERED = 120_000;

/**
 * Starts a contestant with `command`; it speaks the messages of `messages.ts` and answers in the folder
 * `scratch`.
 */
export async function startContestant(
  command: readonly [string, ...string[]],
  contestant: string,
  { workload, mode, data }: Task,
  scratch: string,
): Promise<Running | Missing> {
  const [program, ...argv] = command;
  const child = new LineProcess(program, argv);
  const ask = async (question: Request, patience = ANSWERED): Promise<Reply> => {
    const line = await child.ask(JSON.stringify(question), patience);
    return line === undefined ? { kind: "failed", message: child.end } : JSON.parse(line);
  };
  const ready = await ask({ ask: "prepare", contestant, workload, mode, data }, READY);
  if (ready.kind !== "ready") {
    await child[Symbol.asyncDispose]();
    if (ready.kind === "absent") return ready;
    return { kind: "failed", reason: ready.kind === "failed" ? ready.message : `answered ${ready.kind}` };
  }
  const expected = <K extends Reply["kind"]>(kind: K, reply: Reply): Extract<Reply, { kind: K }> => {
    if (isKind(reply, kind)) return reply;
    throw new Error(reply.kind === "failed" ? reply.message : `answered ${reply.kind}`);
  };
  return {
    kind: "running",
    preparation: ready.preparation,
    round: async (timings, calls) => expected("timed", await ask({ ask: "round", timings, calls })),
    answer: async () => {
      const path = join(scratch, "answer");
      expected("answered", await ask({ ask: "answer", path }));
      return new Float64Array(Uint8Array.from(readFileSync(path)).buffer);
    },
    memory: async () => expected("memory", await ask({ ask: "memory" })),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

function isKind<K extends Reply["kind"]>(reply: Reply, kind: K): reply is Extract<Reply, { kind: K }> {
  return reply.kind === kind;
}
