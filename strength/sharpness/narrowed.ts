import { interpreterEngine } from "../../engines/index.ts";
import { runReference } from "../../oracle/case/reference_run.ts";
import { type CaseProfile, caseAt } from "../../oracle/generate/index.ts";
import { type Component, standardOf, truthOf } from "../../oracle/truth/index.ts";
import { floats, withAccurateSlopes } from "../../reference/package.ts";
import { nodeId } from "../../spec/index.ts";

/** These count cotangents of float64 that are rounded to float32, as an engine has them by mistake. */
export interface Narrowed {
  /** So many are moved by it, have a bound, and are not 0 in truth. */
  readonly counted: number;
  /** So many of these pass for float64's. */
  readonly passing: number;
  /** So many are not counted, since they are next to a number of float32: rounding hardly moves them. */
  readonly representable: number;
  /** So many are not counted, since in truth they are 0, or cannot be told from it. */
  readonly zeros: number;
}

/** What passes comes of few cases, with many numbers each; these profiles need more of them to be weighed. */
const more: Readonly<Record<string, number>> = { windows: 3, edges: 4, arranging: 2, reach: 6 };

/** Returns how many cases of a profile are asked: some 6,000 nodes, where numbers that pass are spread. */
export function casesOfNarrowed({ name, nodes }: CaseProfile): number {
  return Math.ceil(6000 / Math.max(15, ...nodes)) * (more[name] ?? 1);
}

/** A number that is moved by a smaller part of it than this is next to one of float32. */
const HARDLY = 2 ** -34;

/**
 * Rounds the cotangents of a profile's first cases to float32, each alone, and asks whether they pass. The
 * engine is the reference's arithmetic, with what the interpreter declares; they are held to a precision.
 */
export function narrowedOf(
  profile: CaseProfile,
  cases: number,
  seed: number,
  dtype: "float64" | "float32" = "float64",
): Narrowed {
  const standard = standardOf(interpreterEngine().describe(), dtype);
  const { float64 } = floats;
  const counts = { counted: 0, passing: 0, representable: 0, zeros: 0 };
  for (let index = 0; index < cases; index++) {
    const question = caseAt(profile, seed, index);
    const truth = truthOf(question, standard);
    const { cotangents } = runReference(question, float64, ({ graph }, meaning) =>
      withAccurateSlopes(graph, meaning, float64),
    );
    for (const [id, { data }] of cotangents) {
      for (const [element, component] of truth.cotangent(nodeId(id)).entries()) {
        const kind = kindOf(component, data[element] ?? Number.NaN);
        if (kind === undefined) continue;
        counts[kind] += 1;
        if (kind === "counted" && component.judge(Math.fround(data[element] ?? 0)) === "within")
          counts.passing += 1;
      }
    }
  }
  return counts;
}

/** Says as what a number counts; \`undefined\` if nothing is known of it. */
function kindOf({ bound, near }: Component, answer: number): Exclude<keyof Narrowed, "passing"> | undefined {
  if (!Number.isFinite(answer) || !Number.isFinite(bound)) return undefined;
  if (Math.abs(near.value) <= near.slack) return "zeros";
  return Math.abs(Math.fround(answer) - answer) <= HARDLY * Math.abs(answer) ? "representable" : "counted";
}
