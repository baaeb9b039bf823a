import { InvariantError } from "../../spec/shapes/index.ts";
import { leanFile, readTraceJson } from "../index.ts";
import { type Perturbation, perturb, perturbationKinds } from "./perturb.ts";
import { randomTrace } from "./random_traces.ts";
import type { Expectation } from "./tally.ts";

/** Draws random traces, every one of which Lean has to accept. */
export function randomTraces(seed: number, count: number): Expectation[] {
  return Array.from({ length: count }, (_, index) => {
    const trace = readTraceJson(randomTrace(seed, index));
    if (!trace.ok) throw new InvariantError(`the random trace ${index} of ${seed} cannot be exported`);
    return {
      file: { name: `random trace ${index} of seed ${seed}`, text: leanFile(trace.value).text },
      isExpected: ({ kind }) => kind === "accepted",
    };
  });
}

/** Draws random traces with one number changed. Lean must reject each and name a claim made false. */
export function wrongTraces(seed: number, count: number): Expectation[] {
  return perturbations(seed, count).map(({ what, trace, claims }) => ({
    file: { name: what, text: leanFile(trace).text },
    isExpected: (verdict) =>
      verdict.kind === "rejected" && verdict.claim !== undefined && claims.includes(verdict.claim),
  }));
}

/** Returns the kinds in turn; where a trace has no place for one, the next trace is taken. */
export function perturbations(seed: number, count: number): Perturbation[] {
  const found: Perturbation[] = [];
  for (let index = 0; found.length < count; index++) {
    const kind = perturbationKinds[found.length % perturbationKinds.length] ?? "value";
    const perturbation = perturb(randomTrace(seed, index), kind, seed * 1_000_003 + index);
    if (perturbation !== undefined)
      found.push({ ...perturbation, what: `trace ${index} of seed ${seed}, ${perturbation.what}` });
  }
  return found;
}
