/**
 * Random systems of dimensions asked of Z3 over the reals, and of the elimination: `node tests/dimensions_z3.ts 10000`. They must agree on
 * which can be met, and each certificate must certify. A linear system of integers has a real solution if and only if it
 * has a rational one.
 */
import { createHash } from "node:crypto";
import process from "node:process";
import { certifies } from "../oracle/diagnosis/certificate.ts";
import { type LinearSystem, solve } from "../oracle/diagnosis/solve.ts";
import { randomSystem } from "../oracle/diagnosis/systems.test.kit.ts";
import { type Script, z3 } from "../oracle/obligations/index.ts";
import { at } from "../spec/index.ts";

/** What was found: how many systems that both say can be met, that both say cannot, and those on which they differ. */
export interface Agreement {
  readonly met: number;
  readonly unmet: number;
  readonly differing: readonly number[];
}

function term(unknown: number, times: bigint, base: number, { bases }: LinearSystem): string {
  const number = times < 0n ? `(- ${-times}.0)` : `${times}.0`;
  const value = unknown < bases ? (unknown === base ? "1.0" : "0.0") : `u${unknown}_${base}`;
  return `(* ${number} ${value})`;
}

/** The system as a script: for each base a real number for each unknown. */
function scriptOf(system: LinearSystem, name: string, expected: Script["expected"]): Script {
  const { bases, unknowns, equations } = system;
  const lines: string[] = ["(set-option :produce-unsat-cores true)", "(set-logic QF_LRA)"];
  for (let base = 0; base < bases; base++) {
    for (let unknown = bases; unknown < unknowns; unknown++) {
      lines.push(`(declare-const u${unknown}_${base} Real)`);
    }
    for (const { terms } of equations) {
      const sum = terms.map(([unknown, times]) => term(unknown, times, base, system)).join(" ");
      lines.push(`(assert (! (= 0.0 (+ 0.0 ${sum})) :named a${lines.length}))`);
    }
  }
  const question = `${lines.join("\n")}\n(check-sat)\n`;
  const text = expected === "unsat" ? `${question}(get-unsat-core)\n` : question;
  const hash = createHash("sha256").update(text).digest("hex");
  const wanted = { kind: "nothing" } as const;
  return { name, expected, logic: "QF_LRA", question, isEmpty: false, wanted, text, hash };
}

/** Asks both of `count` systems, from a seed on. Only contradictions planted at the end are known; all others are drawn. */
export async function agreementOn(count: number, seed: number): Promise<Agreement> {
  await using solver = await z3();
  const found = { met: 0, unmet: 0, differing: [] as number[] };
  for (let i = 0; i < count; i++) {
    const system = randomSystem(seed + i, at([3, 6, 12, 25], i % 4));
    const solution = solve(system);
    const reply = await solver.ask({
      script: scriptOf(system, `system/${seed + i}`, solution.kind === "solved" ? "sat" : "unsat"),
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
