import type { DataType, Mutant } from "../../engines/index.ts";
import type { Case } from "../../oracle/case/case.ts";
import { ask } from "../../oracle/hearing/ask.ts";
import type { Probe } from "../../oracle/hearing/finding.ts";
import type { Witness } from "../../oracle/hearing/verdict.ts";
import type { OperatorName } from "../../spec/index.ts";
import { type Cotangents, lawsFor, withCotangents } from "./cotangents.ts";
import { brokenLaws } from "./laws_alone.ts";
import { type Kill, searchKill, witnessOf } from "./search.ts";

/** A case of a suite, by name, with the precision it is asked in. */
export interface SuiteCase {
  readonly name: string;
  readonly dtype: DataType;
  readonly case: Case;
}

/** How a mutant's row of the kill matrix is measured. */
export interface RowOptions {
  readonly suite: readonly SuiteCase[];
  readonly seed: number;
  /** The most cases of the random search. */
  readonly cases: number;
  /** The most cases on which each law is tried alone. */
  readonly lawCases: number;
  /** Whether only what a case's own cotangents kill is measured: neither ones nor a witness. */
  readonly isBrief?: boolean;
}

/** How small a mutant's first random witness became. */
interface WitnessSize {
  readonly nodes: number;
  readonly inputs: number;
  /** The operators of its nodes, in order. */
  readonly operators: readonly OperatorName[];
  readonly blame: Pick<Witness["blame"], "op" | "part">;
}

/** One mutant's row of the kill matrix; plain data. */
export interface Row {
  readonly name: string;
  /** By cotangents, the names of the suite's cases that kill it, and what each found. */
  readonly suite: Readonly<
    Record<Cotangents, readonly { readonly name: string; readonly question: Probe }[]>
  >;
  /** By cotangents, the first kill of the random search. */
  readonly random: Readonly<Record<Cotangents, Kill | undefined>>;
  /** For each law, the number of random cases after which it alone is broken. */
  readonly laws: Readonly<Record<string, number | undefined>>;
  readonly witness: WitnessSize | undefined;
}

/** Measures one mutant. A fresh engine for each search, so that none inherits another's memory. */
export async function measureRow(mutant: Mutant, options: RowOptions): Promise<Row> {
  const { seed, cases, lawCases, isBrief = false } = options;
  const generic = await searchKill(mutant.engine(), { seed, cases, cotangents: "generic" });
  const witness = generic && !isBrief ? await witnessOf(mutant.engine(), seed, generic) : undefined;
  return {
    name: mutant.name,
    suite: {
      generic: await killersOf(mutant, options.suite, "generic"),
      ones: isBrief ? [] : await killersOf(mutant, options.suite, "ones"),
    },
    random: {
      generic,
      ones: isBrief ? undefined : await searchKill(mutant.engine(), { seed, cases, cotangents: "ones" }),
    },
    laws: Object.fromEntries(await brokenLaws(mutant.engine(), seed, lawCases)),
    witness: witness && sizeOfWitness(witness),
  };
}

/** The cases of a suite that kill a mutant, each on its own. */
async function killersOf(
  mutant: Mutant,
  suite: readonly SuiteCase[],
  cotangents: Cotangents,
): Promise<Row["suite"][Cotangents]> {
  const killers: { name: string; question: Probe }[] = [];
  for (const { name, dtype, case: question } of suite) {
    const outcome = await ask(
      mutant.engine(),
      withCotangents(question, cotangents),
      dtype,
      lawsFor(cotangents),
    );
    if (outcome.kind === "differs") killers.push({ name, question: outcome.finding.question });
  }
  return killers;
}

function sizeOfWitness({ case: { graph }, blame }: Witness): WitnessSize {
  return {
    nodes: graph.nodes.length,
    inputs: graph.inputs.length,
    operators: graph.nodes.map(({ op }) => op),
    blame: { op: blame.op, part: blame.part },
  };
}
