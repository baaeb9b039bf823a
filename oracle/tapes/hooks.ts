import type { Hook } from "../../spec/contract/index.ts";
import { at, type NodeId, nodeId, sizeOf } from "../../spec/shapes/index.ts";
import type { Flow } from "../../spec/tapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { compareCotangentAt, copied, type Finding, type Outcome, worse } from "../hearing/index.ts";
import type { Truth } from "../truth/index.ts";

/** A hook's call has what was handed to it, as it was then, and the engine's own array. */
export interface Call {
  readonly id: NodeId;
  readonly given: FlatTensor;
  readonly held: FlatTensor;
}

/** Makes a hook that writes down how it is called. */
export function noting(calls: Call[]): Hook {
  return (id, cotangent) => calls.push({ id, given: copied(cotangent), held: cotangent });
}

/** Judging calls leads to this, with a remark where they are wrong. */
export type CallsOutcome =
  | Exclude<Outcome, { readonly kind: "differs" }>
  | { readonly kind: "differs"; readonly finding: Finding; readonly remark: string };

/**
 * Checks law H [SEMANTICS §4.13] on the calls of an answered sweep: each hook is called at most once, with
 * the true cotangent, after its readers' hooks; one not called stands for zero, if some input moves it.
 */
export function judgeCalls(
  hooks: readonly NodeId[],
  calls: readonly Call[],
  truth: Truth,
  flow: Flow,
): CallsOutcome {
  const odd = unhung(hooks, calls) ?? repeated(calls);
  if (odd !== undefined) return odd;
  let outcome: Exclude<CallsOutcome, { readonly kind: "differs" }> = { kind: "agrees" };
  for (const id of hooks.toSorted((a, b) => b - a)) {
    const said = judgeHook(id, calls, truth, flow);
    if (said.kind === "differs") return said;
    const worst = worse(outcome, said);
    if (worst.kind !== "differs") outcome = worst;
  }
  return disordered(calls, flow) ?? outcome;
}

/** Returns what was handed to each hook, or zeros if it was not called. */
export function handedTo(hooks: readonly NodeId[], calls: readonly Call[], { shapes }: Truth): FlatTensor[] {
  return hooks.map((id) => calls.find((call) => call.id === id)?.given ?? zerosAt(id, shapes));
}

/** Reports a call by a sweep that was refused for its seeds or for its released tape. */
export function callOfRefused({ id }: Call): CallsOutcome {
  const remark = "The sweep was refused, and had called a hook.";
  return inWords(id, "a call", "no call", remark);
}

function zerosAt(id: NodeId, shapes: Truth["shapes"]): FlatTensor {
  const shape = at(shapes, id);
  return { shape, data: new Float64Array(sizeOf(shape)) };
}

function judgeHook(id: NodeId, calls: readonly Call[], truth: Truth, { isMoved }: Flow): CallsOutcome {
  const call = calls.find((one) => one.id === id);
  if (call === undefined && isMoved[id] !== true) return { kind: "agrees" };
  const given = call?.given ?? zerosAt(id, truth.shapes);
  const outcome = compareCotangentAt(id, given, truth);
  if (outcome.kind !== "differs") return outcome;
  const { finding } = outcome;
  if (call === undefined)
    return {
      kind: "differs",
      finding: { ...finding, answer: "no call" },
      remark: "No call stands for zero.",
    };
  return { ...outcome, remark: whose(id, given, truth) };
}

/** Finds another id whose cotangent it is. */
function whose(id: NodeId, given: FlatTensor, truth: Truth): string {
  const other = truth.shapes.findIndex(
    (_, place) => place !== id && compareCotangentAt(nodeId(place), given, truth).kind === "agrees",
  );
  return other < 0 ? "" : `It is the cotangent of id ${other}.`;
}

function unhung(hooks: readonly NodeId[], calls: readonly Call[]): CallsOutcome | undefined {
  const call = calls.find(({ id }) => !hooks.includes(id));
  return call && inWords(call.id, "a call", "no call", "No hook hangs on this id.");
}

function repeated(calls: readonly Call[]): CallsOutcome | undefined {
  const again = calls.find(({ id }, place) => calls.findIndex((call) => call.id === id) < place);
  if (again === undefined) return undefined;
  const count = calls.filter(({ id }) => id === again.id).length;
  return inWords(again.id, `${count} calls`, "one call", "A sweep calls the hook of an id once.");
}

function disordered(calls: readonly Call[], { leads }: Flow): CallsOutcome | undefined {
  for (const [place, early] of calls.entries()) {
    const late = calls.slice(place + 1).find(({ id }) => leads(id, early.id));
    if (late === undefined) continue;
    const remark = "What is handed to the one comes of the other, so that has to be complete first.";
    return inWords(early.id, `before the hook of ${late.id}`, `after the hook of ${late.id}`, remark);
  }
  return undefined;
}

function inWords(id: NodeId, answer: string, expected: string, remark: string): CallsOutcome {
  const finding: Finding = { question: "hook", id, element: 0, answer, expected, bound: "0x0p+0" };
  return { kind: "differs", finding, remark };
}
