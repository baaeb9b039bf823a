import { referenceConventions } from "../../../engines/index.ts";
import { float64 } from "../../../reference/package.ts";
import { argumentsOf, contentsOf, type Named } from "../../../reference/state/optimisers/calls.test.kit.ts";
import { at, type Program } from "../../../spec/index.ts";
import { referenceStandard, standardOf } from "../../truth/standard/standard.ts";
import { boundsOfCalls } from "../session_bounds.ts";
import type { OptimiserCase } from "./case.test.kit.ts";

/**
 * The paths of optimisers are held to this: each product, quotient and root of ours may be four correctly
 * rounded operations of theirs (2 ulp), the cosine as many, sums in any order. That covers
 * m + (1 − β) (g − m) for β m + (1 − β) g if β > 1/3, (η / c₁) m for η (m / c₁), √v / √c₂ for √(v / c₂),
 * x (1 − η λ) for x − η λ x, a reciprocal root, and a power of β for a product.
 */
const fourRoundings = standardOf(
  {
    conventions: referenceConventions,
    accuracy: { multiply: 2, divide: 2, sqrt: 2, cos: 2, acos: 2 },
  },
  "float64",
);

/** It says how a path compares with a program. */
export interface Comparison {
  /** `within` every bound; `outside` one; `undecided` where there is no bound, or a branch is open. */
  readonly verdict: "within" | "outside" | "undecided";
  /** The greatest distance by the bound at it. */
  readonly share: number;
  /** The greatest distance in units in the last place of the program's number, and the greatest distance. */
  readonly ulps: number;
  readonly distance: number;
}

/** A comparison needs this of a case. */
type ComparedRun = Pick<OptimiserCase, "parameters" | "contents" | "calls" | "isCorrectlyRounded">;

/** Compares the parameters after each call with what the program has then. */
export function compared(
  program: Program,
  { parameters, contents, calls, isCorrectlyRounded = false }: ComparedRun,
  path: readonly Named<number>[],
): Comparison {
  const start = {
    state: contentsOf(float64, program, { ...parameters, ...contents }),
    environment: new Map(),
    generator: { key: [0, 0] as const, drawn: 0 },
  };
  const given = calls.map((call) => argumentsOf(program, call));
  const bounds = boundsOfCalls(
    program,
    start,
    given,
    isCorrectlyRounded ? referenceStandard("float64") : fourRoundings,
  );
  if (!bounds.ok) throw new Error(JSON.stringify(bounds.error));
  let found: Comparison = { verdict: "within", share: 0, ulps: 0, distance: 0 };
  for (const [call, { state, isOpen }] of bounds.value.entries()) {
    for (const [place, { name }] of program.state.entries()) {
      const answers = path[call]?.[name];
      if (parameters[name] === undefined) continue;
      for (const [i, { value, reach }] of at(state, place).data.entries()) {
        found = worse(found, value, isOpen ? undefined : reach, answers?.[i] ?? Number.NaN);
      }
    }
  }
  return found;
}

function worse(found: Comparison, value: number, reach: number | undefined, answer: number): Comparison {
  if (Object.is(value, answer)) return found;
  const distance = Math.abs(value - answer);
  if (!(Number.isFinite(value) && Number.isFinite(answer))) return { ...found, verdict: "outside" };
  const isUndecided = reach === undefined && found.verdict === "within";
  const isOutside = reach !== undefined && distance > reach;
  return {
    verdict: isOutside ? "outside" : isUndecided ? "undecided" : found.verdict,
    share: Math.max(found.share, distance === 0 ? 0 : distance / (reach ?? Number.POSITIVE_INFINITY)),
    ulps: Math.max(found.ulps, distance / ulpOf(value)),
    distance: Math.max(found.distance, distance),
  };
}

function ulpOf(x: number): number {
  const exponent = Math.floor(Math.log2(Math.abs(x)));
  return 2 ** (Math.max(-1022, exponent) - 52);
}
