import {
  bitExactConventions,
  type Description,
  definitionOrder,
  type Reply,
  referenceConventions,
} from "../../spec/contract/index.ts";
import { primitiveNames } from "../../spec/operators/index.ts";
import type { Conventions } from "../../spec/wire/index.ts";
import { allows, type Numbers, type Precision, type Regime } from "./plan/index.ts";
import { wholeNames } from "./plan/lower/index.ts";

/** The parts of a compiled engine's description that do not follow from its code. */
export interface SelfDescription {
  readonly name: string;
  readonly version: string;
  readonly regime: Regime;
  readonly accuracy: Description["accuracy"];
}

/** In both regimes NaN goes through `maximum` and `relu`, as the instructions of the targets have it. */
const fastConventions: Conventions = { ...referenceConventions, maximumAtNaN: "nan", reluAtNaN: "nan" };

/** Makes the description of a compiled engine. */
export function descriptionOf({ name, version, regime, accuracy }: SelfDescription): Description {
  return {
    name,
    version,
    language: "TypeScript",
    links: [],
    dtypes: ["float64", "float32"],
    operators: allows(regime, "whole_composites") ? [...primitiveNames, ...wholeNames] : primitiveNames,
    modes: ["evaluate", "jvp", "vjp", "backward_dense"],
    conventions: regime === "bit_exact" ? bitExactConventions : fastConventions,
    accuracy,
    accumulation: allows(regime, "reassociation") ? {} : definitionOrder,
    slopes: "accurate",
    repeatable: true,
  };
}

/** Turns exceptions into replies, because an engine never rejects; tells lack of memory from other faults. */
export function caught<T>(task: () => T): Reply<T> {
  try {
    return { kind: "result", value: task() };
  } catch (problem) {
    if (!(problem instanceof RangeError) || /call stack/.test(problem.message)) {
      return { kind: "crashed", message: String(problem) };
    }
    return { kind: "unsupported", reason: `the graph needs too much memory: ${problem.message}` };
  }
}

/** Rounds numbers to the precision. */
export function numbersOf(data: Float64Array, precision: Precision): Numbers {
  return precision === "float32" ? Float32Array.from(data) : data;
}
