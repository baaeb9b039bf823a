import { soundPasses } from "../../../engines/compile/plan/index.ts";
import type { Obligation } from "../obligation.ts";
import { commutedOperands } from "./commuted_operands.ts";
import { type Identity, identityObligation } from "./identity.ts";
import { instructionRules } from "./instruction_rules.ts";
import type { FormatName } from "./numbers.ts";
import { scalarRules } from "./scalar_rules.ts";

/** Lists the identities that the pass on units applies, each by the pass itself. */
export function unitIdentities(): readonly Identity[] {
  return [...scalarRules(), ...instructionRules()];
}

/** Each format has a budget for an identity: ten times the most that was measured. */
const budgets: readonly (readonly [FormatName, number])[] = [
  ["float10", 2_000_000],
  ["float32", 50_000_000],
  ["float64", 50_000_000],
];

/** Tells whether a program has a product or quotient, which cost most, and at float64 too much. */
function isCostly({ program }: Identity): boolean {
  return /"(multiply|divide)"/.test(JSON.stringify(program));
}

/** States what the bit-exact regime rewrites of scalars, in each format. */
export function unitObligations(): readonly Obligation[] {
  const all = [
    ...unitIdentities().map((identity) => ({ identity, rewrite: "units", pass: soundPasses.units }) as const),
    ...commutedOperands().map(
      (identity) =>
        ({ identity, rewrite: "common_subexpressions", pass: soundPasses.common_subexpressions }) as const,
    ),
  ];
  return budgets.flatMap(([format, rlimit]) =>
    all
      .filter(({ identity }) => format !== "float64" || !isCostly(identity))
      .map(({ identity, rewrite, pass }) => {
        const isQuick = format === "float32" && rewrite === "units" && !isCostly(identity);
        const tier = format === "float10" || isQuick ? "everyday" : "long";
        return identityObligation(identity, { rewrite, pass, format, rlimit, tier });
      }),
  );
}
