import { createColors } from "picocolors";
import { expect, test } from "vitest";
import { interpreterEngine } from "../../engines/interpreter/index.ts";
import { programMutants } from "../../engines/mutants/programs/index.ts";
import { noPrograms, type ProgramCounts } from "../../oracle/programs/campaign.ts";
import { floatPrograms, taskAt } from "../../oracle/programs/draw.ts";
import { defaultBudget } from "../../spec/expansion/index.ts";
import { type StatementKind, statementsOf } from "../../spec/programs/index.ts";
import { present } from "../../spec/shapes/index.ts";
import { programCaseText } from "../../spec/text/index.ts";
import { exitCodes } from "../terminal/exit.ts";
import { codeOfCounted } from "./counted.ts";
import { type ProgramSection, printProgramSection, programCampaign } from "./programs.ts";

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

test("a program of a file is made smaller, whatever the file says of refusing", async () => {
  const mutant = present(
    programMutants.find(({ name }) => name === "last_element_not_written"),
    "a mutant",
  );
  const tasks = Array.from({ length: 4 }, (_, index) => ({
    place: `${index}.adj`,
    task: { ...taskAt(floatPrograms, 1, index), refuse: "may" as const },
  }));
  const campaign = programCampaign(tasks, { ...drawn, report: [] }, ["float64"], programCaseText);
  const engine = mutant.engine();
  const limits = { budget: defaultBudget, isOver: () => false };
  const sizes: (readonly [number, number])[] = [];
  for await (const { place, judged } of campaign.agendaOf(engine).ask(engine, "float64", limits, 0)) {
    const { verdict } = judged;
    const { task } = present(
      tasks.find((one) => one.place === place),
      "a task",
    );
    if (verdict.kind !== "disagrees") continue;
    const [before, after] = [task.case, verdict.witness.case].map(
      ({ program }) => statementsOf(program).length,
    );
    sizes.push([present(before, "a size"), present(after, "a size")]);
  }
  expect(sizes.length).toBeGreaterThan(0);
  for (const [before, after] of sizes) expect(after).toBeLessThan(before / 2);
});

test("a random program that does fewer things is smaller, and named by how many it does", async () => {
  const mutant = present(
    programMutants.find(({ name }) => name === "last_element_not_written"),
    "a mutant",
  );
  const asked = async (flags: { readonly actions?: number }) => {
    const wanted = { ...drawn, programs: 6, ...flags, report: [] };
    const campaign = programCampaign([], wanted, ["float64"], programCaseText);
    const limits = { budget: defaultBudget, isOver: () => false };
    let [statements, verdicts]: [number, ProgramSection["verdicts"]] = [0, []];
    for await (const one of campaign.agendaOf(mutant.engine()).ask(mutant.engine(), "float64", limits, 0)) {
      statements += one.judged.promised.length;
      const { place, judged } = one;
      if (campaign.isTold(judged.verdict)) verdicts = [...verdicts, { case: place, verdict: judged.verdict }];
    }
    const lines: string[] = [];
    const terminal = { palette: createColors(false), columns: 80, note: () => {}, progress: () => {} };
    const told = { ...section({ disagrees: verdicts.length }), verdicts };
    campaign.print([told], { ...terminal, out: (line) => lines.push(line) });
    return { statements, replay: lines.find((line) => line.includes("adjudge programs")) };
  };
  const [usual, few] = [await asked({}), await asked({ actions: 4 })];
  expect(few.statements).toBeLessThan(usual.statements / 2);
  expect(few.replay).toMatch(/--seed 1 --actions 4 --first \d+ -n 1$/);
  expect(usual.replay).toMatch(/--seed 1 --first \d+ -n 1$/);
});

test("no random program has a statement that may be left out and that the engine does not promise", async () => {
  const interpreter = interpreterEngine();
  const described = present(interpreter.programs, "programs").describePrograms();
  const dropped: readonly StatementKind[] = [
    "retain",
    "checkpoint",
    "draw",
    "receive",
    "send",
    "break",
    "return",
  ];
  const statements = described.statements.filter((kind) => !dropped.includes(kind));
  const engineWith = (promised: readonly StatementKind[]) => ({
    ...interpreter,
    programs: {
      ...present(interpreter.programs, "programs"),
      describePrograms: () => ({ ...described, statements: promised }),
    },
  });
  const kindsAsked = async (promised: readonly StatementKind[]) => {
    const campaign = programCampaign(
      [],
      { ...drawn, programs: 30, report: [] },
      ["float64"],
      programCaseText,
    );
    const engine = engineWith(promised);
    const limits = { budget: defaultBudget, isOver: () => false };
    const kinds = new Set<string>();
    for await (const { judged } of campaign.agendaOf(engine).ask(engine, "float64", limits, 0)) {
      expect(judged.verdict.kind).not.toBe("unsupported");
      for (const kind of judged.promised) kinds.add(kind);
    }
    return dropped.filter((kind) => kinds.has(kind));
  };
  expect(await kindsAsked(statements)).toEqual([]);
  expect(await kindsAsked([...statements, ...dropped])).toEqual(dropped);
});
