import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { awaitChange, help, type Stage, stagesOf } from "./stages.ts";
import { JOBS, type Message, PROGRAM } from "./team.ts";

// This module is a thread of a team: it waits for programs that this process runs, and helps with each.

const words: Int32Array<SharedArrayBuffer> = workerData;
const programs = new Map<number, () => void>();

for (let seen = 0; ; ) {
  awaitChange(words, JOBS, seen);
  seen = Atomics.load(words, JOBS);
  for (;;) {
    const received: { readonly message: Message } | undefined =
      parentPort === null ? undefined : receiveMessageOnPort(parentPort);
    if (received === undefined) break;
    const { number, program } = received.message;
    if (program === undefined) programs.delete(number);
    else {
      // Most programs call no function of the host, whose module takes long to load.
      const functions =
        program.host.length === 0 ? {} : (await import("../host.ts")).importsNamed(program.host);
      const stages: readonly Stage[] = stagesOf(program, functions, () => {});
      programs.set(number, () => help(program.control, stages));
    }
  }
  programs.get(Atomics.load(words, PROGRAM))?.();
}
