import {
  explainEntry,
  type Fitting,
  fitting,
  isProved,
  type Misfit,
} from "../../oracle/obligations/accumulators/index.ts";
import { type Solver, z3 } from "../../oracle/obligations/solve/index.ts";
import {
  codesOfRanges,
  distinct,
  graphSums,
  type NamedSum,
  type PlanStep,
  planSums,
  type SumsAsked,
} from "../../oracle/widths/index.ts";
import {
  type BoundedSum,
  bitLength,
  bitsNeeded,
  type Register,
  registerNamed,
} from "../../reference/numerics/index.ts";
import { counted, fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { oneDocumentIn } from "../files/documents.ts";
import { graphOf } from "../given/given_graph.ts";
import { askedIds } from "../given/given_ids.ts";
import { rangesAsked } from "../options/format_flags.ts";
import { usualAccumulator, widthsTooLarge } from "../options/gradient_flags.ts";
import { report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { isOfFamilies, type WidthOptions } from "./prove_widths_options.ts";

/** Proves that each sum of a graph, its gradient and its plan fits a register, or runs a counterexample. */
export async function proveWidths(
  id: string | undefined,
  options: WidthOptions,
  terminal: Terminal,
  makeSolver: () => Solver = z3,
): Promise<ExitCode> {
  const asked = id === undefined && !isOfFamilies(options) ? await questionOf(options) : fail([notBoth]);
  const collected = asked.ok ? sumsFor(asked.value) : asked;
  if (!asked.ok || !collected.ok) {
    report(terminal, collected.ok ? [] : collected.error);
    return exitCodes.badInput;
  }
  const { register } = asked.value;
  const { sums, steps } = collected.value;
  const all = distinct([...sums, ...steps.flatMap(({ restated }) => restated)], register);
  await using solver = makeSolver();
  const found = await fitting(all, register, solver);
  const misfits = new Map(found.misfits.map((misfit) => [keyOf(misfit.sum, register), misfit]));
  tellSums(sums, register, misfits, terminal);
  tellSteps(steps, register, misfits, terminal);
  if (options.explain === true)
    for (const record of found.records) {
      const { obligation, faults } = record;
      for (const line of explainEntry({ obligation, records: [record], replays: [], faults }))
        terminal.out(line);
    }
  return conclude(all.length, steps, found, terminal);
}

/** A graph has these sums, and the steps of its plan have others. */
interface Collected {
  readonly sums: readonly NamedSum[];
  readonly steps: readonly PlanStep[];
}

/** Collects the sums. Fails: `widths/size`, where the lowering finds a tensor too large to count in. */
function sumsFor(asked: SumsAsked): Result<Collected, Issue[]> {
  try {
    const sums = graphSums(asked);
    return ok({ sums, steps: planSums(asked, sums) });
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return fail([widthsTooLarge(thrown.message)]);
  }
}

/** Reads and checks the question that the options ask. */
async function questionOf(options: WidthOptions): Promise<Result<SumsAsked, Issue[]>> {
  if (options.widths === undefined) return fail([noGraph]);
  const register = registerNamed(options.accumulator ?? usualAccumulator);
  if (!register.ok) return register;
  const document = await oneDocumentIn(options.widths);
  if (!document.ok) return document;
  const { json, beside = {}, ...known } = document.value;
  const graph = graphOf(json);
  if (!graph.ok) return graph;
  const ids = askedIds(graph.value, options, "widths", known);
  if (!ids.ok) return ids;
  // Codes of integers have scales, which ranges do not tell: those of a text are left aside there.
  const own = register.value.codes.kind === "integer" ? undefined : beside.ranges;
  const ranges = await rangesAsked(json, graph.value, options, own);
  if (!ranges.ok) return ranges;
  const given = ranges.value === undefined ? ok(undefined) : codesOfRanges(ranges.value, register.value);
  if (!given.ok) return given;
  const { batches = 1 } = options;
  return ok({
    graph: graph.value,
    ...ids.value,
    register: register.value,
    batches,
    given: given.value,
  });
}

/** Returns the same key for sums that need the same words. */
function keyOf({ terms, least, greatest }: BoundedSum, { units }: Register): string {
  return [terms, units(least), units(greatest)].join();
}

type Misfits = ReadonlyMap<string, Misfit>;

function tellSums(sums: readonly NamedSum[], register: Register, misfits: Misfits, terminal: Terminal): void {
  if (sums.length === 0) {
    terminal.out("The graph and its gradient add nothing up.");
    return;
  }
  const rows = sums.map((sum) => [sum.name, ...cellsOf(sum, register)]);
  const heads = ["sum", "terms", "at most", "bits needed", "bits there"];
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ");
  terminal.out(`sums in ${register.name}`);
  terminal.out("");
  terminal.out(`  ${line(heads)}`);
  for (const [place, sum] of sums.entries()) {
    const misfit = misfits.get(keyOf(sum, register));
    terminal.out(`${mark(misfit, terminal)} ${line(rows[place] ?? [])}`);
    if (misfit !== undefined) tellMisfit(misfit, terminal);
  }
  if (register.roundsTerms)
    terminal.out(`  a term that ends below 2^-${register.places} is rounded to it as it enters`);
}

/** Returns the cells of a row: terms, a power of two that bounds them all, bits needed and bits there. */
function cellsOf(sum: BoundedSum, register: Register): string[] {
  const { units, bits, places } = register;
  const size = (x: bigint): bigint => (x < 0n ? -x : x);
  const [low, high] = [size(units(sum.least)), size(units(sum.greatest))];
  const greatest = low > high ? low : high;
  const power = greatest === 0n ? "0" : `2^${bitLength(greatest - 1n) - places}`;
  return [String(sum.terms), power, String(bitsNeeded(register, sum)), String(bits)];
}

function mark(misfit: Misfit | undefined, { palette: { green, red, yellow } }: Terminal): string {
  if (misfit === undefined) return green("✓");
  return misfit.isWrong ? red("✗") : yellow("?");
}

function tellMisfit({ told, answers }: Misfit, terminal: Terminal): void {
  terminal.out(`    ${told ?? `no answer: ${answers.integers.kind}, ${answers.words.kind}`}`);
}

/** Prints the sums that steps of the planner introduce, which are not among those of the graph. */
function tellSteps(
  steps: readonly PlanStep[],
  register: Register,
  misfits: Misfits,
  terminal: Terminal,
): void {
  const { palette } = terminal;
  const telling = steps.filter(({ restated }) => restated.length > 0);
  terminal.out("");
  terminal.out(
    `the plan, asked about again after its lowering and ${steps.length - 1} passes that change it`,
  );
  if (telling.length === 0) terminal.out(`${palette.green("✓")} its sums are among those above`);
  for (const { name, restated, owed } of telling)
    for (const sum of restated) {
      const misfit = misfits.get(keyOf(sum, register));
      const [terms, greatest, needed, there] = cellsOf(sum, register);
      const claim = owed.includes(sum) ? ", which claims to keep sums" : "";
      const sign = owed.includes(sum) && misfit === undefined ? palette.red("✗") : mark(misfit, terminal);
      terminal.out(
        `${sign} ${name}${claim}: a sum of ${terms} terms of at most ${greatest}, ${needed} of ${there} bits`,
      );
      if (misfit !== undefined) tellMisfit(misfit, terminal);
    }
}

function conclude(
  count: number,
  steps: readonly PlanStep[],
  { records, misfits, milliseconds }: Fitting,
  terminal: Terminal,
): ExitCode {
  const logics = records.map(({ obligation: { logic } }) => logic).join(" and ");
  const caught = records.reduce((sum, { mutants }) => sum + mutants.length, 0);
  const isAllProved = records.every(isProved);
  terminal.out("");
  const fine = count - misfits.length;
  const kinds = counted(count, "kind of sum", "kinds of sums");
  if (records.length > 0 && isAllProved)
    terminal.out(
      `${fine} of ${kinds} ${fine === 1 ? "fits" : "fit"}: proved together in ${logics}, ${counted(caught, "mutant")} caught.`,
    );
  const isWrong = misfits.some((misfit) => misfit.isWrong);
  const isShown = misfits.every((misfit) => misfit.isWrong);
  if (misfits.length > 0) {
    const [fit, are, their] =
      misfits.length === 1
        ? ["does not fit", "is", "its model was"]
        : ["do not fit", "are", "their models were"];
    const verdict = isShown ? `${fit}: ${their} run` : `${are} not proved to fit`;
    terminal.out(`${misfits.length} of ${kinds} ${verdict}.`);
  }
  for (const { faults } of records)
    for (const { code, message } of faults) terminal.out(`    ${terminal.palette.red(code)}: ${message}`);
  terminal.note(`The solver took ${Math.round(milliseconds)} ms.`);
  const isOwed = steps.some(({ owed }) => owed.length > 0);
  if (isOwed || isWrong) return exitCodes.disagrees;
  return isAllProved && misfits.length === 0 ? exitCodes.agrees : exitCodes.undecided;
}

const noGraph: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--accumulator, --batches, --ranges, --within, --of and --wrt qualify a graph, and none is given.",
  hint: "give --widths FILE",
};

const notBoth: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--widths asks about the sums of a graph, and the other flags about adjudge's own obligations.",
  hint: "leave out the id, --only, --second, --write and --scripts, or --widths",
};
