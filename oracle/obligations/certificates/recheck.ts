import { at } from "../../../spec/shapes/index.ts";
import type { ObstructionJson } from "../../../spec/wire/index.ts";
import { certifies, type LinearSystem } from "../../diagnosis/index.ts";
import type { Solver } from "../solve/index.ts";
import { systemScript } from "./question.ts";

/** What others than the elimination say of an obstruction. */
export interface Recheck {
  /** What the equations, each so many times, say is 1: a product of bases, `kg·m⁻¹`; `undefined` if they say nothing of the kind. */
  readonly sum: string | undefined;
  /** What the solver says of all equations together; it should be `unmet`. */
  readonly all: Met;
  /** What it says of the others, for each equation; it should be `met`. */
  readonly without: readonly Met[];
}

/** Whether dimensions meet equations, as far as a solver knows. */
type Met = "met" | "unmet" | "unknown";

/** What one question may cost. */
const limits = { rlimit: 100_000_000, timeout: 60_000 };

/**
 * Asks again of an obstruction, as it is told: its sum is made anew, and a solver is asked whether anything meets its equations, and
 * whether anything meets all but one. Cost: a question more than it has equations.
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
