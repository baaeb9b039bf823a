import { bundledEngines, type NamedEngines } from "../../conformance/testees/index.ts";
import { drawings } from "../../oracle/generate/index.ts";
import { operatorNames, operators } from "../../spec/composites/index.ts";
import { assertNever, visible } from "../../spec/shapes/index.ts";
import { isSelected, type Selection } from "../campaign/selection.ts";
import { readSuite } from "../given/suite.ts";
import { bundledSuites, suiteFolders } from "../given/suite_folders.ts";
import { report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** These can be listed. */
export const lists = ["suites", "vectors", "profiles", "operators", "engines"] as const;

export type Listed = (typeof lists)[number];

/** Lists what there is to ask, one a line, for people and scripts: a name ends at the first two spaces. */
export async function tellList(
  what: Listed,
  files: readonly string[],
  { selection, named }: { readonly selection: Selection; readonly named?: NamedEngines | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  switch (what) {
    case "suites":
      return told(bundledSuites(), terminal);
    case "vectors":
      return tellVectors(files, selection, terminal);
    case "profiles":
      return told([...drawings.keys()], terminal);
    case "operators":
      return told(
        operatorNames.map((name) => `${name}  ${operators[name].summary}`),
        terminal,
      );
    case "engines":
      return told(
        [
          ...[...(named?.commands ?? [])].map(([name, command]) => `${name}  ${visible(command, 400)}`),
          ...bundledEngines.map(({ name, summary }) => `${name}  ${summary}`),
        ],
        terminal,
      );
    default:
      return assertNever(what);
  }
}

/** Lists the files of the cases that would be asked; of all suites, if none is named. */
async function tellVectors(
  files: readonly string[],
  selection: Selection,
  terminal: Terminal,
): Promise<ExitCode> {
  const all = suiteFolders(bundledSuites());
  const suite = await readSuite(files.length > 0 || !all.ok ? files : all.value);
  if (!suite.ok) {
    report(terminal, suite.error);
    return exitCodes.badInput;
  }
  const selected = suite.value.filter(({ case: { graph } }) => isSelected(selection, graph));
  return told(
    selected.map(({ file }) => visible(file, file.length)),
    terminal,
  );
}

function told(lines: readonly string[], terminal: Terminal): ExitCode {
  for (const line of lines) terminal.out(line);
  return lines.length > 0 ? exitCodes.agrees : exitCodes.nothingRun;
}
