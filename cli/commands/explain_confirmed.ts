import { type LeanChecker, noVerdict, showVerdict } from "../../lean-export/campaign/index.ts";
import { fitting, isProved } from "../../oracle/obligations/accumulators/index.ts";
import { type Recheck, recheck } from "../../oracle/obligations/certificates/index.ts";
import { z3 } from "../../oracle/obligations/solve/index.ts";
import { distinct } from "../../oracle/widths/index.ts";
import type { BoundedSum, Register } from "../../reference/numerics/index.ts";
import type { ObstructionJson } from "../../spec/explained/index.ts";
import { counted } from "../../spec/shapes/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** One checker has this opinion of a refusal: `isSo` is `undefined` if it came to none. */
interface Opinion {
  readonly isSo: boolean | undefined;
  readonly says: string;
}

/** Has Z3 and Lean check a refusal, and tells what they say. If one contradicts it, adjudge is at fault. */
export async function confirmed(
  { refused, certificate }: { readonly refused: ObstructionJson; readonly certificate: string },
  { out, note, palette }: Terminal,
  checker: LeanChecker,
): Promise<ExitCode> {
  await using solver = z3();
  const found = await recheck(refused, solver);
  const file = { name: "certificate.lean", text: certificate };
  const [verdict = noVerdict] = await checker.check([file], { log: note });
  const byLean: Opinion =
    verdict.kind === "accepted"
      ? { isSo: true, says: `${verdict.lean.name} ${verdict.lean.version} accepts ${verdict.seen.statement}` }
      : {
          isSo: verdict.kind === "rejected" ? false : undefined,
          says: `Lean: ${showVerdict(verdict)}`,
        };
  const opinions = [sumOpinion(found), ...solverOpinions(found, solver.name), byLean];
  out("");
  for (const { isSo, says } of opinions) {
    const mark = isSo === undefined ? palette.yellow("?") : isSo ? palette.green("✓") : palette.red("✗");
    out(`${mark} ${says}`);
  }
  if (opinions.some(({ isSo }) => isSo === false)) return exitCodes.internal;
  return opinions.some(({ isSo }) => isSo === undefined) ? exitCodes.undecided : exitCodes.disagrees;
}

/**
 * Has Z3 check that the sums of trees fit their register, in integers and in words, and tells what it says.
 */
export async function confirmedWidths(
  { sums, register }: { readonly sums: readonly BoundedSum[]; readonly register: Register },
  { out, palette }: Terminal,
): Promise<ExitCode> {
  await using solver = z3();
  const all = distinct(sums, register);
  const { records, misfits } = await fitting(all, register, solver);
  const isSo = misfits.length === 0 && records.every(isProved);
  const mark = isSo ? palette.green("✓") : palette.red("✗");
  out("");
  out(`${mark} ${solver.name}: ${counted(all.length - misfits.length, "kind of sum", "kinds of sums")} of`);
  out(`  ${all.length} proved to fit in ${register.name}, in QF_LIA and QF_BV`);
  if (isSo) return exitCodes.agrees;
  return misfits.some((misfit) => misfit.isWrong) ? exitCodes.internal : exitCodes.undecided;
}

function sumOpinion({ sum, without }: Recheck): Opinion {
  const equations =
    without.length === 1 ? "the equation" : `the ${without.length} equations, each so many times,`;
  return sum === undefined
    ? { isSo: false, says: `${equations} come to nothing that cannot be` }
    : { isSo: true, says: `${equations} come to 1 = ${sum}` };
}

function solverOpinions({ all, without }: Recheck, name: string): readonly Opinion[] {
  const needless = without.filter((one) => one === "unmet").length;
  const unknown = without.filter((one) => one === "unknown").length;
  const minimal: Opinion =
    needless > 0
      ? { isSo: false, says: `${name}: ${needless} of them can be left out, and nothing meets the rest` }
      : {
          isSo: unknown > 0 ? undefined : true,
          says: `${name}: without any one of them the others can be met`,
        };
  return [
    {
      isSo: all === "unknown" ? undefined : all === "unmet",
      says:
        all === "met" ? `${name}: dimensions meet all of them` : `${name}: no dimensions meet all of them`,
    },
    unknown > 0 && needless === 0
      ? { ...minimal, says: `${name}: ${counted(unknown, "question")} without an answer` }
      : minimal,
  ];
}
