import type { Seed } from "../../spec/graph/index.ts";
import { at, isSameShape, type NodeId } from "../../spec/shapes/index.ts";
import { type FlatTensor, formatFloat64 } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import type { Finding } from "../hearing/index.ts";
import type { Truth } from "../truth/index.ts";
import type { Call } from "./hooks.ts";

/** The answer to one step is wrong in this way. */
export interface TapeFinding {
  /** This is the place of the step. */
  readonly step: number;
  readonly finding: Finding;
  /** This sentence is said of it. */
  readonly remark: string;
  /** This asks the sweep's question of its graph; without seeds, if they do not fit it. */
  readonly case: Case;
}

/** A sweep's answer is kept as it came, beside the engine's own arrays and the calls of hooks. */
export interface Swept {
  readonly given: readonly FlatTensor[];
  readonly held: readonly FlatTensor[];
  readonly calls: readonly Call[];
}

/** An answered sweep is kept with what it owed. */
export interface Answered extends Swept {
  readonly step: number;
  readonly tape: string;
  readonly seeds: readonly Seed[];
  /** These are the ids of what came: the inputs, then those with hooks. */
  readonly ids: readonly NodeId[];
  readonly truth: Truth;
  readonly case: Case;
}

/** Reports an answer that has changed since it came: something has been written into it. */
export function changed(answers: readonly Answered[]): TapeFinding | undefined {
  for (const answered of answers) {
    const { step, held, calls, case: question } = answered;
    const hooks = answered.ids.slice(held.length);
    const handed = hooks.map((id, place) => heldBy(calls, id) ?? at(answered.given, held.length + place));
    const other = firstOther(answered, [...held, ...handed]);
    if (other === undefined) continue;
    const remark = "It was another number when it came: something has been written into the answer since.";
    return { step, finding: other, remark, case: question };
  }
  return undefined;
}

/** Returns the engine's own array that a hook was handed. */
function heldBy(calls: readonly Call[], id: NodeId): FlatTensor | undefined {
  return calls.find((call) => call.id === id)?.held;
}

/** Finds the first number whose bits differ; any NaN equals any other. */
export function firstOther(
  { given: before, ids, case: { graph } }: Answered,
  after: readonly FlatTensor[],
): Finding | undefined {
  for (const [place, { data }] of before.entries()) {
    const other = after[place]?.data ?? new Float64Array();
    const element = data.findIndex((x, i) => !Object.is(x, other[i]));
    if (element < 0) continue;
    return {
      question: place < graph.inputs.length ? "sweep" : "hook",
      id: at(ids, place),
      element,
      answer: formatFloat64(other[element] ?? Number.NaN),
      expected: formatFloat64(data[element] ?? Number.NaN),
      bound: "0x0p+0",
    };
  }
  return undefined;
}

/** Tells whether two sweeps are given the same seeds, to the bit. */
export function areSameSeeds(some: readonly Seed[], others: readonly Seed[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ id, cotangent }) => {
      const other = others.find((seed) => seed.id === id)?.cotangent;
      return (
        other !== undefined &&
        isSameShape(other.shape, cotangent.shape) &&
        cotangent.data.every((x, i) => Object.is(x, other.data[i]))
      );
    })
  );
}
