import { counted, folded } from "../../conformance/index.ts";
import type { DataType } from "../../engines/index.ts";
import {
  type Case,
  type CaseEstimates,
  type Counts,
  type Ended,
  type EstimateVerdict,
  judgeCaseEstimates,
  noCounts,
} from "../../oracle/index.ts";
import { visible } from "../../spec/index.ts";
import { type ExitCode, exitCodes, worstOf } from "../exit.ts";
import type { Terminal } from "../terminal.ts";
import type { Campaign, Found } from "./kind.ts";

/** How many seeds an engine is asked of each law, and the first of them. */
export interface Sampling {
  readonly samples: number;
  readonly draw: number;
}

/** The greatest probability with which a right engine is accused. */
const ALARM = 1e-6;

/** What came of a case, and the case. */
export type EstimatesOf = (CaseEstimates | Ended) & { readonly of: Case };

/** What one engine was asked in one precision, and what came of it. */
type EstimateSection = Found<Counts, EstimatesOf>;

/** Forward gradients at a case. */
export function estimateCampaign(
  place: string,
  question: Case,
  dtype: DataType,
  { samples, draw: seed }: Sampling,
): Campaign<Counts, EstimatesOf, { readonly verdict: EstimatesOf }> {
  const print = (sections: readonly EstimateSection[], terminal: Terminal): void => {
    for (const section of sections) for (const line of linesIn(section, samples)) terminal.out(line);
  };
  return {
    dtypesOf: () => [dtype],
    agendaOf: () => ({
      cases: 1,
      operators: new Set(),
      covering: 0,
      async *ask(engine, dtype, limits) {
        const options = { ...limits, dtype, samples, seed, alarm: ALARM, shrinkBudget: 0 };
        const verdict = await judgeCaseEstimates(engine, question, options);
        yield { place, judged: { verdict: { ...verdict, of: question } } };
      },
    }),
    noTally: noCounts,
    tallied: (counts, { verdict: { kind } }) => ({ ...counts, [kind]: counts[kind] + 1 }),
    countsOf: (counts) => counts,
    isTold: () => true,
    print,
    texts: () => [],
    async end(found, terminal) {
      print(found, terminal);
      return worstOf(found.map(codeOf));
    },
  };
}

/** The exit code that one engine's estimates ask for. */
function codeOf({ tally, verdicts }: EstimateSection): ExitCode {
  if (verdicts.every(({ verdict }) => "laws" in verdict && verdict.laws.length === 0))
    return exitCodes.nothingRun;
  if (tally.disagrees > 0) return exitCodes.disagrees;
  return tally.agrees > 0 ? exitCodes.agrees : exitCodes.undecided;
}

function linesIn(
  { description: { name, version }, dtype, verdicts }: EstimateSection,
  samples: number,
): string[] {
  const lines = verdicts.flatMap(({ verdict }) => {
    if (!("laws" in verdict)) return folded("reason" in verdict ? verdict.reason : verdict.cause, "? ");
    if (verdict.laws.length === 0) return ["– promises no forward gradients (estimates)"];
    return verdict.laws.flatMap((law) => linesOf(law, verdict.of, samples));
  });
  return [`${visible(name)} ${visible(version)}, ${dtype}`, ...lines];
}

const marks = { agrees: "✓", disagrees: "✗", undecided: "?", unsupported: "–", failed: "!" } as const;

/** The most faults that are written out. */
const MOST_SHOWN = 4;

function linesOf(verdict: EstimateVerdict, { graph }: Case, samples: number): string[] {
  const { law, kind, compared, faults, reason } = verdict;
  const what =
    law === "given"
      ? `${counted(compared, "number")} along given directions`
      : `${counted(compared, "mean")} of estimates and their squares, over ${samples} seeds`;
  const said = reason === undefined ? (kind === "undecided" ? `${what}: none has a bound` : what) : reason;
  return [
    ...folded(visible(said), `${marks[kind]} ${law}: `),
    ...faults.slice(0, MOST_SHOWN).flatMap(({ input, element, of, found, expected, within }) => {
      const place = `${visible(graph.inputs[input]?.name ?? "")}, element ${element}`;
      return folded(
        `${of} is ${found}, expected ${expected} within ${within.toPrecision(3)}`,
        `    ${place}: `,
      );
    }),
    ...(faults.length > MOST_SHOWN ? [`    … and ${faults.length - MOST_SHOWN} more`] : []),
  ];
}
