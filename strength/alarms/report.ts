import { showCase } from "../../conformance/index.ts";
import type { Verdict } from "../../oracle/index.ts";
import type { Alarm, AlarmRun } from "./run.ts";
import { decidedIn, type Judgements, openIn, sumOf } from "./tally.ts";

/** Writes the tables of a run in Markdown. */
export function alarmTables({ tally, cases, alarms, unanswered, next }: AlarmRun): string {
  const rows = [...Object.entries(tally.parts), ["all", sumOf(Object.values(tally.parts))] as const];
  const worst = [...tally.operators].toSorted(([, a], [, b]) => originIn(b) - originIn(a));
  const silent = [...unanswered].toSorted(([, a], [, b]) => b - a);
  const findings = alarms.flatMap((alarm) => alarm.findings);
  const nans = findings.filter(({ answer }) => answer === "nan").length;
  return [
    `${cases} cases; ${findings.length} alarms in ${alarms.length} cases, ${nans} of them NaN; a further run goes on with --first ${next}`,
    ...silent.map(([why, count]) => `without an answer, ${count} cases: ${why}`),
    "",
    table("part", rows),
    "",
    table("profile", [...tally.profiles]),
    "",
    table("operator", worst),
  ].join("\n");
}

/** Counts the numbers at which a bound was lost, and not inherited without one. */
function originIn({ singular, lost, close }: Judgements): number {
  return singular + lost + close;
}

const heads = [
  "judged",
  "outside",
  "reference",
  "undecided",
  "share",
  "singular",
  "lost",
  "inherited",
  "dense",
  "close",
];

function table(name: string, rows: readonly (readonly [string, Judgements])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  return [
    line([name, ...heads]),
    line(["---", ...heads.map(() => "---:")]),
    ...rows.map(([label, row]) => line([label, ...cellsOf(row)])),
  ].join("\n");
}

function cellsOf(row: Judgements): (string | number)[] {
  const { outside, reference, singular, lost, inherited, dense, close } = row;
  const [decided, open] = [decidedIn(row), openIn(row)];
  const all = decided + reference + open;
  const share = all === 0 ? "" : `${((100 * open) / all).toFixed(2)} %`;
  return [decided, outside, reference, open, share, singular, lost, inherited, dense, close];
}

/** Shows an alarm to people: where, what, the smallest case found that shows it, and the node to blame. */
export function showAlarm({ index, profile, case: question, findings }: Alarm, verdict: Verdict): string {
  const lines = findings.map(
    ({ question: mode, id, element, answer, expected, bound }) =>
      `outside: case ${index} (${profile}), ${mode}, id ${id}, element ${element}: ${answer}, expected ${expected}, bound ${bound}`,
  );
  const witness = verdict.kind === "disagrees" ? verdict.witness : undefined;
  const all = showCase(witness?.case ?? question).map((line) => `    ${line}`);
  const shown =
    all.length <= LONGEST
      ? all
      : [`    ${all.length} lines: --first ${index} --cases 1 makes the case small`];
  const last =
    witness === undefined
      ? `    asked again: ${verdict.kind}`
      : `    ${witness.question}: ${witness.blame.sentence}`;
  return [...lines, ...shown, last].join("\n");
}

/** Longer cases are not written out; the two of a kind that are shrunk are rarely as long. */
const LONGEST = 40;
