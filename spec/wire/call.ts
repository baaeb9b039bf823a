import type { Mode } from "./protocol.ts";

/**
 * A call may ask a case with one thing changed: 1 added to the numbers of the inputs, of Δ (whose indices are
 * counted from their end), of the tangents or of the cotangents, each rounded to float32; a graph loaded
 * beside it that differs in one attribute; or the graph itself loaded once more.
 */
export type CallChange = (typeof callChanges)[number];

/** What a call may change. */
export const callChanges = ["inputs", "entries", "tangents", "seeds", "attribute", "load"] as const;

/** A call asks a loaded graph in one mode. A case that has calls is asked these alone, in order. */
export interface Call {
  readonly mode: Mode;
  readonly change?: CallChange;
}

const words: Readonly<Record<CallChange, string>> = {
  inputs: "with other inputs",
  entries: "with other entries",
  tangents: "with other tangents",
  seeds: "with other seeds",
  attribute: "with another attribute",
  load: "loaded anew",
};

/** Writes a call: `vjp with other seeds`. */
export function callText({ mode, change }: Call): string {
  return change === undefined ? mode : `${mode} ${words[change]}`;
}

const modes: readonly Mode[] = ["evaluate", "jvp", "vjp", "backward_dense"];

/** Every call, by its {@link callText}. */
export const callsByText: ReadonlyMap<string, Call> = new Map(
  modes
    .flatMap((mode): Call[] => [{ mode }, ...callChanges.map((change) => ({ mode, change }))])
    .map((call) => [callText(call), call]),
);
