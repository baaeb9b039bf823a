import type { SiteCampaign } from "../../../conformance/report/formats/index.ts";
import { counted, cut, folded } from "../../../conformance/report/index.ts";
import { visible } from "../../../spec/shapes/index.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import type { DeadJob, SeriesTotals, StoredFinding } from "./view.ts";

/** The columns after the engine's, with their widths: 54 columns in all. */
const columns = { kind: 10, type: 9, asked: 8, agree: 8, wrong: 6, crash: 6, other: 7 } as const;

const texts: ReadonlySet<string> = new Set(["kind", "type"]);

/** Tabulates what each series was asked, in at most `width` columns. */
export function tableLines(
  totals: readonly SeriesTotals[],
  { palette, columns: width }: Pick<Terminal, "palette" | "columns">,
): string[] {
  const rest = Object.values(columns).reduce((sum, one) => sum + one, 0);
  const first = Math.max(12, Math.min(48, width - rest - 1));
  const line = (name: string, cells: Readonly<Record<keyof typeof columns, string>>): string =>
    [
      cut(name, first).padEnd(first),
      ...Object.entries(columns).map(([head, wide]) => {
        const text = Object.entries(cells).find(([key]) => key === head)?.[1] ?? "";
        return texts.has(head) ? ` ${cut(text, wide - 1).padEnd(wide - 1)}` : text.padStart(wide);
      }),
    ].join("");
  const heads = {
    kind: "kind",
    type: "type",
    asked: "asked",
    agree: "agree",
    wrong: "wrong",
    crash: "crash",
    other: "other",
  };
  const rows = totals.map(({ subject, series, questions, counts }) => {
    const { agrees, disagrees, crashed, undecided, unsupported } = counts;
    const cells = {
      ...{ kind: series.kind, type: series.dtype, asked: `${questions}`, agree: `${agrees}` },
      ...{ wrong: `${disagrees}`, crash: `${crashed}`, other: `${undecided + unsupported}` },
    };
    const row = line(visible(`${subject.name} ${subject.version}`, 48), cells);
    return disagrees + crashed > 0 ? palette.red(row) : row;
  });
  return [palette.bold(line("engine", heads)), ...rows];
}

/** Sums a campaign up in a line. */
export function summaryLine(totals: readonly SeriesTotals[], faults: number): string {
  const asked = totals.reduce((sum, { questions }) => sum + questions, 0);
  const dead = totals.reduce((sum, one) => sum + one.dead, 0);
  const more = dead === 0 ? "" : `, ${dead} given up`;
  return `${counted(asked, "question")}, ${counted(faults, "fault")}${more}`;
}

/** Tells how fast a run is, and how long it goes on: `, 103 a second, 7 h 59 min left`. */
export function paceText(asked: number, spent: number, left: number): string {
  const rate = (1000 * asked) / Math.max(1, spent);
  const minutes = Math.ceil(left / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const time = hours > 0 ? `${hours} h ${rest} min` : `${rest} min`;
  return `, ${rate < 10 ? rate.toFixed(1) : rate.toFixed(0)} a second${Number.isFinite(left) ? `, ${time} left` : ""}`;
}

/** So many faults, and so many runs, are listed; the site and `--json` have all. */
const LISTED = 40;

/** Tells what a campaign found: its faults, what changed between versions, and the trend of the last runs. */
export function reportLines(
  { changes, runs }: SiteCampaign,
  findings: readonly StoredFinding[],
  { palette, columns: width }: Pick<Terminal, "palette" | "columns">,
): string[] {
  const fold = (mark: string, text: string): string[] => folded(text, `${mark} `, width);
  const told = findings.slice(0, LISTED).flatMap(({ subject, kind, sort, title, cases }) => {
    const whose = visible(`${subject.name} ${subject.version}`, 48);
    const how = sort === "crashed" ? "crashed" : "wrong";
    return fold(
      palette.red("✗"),
      `${how}: ${visible(title, 120)}: ${whose}, ${kind} (${counted(cases, "question")})`,
    );
  });
  const more = findings.length - LISTED;
  const changed = changes.flatMap(({ name, before, after, common, broke, mended }) => [
    ...fold(
      broke.length > 0 ? palette.red("✗") : palette.green("✓"),
      common === 0
        ? `${visible(name, 48)} ${visible(before, 20)} and ${visible(after, 20)} were asked no question in common`
        : `${visible(name, 48)} ${visible(before, 20)} → ${visible(after, 20)}, ${counted(common, "common question")}: ` +
            `${broke.length} broke, ${mended.length} mended`,
    ),
    ...broke.slice(0, LISTED).flatMap((title) => fold("  broke:", visible(title, 120))),
    ...mended.slice(0, LISTED).flatMap((title) => fold("  mended:", visible(title, 120))),
  ]);
  const trend = runs
    .slice(-LISTED)
    .map(
      ({ started, adjudge, questions, faults }) =>
        `${started.slice(0, 16).replace("T", " ")} UTC, adjudge ${adjudge}: ${counted(questions, "question")}, ${counted(faults, "new fault")}`,
    );
  return [...told, ...(more > 0 ? [`and ${counted(more, "fault")} more`] : []), ...changed, ...trend, ""];
}

/** Tells which questions were given up, and why. */
export function deadLines(
  dead: readonly DeadJob[],
  { palette, columns: width }: Pick<Terminal, "palette" | "columns">,
): string[] {
  const told = dead.slice(0, LISTED).flatMap(({ series: { kind, dtype }, subject, place, said }) => {
    const whose = visible(`${subject.name} ${subject.version}`, 48);
    const text = `given up: ${whose}, question ${place} of ${kind} in ${dtype}: ${visible(said, 200)}`;
    return folded(text, `${palette.red("✗")} `, width);
  });
  const more = dead.length - LISTED;
  return more > 0 ? [...told, `and ${counted(more, "question")} more`] : told;
}

/** Writes lines where a person watches, over those that it wrote before. */
export class LiveTable {
  readonly #write: (text: string) => void;
  #height = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  show(lines: readonly string[]): void {
    this.clear();
    this.#write(lines.map((line) => `${line}\n`).join(""));
    this.#height = lines.length;
  }

  /** Takes the lines away, so that others can be written. */
  clear(): void {
    // The cursor goes up to the first line, and everything from there on is erased.
    if (this.#height > 0) this.#write(`\u001b[${this.#height}A\r\u001b[J`);
    this.#height = 0;
  }
}
