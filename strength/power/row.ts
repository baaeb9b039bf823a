import type { DataType, Mutant } from "../../engines/index.ts";
import type { Case } from "../../oracle/case/case.ts";
import { ask } from "../../oracle/hearing/ask.ts";
import type { Probe } from "../../oracle/hearing/finding.ts";
import type { Witness } from "../../oracle/hearing/verdict.ts";
import type { OperatorName } from "../../spec/index.ts";
import { type Cotangents, lawsFor, withCotangents } from "./cotangents.ts";
import { brokenLaws } from "./laws_alone.ts";
import { type Kill, searchKill, witnessOf } from "./search.ts";
import { mayTell } from "./trial.ts";

/** This is a named case of a suite, with the precision it is asked in. */
export interface SuiteCase {
  readonly name: string;
  readonly dtype: DataType;
  readonly case: Case;
}

/** A mutant's row of the kill matrix is measured with these. */
export interface RowOptions {
  readonly suite: readonly SuiteCase[];
  readonly seed: number;
  /** The random search has this many cases at most. */
  readonly cases: number;
  /** Each law is tried alone on this many cases at most. */
  readonly lawCases: number;
  /** If true, only kills by a case's own cotangents are measured: no ones, no witness. */
  readonly isBrief?: boolean;
}

/** A mutant's first random witness was shrunk to this. */
interface WitnessSize {
  readonly nodes: number;
  readonly inputs: number;
  /** These are the operators of its nodes, in order. */
  readonly operators: readonly OperatorName[];
  readonly blame: Pick<Witness["blame"], "op" | "part">;
}

/** A row of the kill matrix has one mutant's results, as plain data. */
export interface Row {
  readonly name: string;
  /** For each kind of cotangents these cases of the suite kill it, with what each found. */
  readonly suite: Readonly<
    Record<Cotangents, readonly { readonly name: string; readonly question: Probe }[]>
  >;
  /** For each kind of cotangents this is the first kill of the random search. */
  readonly random: Readonly<Record<Cotangents, Kill | undefined>>;
  /** Each law is broken alone after this many random cases. */
  readonly laws: Readonly<Record<string, number | undefined>>;
  readonly witness: WitnessSize | undefined;
}

/** Measures one mutant, with a fresh engine for each search, so that none inherits another's memory. */
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

/** Finds the cases of a suite that kill a mutant, each on its own. */
async function killersOf(
  mutant: Mutant,
  suite: readonly SuiteCase[],
  cotangents: Cotangents,
): Promise<Row["suite"][Cotangents]> {
  const killers: { name: string; question: Probe }[] = [];
  for (const { name, dtype, case: question } of suite) {
    // Long vectors are dear, and have few operators.
    if (!mayTell(mutant, question)) continue;
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
