import type { HostFunction } from "../host.ts";
import { type CompiledModule, type Memory, webAssembly } from "../web_assembly.ts";

/** A program that threads share: each has its own instance of the module over one memory. */
export interface Shared {
  readonly module: CompiledModule;
  readonly memory: Memory;
  readonly host: readonly HostFunction[];
  /** The number of parts of each stage. */
  readonly parts: readonly number[];
}

/** Parts to be computed in any order, after all of the stage before. A single part is the caller's. */
export interface Stage {
  readonly parts: number;
  compute(part: number): void;
}

/** Makes an instance that calls functions of the host, and `routine`, which computes what is no loop. */
export function stagesOf(
  { module, memory, parts }: Shared,
  functions: Readonly<Record<string, (x: number, y: number) => number>>,
  routine: (number: number) => void,
): readonly Stage[] {
  const { exports } = new webAssembly.Instance(module, { host: { memory, routine, ...functions } });
  return parts.map((count, stage) => {
    const compute = exports[`stage ${stage}`];
    if (!isStage(compute)) throw new Error("the module lacks a stage");
    return { parts: count, compute };
  });
}

function isStage(value: unknown): value is Stage["compute"] {
  return typeof value === "function";
}

/** Computes all stages in one thread. */
export function alone(stages: readonly Stage[]): void {
  for (const { parts, compute } of stages) for (let part = 0; part < parts; part++) compute(part);
}

// The words of a program's control, each on a cache line of its own. A ticket is a stage, which is never
// used again, and below it, in so many bits, the next part that nobody has taken.

const [TICKET, DONE, FIRST, WORDS] = [0, 16, 32, 48];
const BITS = 5;

/** Who waits looks so often before it sleeps. */
const LOOKS = 2000;

/** Makes the words by which threads share one program. */
export function controlOf(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4 * WORDS));
}

/** Waits until a word is another. */
export function awaitChange(words: Int32Array<SharedArrayBuffer>, word: number, seen: number): void {
  for (let look = 0; look < LOOKS; look++) if (Atomics.load(words, word) !== seen) return;
  Atomics.wait(words, word, seen);
}

/**
 * Computes all stages with whoever comes to help, but waits for none who has taken nothing; `call` tells that
 * there is work. Differences of tickets are right although they wrap around.
 */
export function lead(
  control: Int32Array<SharedArrayBuffer>,
  stages: readonly Stage[],
  call: () => void,
): void {
  // The ticket after the last stage is one more: nobody may take a part of the first stage before it is open.
  const first = (Atomics.load(control, FIRST) + ((stages.length + 1) << BITS)) | 0;
  Atomics.store(control, FIRST, first);
  call();
  try {
    for (const [number, stage] of stages.entries()) {
      const { parts, compute } = stage;
      if (parts === 1) compute(0);
      else {
        Atomics.store(control, DONE, 0);
        open(control, first + (number << BITS));
        take(control, stage, first + (number << BITS));
        for (let done = 0; done !== parts; ) {
          done = Atomics.load(control, DONE);
          if (done !== parts) awaitChange(control, DONE, done);
        }
      }
    }
  } finally {
    // Helpers of a run that failed must not wait for its other stages.
    open(control, first + (stages.length << BITS));
  }
}

function open(control: Int32Array<SharedArrayBuffer>, ticket: number): void {
  Atomics.store(control, TICKET, ticket);
  Atomics.notify(control, TICKET);
}

/** Helps with a run: takes parts as they come, until its last stage is past. */
export function help(control: Int32Array<SharedArrayBuffer>, stages: readonly Stage[]): void {
  const first = Atomics.load(control, FIRST);
  for (const [number, stage] of stages.entries()) {
    if (stage.parts > 1) take(control, stage, first + (number << BITS));
  }
}

/** Computes the parts of a stage that nobody has, once it is open. */
function take(control: Int32Array<SharedArrayBuffer>, { parts, compute }: Stage, opened: number): void {
  for (;;) {
    const now = Atomics.load(control, TICKET);
    const ahead = (now - opened) | 0;
    if (ahead >= parts) return;
    if (ahead < 0) awaitChange(control, TICKET, now);
    else if (Atomics.compareExchange(control, TICKET, now, (now + 1) | 0) === now) {
      compute(ahead);
      if (Atomics.add(control, DONE, 1) === parts - 1) Atomics.notify(control, DONE);
    }
  }
}
