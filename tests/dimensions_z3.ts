/**
 * Asks Z3 over the reals and the elimination about random systems of dimensions: `node tests/dimensions_z3.ts
 * 10000`. They must agree which can be met, and each certificate must certify.
 */
import process from "node:process";
import { certifies } from "../oracle/diagnosis/certificate.ts";
import { solve } from "../oracle/diagnosis/solve.ts";
import { randomSystem } from "../oracle/diagnosis/systems.test.kit.ts";
import { systemScript } from "../oracle/obligations/certificates/question.ts";
import { z3 } from "../oracle/obligations/index.ts";
import { at } from "../spec/index.ts";

/** So many systems can be met, so many cannot, by both; on the ones listed they differ. */
export interface Agreement {
  readonly met: number;
  readonly unmet: number;
  readonly differing: readonly number[];
}

/** Asks both about `count` random systems, from a seed on; some have a contradiction planted at the end. */
export async function agreementOn(count: number, seed: number): Promise<Agreement> {
  await using solver = await z3();
  const found = { met: 0, unmet: 0, differing: [] as number[] };
  for (let i = 0; i < count; i++) {
    const system = randomSystem(seed + i, at([3, 6, 12, 25], i % 4));
    const solution = solve(system);
    const reply = await solver.ask({
      script: systemScript(system, `system/${seed + i}`, solution.kind === "solved" ? "sat" : "unsat"),
      limits: { rlimit: 100_000_000, timeout: 60_000 },
      seed: 0,
    });
    const isCertain =
      solution.kind === "solved" || certifies(solution.certificate, system.equations, system.bases);
    const wanted = solution.kind === "solved" ? "refuted" : "proved";
    if (reply.answer.kind !== wanted || !isCertain) found.differing.push(seed + i);
    else if (solution.kind === "solved") found.met += 1;
    else found.unmet += 1;
  }
  return found;
}

if (import.meta.main) {
  const count = Number(process.argv[2] ?? "10000");
  const { met, unmet, differing } = await agreementOn(count, 1);
  console.log(`${met} can be met, ${unmet} cannot, and both say so; they differ on ${differing.length}.`);
  for (const seed of differing.slice(0, 20)) console.log(`seed ${seed}`);
  process.exitCode = differing.length === 0 ? 0 : 1;
}
