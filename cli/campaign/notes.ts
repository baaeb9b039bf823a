import { counted } from "../../conformance/report/index.ts";
import type { EngineChoice } from "../../conformance/testees/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Says of each engine that was waiting that it was not asked. */
export function noteUnasked(waiting: Iterable<EngineChoice>, { note, palette }: Terminal): void {
  for (const { label } of waiting) note(`${palette.yellow("–")} ${visible(label, 400)} was not asked`);
}

/** Says that a run was interrupted, and by which commands it goes on. */
export function noteInterrupted(commands: readonly string[], { note, palette }: Terminal): void {
  const sign = palette.yellow("!");
  if (commands.length === 0) note(`${sign} interrupted`);
  else
    for (const line of [`${sign} interrupted; to go on:`, ...commands.map((one) => `    ${one}`)]) note(line);
}

/** Says that a run has ended by its number of findings, and who was not asked. */
export function noteOver(findings: number, waiting: Iterable<EngineChoice>, terminal: Terminal): void {
  const flag = findings === 1 ? "--fail-fast" : `--max-findings ${findings}`;
  noteUnasked(waiting, terminal);
  terminal.note(`${terminal.palette.yellow("!")} ended at ${counted(findings, "new finding")} (${flag})`);
}

/** An engine is not installed, and this installs it. */
export interface Absent {
  readonly label: string;
  readonly reason: string;
}

/** Names the engines that are not installed, all in one note: one alone with what installs it. */
export function noteAbsent(absent: readonly Absent[], { note, palette }: Terminal): void {
  const [first, ...others] = absent;
  if (first === undefined) return;
  const { label, reason } = first;
  const told =
    others.length === 0
      ? `${label} is not installed and was not asked: ${reason}`
      : `missing: ${absent.map((one) => one.label).join(", ")} (docs/judging.md)`;
  note(`${palette.yellow("–")} ${told}`);
}
