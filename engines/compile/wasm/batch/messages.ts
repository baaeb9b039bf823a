import type { Numbers, Precision } from "../../plan/index.ts";
import type { Startable } from "../startable.ts";

/** The first message to a worker: a program, and where its items lie in shared memory. */
export interface Work {
  readonly kind: "work";
  readonly program: Startable;
  /** Each source has its items one after the other, or the one that all share. */
  readonly sources: readonly Shared[];
  readonly indices: readonly SharedArrayBuffer[];
  readonly results: readonly SharedArrayBuffer[];
  /** One word: the number of the next item that nobody has taken. */
  readonly next: SharedArrayBuffer;
}

/** Numbers in shared memory. */
interface Shared {
  readonly buffer: SharedArrayBuffer;
  readonly isCommon: boolean;
}

/** Views shared memory as numbers. */
export function numbersIn(buffer: SharedArrayBuffer, precision: Precision): Numbers {
  return precision === "float64" ? new Float64Array(buffer) : new Float32Array(buffer);
}

/** Asks a worker to compute items, `block` at a time, until all `count` are taken. */
export interface Go {
  readonly kind: "go";
  readonly count: number;
  readonly block: number;
}

/** A worker's answer: no item is left, or what went wrong. */
export type Answer = { readonly kind: "done" } | { readonly kind: "failed"; readonly message: string };

/** Recognises the messages to a worker. */
export function isToWorker(message: unknown): message is Work | Go {
  return hasKind(message) && (message.kind === "work" || message.kind === "go");
}

/** Recognises the messages from a worker. */
export function isAnswer(message: unknown): message is Answer {
  return hasKind(message) && (message.kind === "done" || message.kind === "failed");
}

function hasKind(message: unknown): message is { readonly kind: unknown } {
  return typeof message === "object" && message !== null && "kind" in message;
}
