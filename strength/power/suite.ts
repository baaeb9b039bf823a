import { suiteVectors } from "../../conformance/index.ts";
import { interpreterEngine } from "../../engines/index.ts";
import { checkVector, InvariantError, type VectorData } from "../../spec/index.ts";
import type { SuiteCase } from "./row.ts";

/** A vector of the suite. */
export interface SuiteVector extends SuiteCase {
  /** Why it would stand there even if it killed no mutant; `undefined` without a reason. */
  readonly reason: string | undefined;
  /** The entries of the catalogue of published defects that it shows. */
  readonly defects: readonly string[];
}

/** Every vector of the suite by its path without the ending, in the precision it is meant for, where that is one that the mutants have. */
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

/** The folder of vectors each of which was written because a mutant survived the others: they say nothing of mutants yet to come. */
export const OWN = "strength/";

/** Whether a vector was written because a mutant survived. */
export function isOwn(name: string): boolean {
  return name.startsWith(OWN);
}
