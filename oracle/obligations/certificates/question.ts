import { createHash } from "node:crypto";
import type { LinearSystem } from "../../diagnosis/index.ts";
import type { Script } from "../script.ts";

/**
 * Asks whether a system has a solution, in linear real arithmetic: for each base a real number for each
 * unknown. A linear system of integers has a real solution if and only if it has a rational one. Cost: linear
 * in the terms, times the bases.
 */
export function systemScript(system: LinearSystem, name: string, expected: Script["expected"]): Script {
  const { bases, unknowns, equations } = system;
  const lines: string[] = ["(set-option :produce-unsat-cores true)", "(set-logic QF_LRA)"];
  for (let base = 0; base < bases; base++) {
    for (let unknown = bases; unknown < unknowns; unknown++) {
      lines.push(`(declare-const u${unknown}_${base} Real)`);
    }
    for (const { terms } of equations) {
      const sum = terms.map(([unknown, times]) => termText(unknown, times, base, bases)).join(" ");
      lines.push(`(assert (! (= 0.0 (+ 0.0 ${sum})) :named a${lines.length}))`);
    }
  }
  const question = `${lines.join("\n")}\n(check-sat)\n`;
  const text = expected === "unsat" ? `${question}(get-unsat-core)\n` : question;
  const hash = createHash("sha256").update(text).digest("hex");
  const wanted = { kind: "nothing" } as const;
  return {
    name,
    expected,
    logic: "QF_LRA",
    group: "",
    preamble: "",
    question,
    isEmpty: false,
    wanted,
    text,
    hash,
  };
}

function termText(unknown: number, times: bigint, base: number, bases: number): string {
  const number = times < 0n ? `(- ${-times}.0)` : `${times}.0`;
  const value = unknown < bases ? (unknown === base ? "1.0" : "0.0") : `u${unknown}_${base}`;
  return `(* ${number} ${value})`;
}
