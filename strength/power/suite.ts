import { suiteVectors } from "../../conformance/index.ts";
import { interpreterEngine } from "../../engines/index.ts";
import { checkVector, InvariantError, type VectorData } from "../../spec/index.ts";
import type { SuiteCase } from "./row.ts";

/** A vector of the suite has more than a case. */
export interface SuiteVector extends SuiteCase {
  /** It would stay for this reason even if it killed no mutant; `undefined` if there is none. */
  readonly reason: string | undefined;
  /** It shows these entries of the catalogue of published defects. */
  readonly defects: readonly string[];
}

/** Lists each vector by path, without ending, in its precision, if mutants have that. */
export function suiteCases(): SuiteVector[] {
  const { dtypes } = interpreterEngine().describe();
  return [...suiteVectors()].flatMap(([name, json]): SuiteVector[] => {
    const vector = checkVector(json);
    if (!vector.ok) throw new InvariantError(`${name} is not a vector`);
    const { dtype, case: question } = vector.value;
    if (!dtypes.includes(dtype)) return [];
    return [
      {
        name,
        dtype,
        case: question,
        reason: reasonFor(name, vector.value),
        defects: vector.value.defects,
      },
    ];
  });
}

function reasonFor(name: string, { defects, policy, flags, dtype }: VectorData): string | undefined {
  if (name.startsWith("findings/")) return "a defect of an engine, replayed against it by a test";
  if (policy !== undefined) return `a choice left to engines (${policy.name}), which none is accused of`;
  if (flags.includes("undecided")) return "nothing is known there, so nobody may be accused";
  if (defects.length > 0) return `a defect that engines had: ${defects.join(", ")}`;
  return dtype === "float64" ? undefined : `a question of ${dtype}; the mutants' faults are those of float64`;
}

/** Vectors in this folder were written because mutants survived, so they predict nothing of new mutants. */
export const OWN = "strength/";

/** Tells whether a vector was written because a mutant survived. */
export function isOwn(name: string): boolean {
  return name.startsWith(OWN);
}
