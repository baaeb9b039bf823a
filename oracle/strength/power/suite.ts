import { suiteVectors } from "../../../conformance/index.ts";
import { checkVector, InvariantError, type VectorData } from "../../../spec/index.ts";
import type { SuiteCase } from "./row.ts";

/** A vector of the suite, and why it would stand there even if it killed no mutant; `undefined` without a reason. */
export interface SuiteVector extends SuiteCase {
  readonly reason: string | undefined;
}

/** Every vector of the suite by its path without the ending, in the precision it is meant for. */
export function suiteCases(): SuiteVector[] {
  return [...suiteVectors()].map(([name, json]) => {
    const vector = checkVector(json);
    if (!vector.ok) throw new InvariantError(`${name} is not a vector`);
    const { dtype, case: question } = vector.value;
    return { name, dtype, case: question, reason: reasonFor(name, vector.value) };
  });
}

function reasonFor(name: string, { defects, policy, flags, dtype }: VectorData): string | undefined {
  if (name.startsWith("findings/")) return "a defect of an engine, replayed against it by a test";
  if (policy !== undefined) return `a choice left to engines (${policy.name}), which none is accused of`;
  if (flags.includes("undecided")) return "nothing is known there, so nobody may be accused";
  if (defects.length > 0) return `a defect that engines had: ${defects.join(", ")}`;
  return dtype === "float64" ? undefined : `a question of ${dtype}; the mutants' faults are those of float64`;
}
