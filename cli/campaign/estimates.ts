import { counted, folded, listed, showCase } from "../../conformance/report/index.ts";
import type { Case } from "../../oracle/case/index.ts";
import type { Ended } from "../../oracle/driver/index.ts";
import {
  type CaseEstimates,
  type EstimateVerdict,
  judgeCaseEstimates,
} from "../../oracle/forward_gradient/index.ts";
import { type Counts, noCounts } from "../../oracle/judge/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { SuiteCase } from "../given/suite.ts";
import { exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { drawnFor, type RandomQuestions } from "./agenda.ts";
import { type Counted, codeOfCounted, countLines, titleOf, withPromises } from "./counted.ts";
import type { Campaign, Found } from "./kind.ts";

/** Forward gradients are asked at these cases: those of files, or random ones if there are none. */
export interface EstimateQuestions extends RandomQuestions {
  readonly given: readonly Pick<SuiteCase, "file" | "case">[];
  readonly cases: number;
  /** An engine is asked about this many seeds for each law; the first is `seed`. */
  readonly samples: number;
}

/** A right engine is accused at a case with at most this probability. */
const ALARM = 1e-6;

type Estimates = (CaseEstimates | Ended) & { readonly of: Case };

type Wide = Pick<Terminal, "columns">;

type EstimateSection = Found<Counted<Counts>, Estimates>;

/** Asks forward gradients at cases. Of one case all laws are told; of several, what does not agree. */
export function estimateCampaign(
  asked: EstimateQuestions,
  wanted: readonly DataType[],
): Campaign<Counted<Counts>, Estimates, { readonly verdict: Estimates }> {
  const { given, seed, samples } = asked;
  const cases = given.length === 0 ? asked.cases : given.length;
  return {
    dtypesOf: () => wanted,
    agendaOf: () => ({
      cases,
      operators: new Set(),
      covering: 0,
      async *ask(engine, dtype, limits, first) {
        const options = {
          ...limits,
          dtype,
          samples,
          seed,
          alarm: ALARM,
          ...(given.length > 0 ? { shrinkBudget: 0 } : {}),
        };
        for (let index = first; index < cases; index++) {
          const { file = index, case: question } = given[index] ?? {
            case: drawnFor(engine, asked, index).case,
          };
          const verdict = await judgeCaseEstimates(engine, question, options);
          yield { place: file, judged: { verdict: { ...verdict, of: question } } };
        }
      },
    }),
    noTally: { counts: noCounts, called: new Set(), answered: new Set() },
    tallied: (tally, { verdict }) => {
      const { kind } = verdict;
      const counts = { ...tally.counts, [kind]: tally.counts[kind] + 1 };
      const laws = "laws" in verdict ? verdict.laws : [];
      const answered = laws.filter((law) => law.kind !== "unsupported" && law.kind !== "failed");
      const namesOf = (some: typeof laws): string[] => some.map(({ law }) => law);
      return withPromises(tally, counts, namesOf(laws), namesOf(answered));
    },
    countsOf: ({ counts }) => counts,
    findings: (found) => found.flatMap(({ verdicts }) => verdicts.filter(isWrong)).length,
    isTold: ({ kind }) => cases === 1 || kind !== "agrees",
    print(found, terminal) {
      for (const section of found) {
        const lines =
          cases === 1 ? linesOfOne(section, samples, terminal) : linesOfMany(section, samples, terminal);
        for (const line of lines) terminal.out(line);
      }
    },
    texts: () => [],
    codeOf: (found) => {
      const { verdicts } = found;
      const isSilent =
        verdicts.length > 0 &&
        verdicts.every(({ verdict }) => "laws" in verdict && verdict.laws.length === 0);
      return isSilent ? exitCodes.nothingRun : codeOfCounted(found);
    },
  };
}

function isWrong({ verdict: { kind } }: EstimateSection["verdicts"][number]): boolean {
  return kind === "disagrees" || kind === "crashed";
}

function linesOfOne(section: EstimateSection, samples: number, { columns }: Wide): string[] {
  const { name, version } = section.description;
  const lines = section.verdicts.flatMap(({ verdict }) => linesOfCase(verdict, samples, columns));
  return [`${visible(name)} ${visible(version)}, ${section.dtype}`, ...lines];
}

function linesOfMany(section: EstimateSection, samples: number, terminal: Terminal): string[] {
  const { palette, columns } = terminal;
  const told = section.verdicts.filter(isWrong);
  return [
    ...told.flatMap(({ case: place, verdict }) => [
      `\n${palette.red("✗")} ${palette.bold(titleOf(section))}, ${typeof place === "number" ? `case ${place}` : visible(place)}`,
      ...linesOfCase(verdict, samples, columns),
      ...(verdict.kind === "disagrees" ? showCase(verdict.case).map((line) => `    ${line}`) : []),
    ]),
    ...countLines(section, "cases", terminal),
  ];
}

function linesOfCase(verdict: Estimates, samples: number, columns: number): string[] {
  if (!("laws" in verdict))
    return folded(verdict.kind === "undecided" ? verdict.cause : verdict.reason, "? ", columns);
  if (verdict.laws.length === 0) return ["– promises no forward gradients (estimates)"];
  const at = verdict.kind === "disagrees" ? verdict.case : verdict.of;
  return verdict.laws.flatMap((law) => linesOf(law, at, samples, columns));
}

const marks = { agrees: "✓", disagrees: "✗", undecided: "?", unsupported: "–", failed: "!" } as const;

/** At most this many faults are written out. */
const MOST_SHOWN = 4;

function linesOf(verdict: EstimateVerdict, { graph }: Case, samples: number, columns: number): string[] {
  const { law, kind, compared, directions = 0, faults, reason } = verdict;
  const told = [
    counted(compared, "mean"),
    ...(directions === 0 ? [] : [`${counted(directions, "number")} of directions`]),
  ];
  const what =
    law === "given"
      ? `${counted(compared, "number")} along given directions`
      : `${listed(told)}, over ${samples} seeds`;
  const said = reason === undefined ? (kind === "undecided" ? `${what}: none has a bound` : what) : reason;
  return [
    ...folded(visible(said), `${marks[kind]} ${law}: `, columns),
    ...faults.slice(0, MOST_SHOWN).flatMap(({ input, element, of, found, expected, within }) => {
      const place =
        input === undefined ? "" : `${visible(graph.inputs[input]?.name ?? "")}, element ${element}: `;
      return folded(
        `${of} is ${found}, expected ${expected} within ${within.toPrecision(3)}`,
        `    ${place}`,
        columns,
      );
    }),
    ...(faults.length > MOST_SHOWN ? [`    … and ${faults.length - MOST_SHOWN} more`] : []),
  ];
}
