import type { ObstructionJson } from "../../../spec/explained/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import { certifies, type LinearSystem } from "../../diagnosis/index.ts";
import type { Solver } from "../solve/index.ts";
import { systemScript } from "./question.ts";

/** Others than the elimination say this of an obstruction. */
export interface Recheck {
  /** The equations sum up to this product of bases being 1, `kg·m⁻¹`; `undefined` if they do not. */
  readonly sum: string | undefined;
  /** The solver says this of all equations together; it should be `unmet`. */
  readonly all: Met;
  /** The solver says this of all equations but one, for each; it should be `met`. */
  readonly without: readonly Met[];
}

/** A solver finds that dimensions meet equations, do not, or does not know. */
type Met = "met" | "unmet" | "unknown";

/** One question may cost this much. */
const limits = { rlimit: 100_000_000, timeout: 60_000 };

/**
 * Checks an obstruction as it is told: sums it anew, and asks a solver whether anything meets its equations,
 * and whether anything meets all but one. Cost: a question more than it has equations.
 */
export async function recheck(obstruction: ObstructionJson, solver: Pick<Solver, "ask">): Promise<Recheck> {
  const system = systemOf(obstruction);
  const ask = async (asked: LinearSystem, name: string, expected: "sat" | "unsat"): Promise<Met> => {
    const script = systemScript(asked, name, expected);
    const { answer } = await solver.ask({ script, limits, seed: 0 });
    if (answer.kind === "proved") return "unmet";
    return answer.kind === "refuted" ? "met" : "unknown";
  };
  const all = await ask(system, "dimensions/all", "unsat");
  const without: Met[] = [];
  for (const [place] of system.equations.entries()) {
    const equations = system.equations.filter((_, other) => other !== place);
    without.push(await ask({ ...system, equations }, `dimensions/without_${place}`, "sat"));
  }
  return { sum: sumOf(obstruction, system), all, without };
}

function systemOf({ bases, unknowns, grounds }: ObstructionJson): LinearSystem {
  return {
    bases: bases.length,
    unknowns: bases.length + unknowns.length,
    equations: grounds.map(({ terms }) => ({
      terms: terms.map(([id, times]) => [id, BigInt(times)] as const),
    })),
  };
}

function sumOf({ bases, grounds }: ObstructionJson, { equations }: LinearSystem): string | undefined {
  const certificate = grounds.map(({ times }, equation) => ({ equation, times: BigInt(times) }));
  if (!certifies(certificate, equations, bases.length)) return undefined;
  const counts = bases.map((_, base) =>
    certificate.reduce(
      (sum, { equation, times }) =>
        at(equations, equation).terms.reduce(
          (own, [id, one]) => (id === base ? own + times * one : own),
          sum,
        ),
      0n,
    ),
  );
  return bases
    .flatMap((base, place) => {
      const count = at(counts, place);
      return count === 0n ? [] : [count === 1n ? base : `${base}^${count}`];
    })
    .join("·");
}
