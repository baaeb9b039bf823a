import type { RewriteName } from "../../../engines/compile/plan/index.ts";
import { featuresOf, leastLogic } from "../logic.ts";
import type { Execution, Hypothesis, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { claimOf, equivalenceOf, formatNumbers, numbersFor, outcomeOf, type Pair } from "./equivalence.ts";
import { symbolsOf } from "./evaluation.ts";
import { withoutLaw } from "./finite.ts";
import { type LawName, laws } from "./laws.ts";
import type { FormatName } from "./numbers.ts";
import { abstract, floats, type Given, reals } from "./theories.ts";
import { witnessOf } from "./witness.ts";

/** An algebra allows this rewriting, and IEEE arithmetic does not. */
export interface Rewriting {
  readonly name: string;
  readonly rewrite: RewriteName;
  readonly statement: string;
  readonly pair: Pair;
  /** The bit-exact regime makes this of the program; without it, nothing. */
  readonly exact?: Pair;
  /** It needs all of these laws, or else the real numbers. */
  readonly laws: readonly LawName[] | "reals";
  /** These assume more of the numbers than the laws. */
  readonly hypotheses?: readonly Hypothesis[];
  /** Besides IEEE arithmetic and algebras without a law, each further assumption has a wrong variant. */
  readonly mutants?: readonly ObligationMutant[];
  /** IEEE arithmetic refutes it in this format. */
  readonly format?: FormatName;
  /** Some numbers are given there, so that the solver need not look far. */
  readonly given?: Given;
  readonly rlimit?: number;
  readonly tier?: Obligation["tier"];
  readonly metaArgument?: string;
}

/**
 * States that two programs have the same results over abstract scalars of which only laws are known. One
 * mutant is IEEE arithmetic, where results differ, which is why the bit-exact regime avoids the rewrite; and
 * for each law there is an algebra that has all the others.
 */
export function algebraicObligation(rewriting: Rewriting): Obligation {
  const { name, rewrite, statement, pair } = rewriting;
  const isReal = rewriting.laws === "reals";
  const needed = rewriting.laws === "reals" ? [] : rewriting.laws;
  const named = needed.map((law) => laws[law]);
  const hypotheses = [...named, ...(rewriting.hypotheses ?? [])];
  const { declarations, goal } = equivalenceOf(pair, isReal ? reals : abstract);
  const algebra = isReal ? "the real numbers" : named.map(({ name: law }) => law).join(", ");
  return {
    id: `rewrites/${rewrite}/${name}`,
    statement: `${statement}: in ${isReal ? algebra : `every algebra with the laws ${algebra}`}.`,
    clause: "SEMANTICS §7",
    logic: leastLogic(
      featuresOf([declarations, goal, ...hypotheses.map(({ formula }) => formula)].join("\n")),
    ),
    scope: { kind: "rewrite", rewrite, format: isReal ? "reals" : algebra },
    tier: rewriting.tier ?? "everyday",
    declarations,
    hypotheses,
    goal,
    rlimit: rewriting.rlimit ?? 20_000_000,
    requiredCore: hypotheses.map((hypothesis) => hypothesis.name),
    mutants: [
      inFloats(rewriting, hypotheses),
      ...needed.map((law) => withoutLaw(claimOf(pair), needed, law)),
      ...(rewriting.mutants ?? []),
    ],
    dependsOn: [],
    metaArgument: rewriting.metaArgument ?? "",
  };
}

function inFloats(rewriting: Rewriting, hypotheses: readonly Hypothesis[]): ObligationMutant {
  const { pair, format = "float16" } = rewriting;
  const execute = (model: Model): Execution => runIn(rewriting, format, model);
  const given = rewriting.given ?? witnessOf(symbolsOf(pair.before).flat(), format, execute);
  const { declarations, goal, symbols } = equivalenceOf(pair, floats(format), new Map(), given);
  return {
    name: `in_${format}`,
    fault: `the rewrite is used in ${format}, where the laws do not hold.`,
    logic: "QF_FP",
    without: hypotheses.map(({ name }) => name),
    declarations,
    goal,
    ask: symbols,
    execute,
  };
}

function runIn({ pair, exact }: Rewriting, format: FormatName, model: Model): Execution {
  const numbers = numbersFor(pair.before, format, model);
  const wrong = outcomeOf(pair, format, numbers);
  const right = exact === undefined ? undefined : outcomeOf(exact, format, numbers);
  const names = symbolsOf(pair.before).flat();
  const told = numbers.flat().map((x, n) => `${names[n]} = ${formatNumbers([x])}`);
  return {
    showsFault: !wrong.isSame && (right?.isSame ?? true),
    told: `${told.join(", ")}: ${formatNumbers(wrong.before)} and, rewritten, ${formatNumbers(wrong.after)}`,
  };
}
