import { suiteVectors } from "../../conformance/index.ts";
import type { SuiteCase } from "../../oracle/index.ts";
import { checkVector, InvariantError } from "../../spec/index.ts";

/** Every vector of the suite by its path without the ending, in the precision it is meant for. */
export function suiteCases(): SuiteCase[] {
  return [...suiteVectors()].map(([name, json]) => {
    const vector = checkVector(json);
    if (!vector.ok) throw new InvariantError(`${name} is not a vector`);
    return { name, dtype: vector.value.dtype, case: vector.value.case };
  });
}
