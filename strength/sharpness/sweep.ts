import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { hostUlps, referenceConventions } from "../../engines/index.ts";
import type { Case } from "../../oracle/case/case.ts";
import { expandCase } from "../../oracle/case/expansion.ts";
import { runReference } from "../../oracle/case/reference_run.ts";
import { approximateRational, differenceOf, exactCentre } from "../../oracle/truth/centre/index.ts";
import type { Part } from "../../oracle/truth/nodes/bounds.ts";
import { type Standard, standardOf } from "../../oracle/truth/standard/index.ts";
import { intervalsOf } from "../../oracle/truth/truth.ts";
import type { Interval } from "../../oracle/truth/verdicts/component.ts";
import { floats } from "../../reference/package.ts";
import { binadeOf, type CompositeName, type DataType, formats, nodeId, present } from "../../spec/index.ts";
import { drawIllScaled, graphsOf, type Regime, regimes } from "./ill_scaled.ts";

/** This says how much wider bounds are than the errors of a right engine, for one part of one composite. */
export interface Swept {
  readonly part: Part;
  readonly regime: Regime;
  /** It is the median of bound / error, where no error counts for less than half an ulp of the truth. */
  readonly median: number;
  /** This many answers are outside their bound. */
  readonly outside: number;
  /** This many answers have a bound that is not 0. */
  readonly measured: number;
}

/** In each regime so many cases of a composite are asked, in the precisions in turn. */
const DRAWS = 8;

const precisions = ["float64", "float32"] as const satisfies readonly DataType[];

/** No answer has as many bits; what is still unknown has no true error to compare with. */
const BITS = 320;

const parts: readonly Part[] = ["value", "tangent", "cotangent"];

/** An engine follows expansions in an arithmetic, and declares an accuracy. */
interface SweptEngine {
  readonly accuracy: Standard["accuracy"];
  arithmetic(dtype: DataType): (typeof floats)[DataType];
}

/** This is the reference, whose functions are the host's. */
const reference: SweptEngine = { accuracy: hostUlps, arithmetic: (dtype) => floats[dtype] };

/** Measures the bounds of a composite at ill-scaled operands. Cost: some milliseconds a case. */
export function sweep(
  op: CompositeName,
  seed: number,
  { accuracy, arithmetic }: SweptEngine = reference,
): readonly Swept[] {
  const description = { conventions: referenceConventions, accuracy };
  return regimes.flatMap((regime) => {
    const random = new Random(xoroshiro128plus(seed));
    const ratios = new Map<Part, number[]>(parts.map((part) => [part, []]));
    for (const graph of graphsOf(op, regime)) {
      for (let draw = 0; draw < DRAWS; draw++) {
        const dtype = present(precisions[draw % precisions.length], "a precision");
        const question = drawIllScaled(random, op, graph, regime, dtype);
        for (const [part, ratio] of ratiosOf(question, standardOf(description, dtype), arithmetic(dtype)))
          ratios.get(part)?.push(ratio);
      }
    }
    return [...ratios].map(([part, found]) => {
      found.sort((a, b) => a - b);
      return {
        part,
        regime,
        median: found[Math.floor((found.length - 1) / 2)] ?? 0,
        outside: found.filter((ratio) => ratio < 1).length,
        measured: found.length,
      };
    });
  });
}

/** Lists bound / error for the numbers that the engine answers, as far as they have a bound that is not 0. */
function* ratiosOf(
  question: Case,
  standard: Standard,
  algebra: ReturnType<SweptEngine["arithmetic"]>,
): Generator<[Part, number], void> {
  const { dtype } = standard;
  const { question: expanded, ids } = expandCase(question);
  const { values, tangents, cotangents } = runReference(question, algebra);
  const inputs = question.graph.inputs.map((_, place) => nodeId(place));
  const answers = { value: values, tangent: tangents, cotangent: inputs.map((id) => cotangents.get(id)) };
  for (const part of parts) {
    const intervals = intervalsOf(expanded, standard, part, BITS);
    for (const id of part === "cotangent" ? inputs : [nodeId(inputs.length)]) {
      const components = present(
        intervals[present(ids[id], "an id of the expansion")],
        "the intervals of an id",
      );
      for (const [element, interval] of components.entries()) {
        const answer = answers[part][id]?.data[element] ?? 0;
        if (interval.bound > 0 && Number.isFinite(interval.bound + answer))
          yield [part, interval.bound / errorOf(answer, interval, dtype)];
      }
    }
  }
}

/** Returns how far an answer is from the truth, at least half an ulp of that, or the smallest number. */
function errorOf(answer: number, { low, high }: Interval, dtype: DataType): number {
  const { unitRoundoff, smallest } = formats[dtype];
  const number = exactCentre.field.literal(answer);
  const [above, below] = [differenceOf(exactCentre, number, low), differenceOf(exactCentre, number, high)];
  // If the enclosure's ends lie on both sides, the answer cannot be told from the truth.
  const isTruth = above.numerator >= 0n && below.numerator <= 0n;
  const error = isTruth ? 0 : Math.abs(approximateRational(above));
  return Math.max(error, unitRoundoff * binadeOf(Math.abs(approximateRational(low))), smallest);
}
