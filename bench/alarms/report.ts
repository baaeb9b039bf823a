import { showCase } from "../../conformance/index.ts";
import type { Alarm, AlarmRun } from "./run.ts";
import { decidedIn, type Judgements, openIn, sumOf } from "./tally.ts";

/** The tables of a run, as Markdown. */
export function alarmTables({ tally, cases, alarms, unanswered, next }: AlarmRun): string {
  const parts = Object.entries(tally.parts);
  const rows = [...parts, ["all", sumOf(Object.values(tally.parts))] as const];
  const worst = [...tally.operators].toSorted(([, a], [, b]) => originIn(b) - originIn(a));
  const left = [...unanswered].toSorted(([, a], [, b]) => b - a);
  return [
    `${cases} cases, ${alarms.length} alarms; a further run goes on with --first ${next}`,
    ...left.map(([why, count]) => `${count} cases without an answer: ${why}`),
    "",
    table("part", rows),
    "",
    table("profile", [...tally.profiles]),
    "",
    table("operator", worst),
  ].join("\n");
}

/** The numbers at which a bound was lost, not handed on without one. */
function originIn({ singular, lost, close }: Judgements): number {
  return singular + lost + close;
}

const heads = ["judged", "outside", "undecided", "share", "singular", "lost", "inherited", "dense", "close"];

function table(name: string, rows: readonly (readonly [string, Judgements])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  return [
    line([name, ...heads]),
    line(["---", ...heads.map(() => "---:")]),
    ...rows.map(([label, row]) => line([label, ...cellsOf(row)])),
  ].join("\n");
}

function cellsOf(row: Judgements): (string | number)[] {
  const [decided, open] = [decidedIn(row), openIn(row)];
  const share = decided + open === 0 ? "" : `${((100 * open) / (decided + open)).toFixed(2)} %`;
  return [decided, row.outside, open, share, row.singular, row.lost, row.inherited, row.dense, row.close];
}

/** An alarm for people: where, what, and the case. */
export function showAlarm({ index, profile, case: question, finding }: Alarm): string {
  const { question: mode, id, element, answer, expected, bound } = finding;
  return [
    `outside: case ${index} (${profile}), ${mode}, id ${id}, element ${element}: answer ${answer}, expected ${expected}, bound ${bound}`,
    ...showCase(question).map((line) => `    ${line}`),
  ].join("\n");
}
