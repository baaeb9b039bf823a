import { createColors } from "picocolors";
import { expect, test } from "vitest";
import { interpreterEngine } from "../../engines/interpreter/index.ts";
import { noPrograms, type ProgramCounts } from "../../oracle/programs/campaign.ts";
import { programCaseText } from "../../spec/text/index.ts";
import { exitCodes } from "../terminal/exit.ts";
import { codeOfCounted } from "./counted.ts";
import { type ProgramSection, printProgramSection } from "./programs.ts";

const drawn = { seed: 1, programs: 10, first: 0, without: [] };

const draw = new Set(["draw"]);

function section(counts: Partial<ProgramCounts>, called: ReadonlySet<string> = new Set()): ProgramSection {
  const description = interpreterEngine().describe();
  const cases = Object.values(counts).reduce((sum, times) => sum + times, 0);
  const extent = { cases, operators: new Set<never>(), ended: "all", seconds: 0 } as const;
  const asked = { label: "one", description, promised: [], dtype: "float64", extent } as const;
  return {
    ...asked,
    tally: { counts: { ...noPrograms, ...counts }, called, answered: new Set() },
    verdicts: [],
  };
}

/** Returns the line that says what came of it all. */
function lastLine(asked: ProgramSection): string {
  const lines: string[] = [];
  const terminal = { palette: createColors(false), columns: 80, note: () => {}, progress: () => {} };
  printProgramSection(asked, drawn, { ...terminal, out: (line) => lines.push(line) }, programCaseText);
  return lines.at(-1) ?? "";
}

test.each([
  ["✓", exitCodes.agrees, { agrees: 9, undecided: 1 }],
  ["✓", exitCodes.agrees, { agrees: 100, undecided: 110 }],
  ["✗", exitCodes.disagrees, { agrees: 9, disagrees: 1 }],
  ["✗", exitCodes.undecided, { crashed: 10 }],
  ["✗", exitCodes.undecided, { agrees: 9, crashed: 1 }],
  ["–", exitCodes.undecided, { undecided: 10 }],
  ["–", exitCodes.tooLittle, { unsupported: 10 }],
  ["–", exitCodes.tooLittle, { agrees: 100, unsupported: 101 }],
  ["–", exitCodes.tooLittle, { agrees: 1, "refused with need": 9 }],
] as const)("what is no agreement is not marked as one: %s, exit code %i", (mark, code, counts) => {
  expect(lastLine(section(counts)).startsWith(mark)).toBe(true);
  expect(codeOfCounted(section(counts))).toBe(code);
});

test("what the time left unasked counts as not answered", () => {
  const asked = section({ agrees: 9 });
  const cut = { ...asked, extent: { ...asked.extent, cases: 300, ended: "time" } } as const;
  expect(codeOfCounted(cut)).toBe(exitCodes.tooLittle);
});

test("a statement that is promised and never answered is named, and not green", () => {
  const asked = section({ agrees: 9, unsupported: 1 }, draw);
  expect(lastLine(asked)).toBe("  promised, and never answered: draw");
  expect(codeOfCounted(asked)).toBe(exitCodes.tooLittle);
});
