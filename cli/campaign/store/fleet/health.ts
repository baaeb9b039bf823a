import { cut } from "../../../../conformance/report/index.ts";
import { visible } from "../../../../spec/shapes/index.ts";
import type { Terminal } from "../../../terminal/terminal.ts";
import { Board, coordinatorOf, engineIds, type Lengths, machines } from "./board.ts";
import type { Sign } from "./messages.ts";
import type { Connection } from "./redis.ts";

/** The state of a queue at one moment. */
export interface Health {
  readonly name: string;
  readonly coordinator: Sign | undefined;
  readonly engines: readonly { readonly name: string; readonly adjudge: string; readonly lengths: Lengths }[];
  readonly machines: readonly Sign[];
}

/** Reads the state of a queue: of every adjudge that has machines there, and of `adjudge`. */
export async function healthOf(connection: Connection, adjudge: string, now: number): Promise<Health> {
  const [coordinator, there] = [await coordinatorOf(connection), await machines(connection)];
  const versions = new Set([adjudge, ...there.map((sign) => sign.adjudge)]);
  const asked = new Set(there.flatMap(({ subjects }) => subjects));
  const engines: Health["engines"][number][] = [];
  for (const version of versions) {
    await using board = new Board(connection, version);
    for (const [subject, { engine }] of await board.announced(await engineIds(connection, version))) {
      const lengths = await board.lengths(subject, now);
      const { waiting, active, completed, failed } = lengths;
      if (asked.has(subject) || waiting + active + completed + failed > 0)
        engines.push({ name: `${engine.name} ${engine.version}`, adjudge: version, lengths });
    }
  }
  return { name: connection.name, coordinator, engines, machines: there };
}

/** Tells the state of a queue, in at most `width` columns. */
export function healthLines(
  { name, coordinator, engines, machines: there }: Health,
  now: number,
  { palette, columns: width }: Pick<Terminal, "palette" | "columns">,
): string[] {
  const first = Math.max(12, Math.min(48, width - 50));
  const row = (head: string, cells: readonly string[]): string =>
    cut(head, first).padEnd(first) + cells.map((cell) => cut(cell, 9).padStart(10)).join("");
  const told = coordinator && countsText(coordinator.counts);
  return [
    visible(name, width),
    coordinator === undefined
      ? palette.red("no coordinator gives signs of life")
      : `coordinator ${visible(coordinator.name, 40)}, here for ${ageText(now - coordinator.since)}`,
    ...(told === undefined ? [] : [visible(told, width)]),
    palette.bold(row("engine", ["waiting", "active", "done", "failed", "oldest"])),
    ...engines.map(({ name: engine, lengths: { waiting, active, completed, failed, oldest } }) =>
      row(visible(engine, 48), [`${waiting}`, `${active}`, `${completed}`, `${failed}`, ageText(oldest)]),
    ),
    palette.bold(row("machine", ["adjudge", "jobs", "busy", "done", "here for"])),
    ...there.map(({ name: machine, adjudge, since, counts }) => {
      const [jobs, busy, done] = ["jobs", "busy", "done"].map((what) => `${counts.get(what) ?? 0}`);
      const cells = [visible(adjudge, 9), jobs ?? "", busy ?? "", done ?? "", ageText(now - since)];
      return row(visible(machine, 48), cells);
    }),
    ...(there.length === 0 ? ["no machine gives signs of life; adjudge campaign work is one"] : []),
  ];
}

/** Writes what was counted: `412 counted, 3 refused`. */
export function countsText(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, count]) => `${count} ${what}`).join(", ");
}

/** Writes an age with its largest unit: `12 s`, `3 min`, `7 h`. */
function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 100) return `${seconds} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
