import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { counted, folded, listed } from "../../conformance/report/index.ts";
import {
  buildFramework,
  judgeStorage,
  type Point,
  type PointOutcome,
  type StorageFramework,
  startFramework,
  storagePoints,
} from "../../conformance/storage_profile/index.ts";
import { splitWords } from "../../conformance/testees/index.ts";
import { type Issue, ok, type Result, visibleJson } from "../../spec/shapes/index.ts";
import { temporaryFolder } from "../files/files.ts";
import { naturalNumber, report } from "../options/options.ts";
import { type VerbosityFlags, withVerbosity } from "../options/verbosity.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface StorageProfileFlags extends VerbosityFlags {
  readonly odt?: string;
  readonly cases: number;
  readonly seed: number;
  readonly point?: readonly Point[];
  readonly json?: boolean;
}

const description = `Puts a framework that keeps tensors as integer codes (gradients in 8 bits on a small machine) through
seventeen points: what numbers are kept as, bit by bit, how bytes are packed, sums that need more than
32 bits, steps, guards, gradients that are computed again. COMMAND starts it and answers a line with a line, as docs/storage-profile.md says:

  adjudge storage-profile -- ./my_framework

Without a command it is a small framework of ours in C, built by the compiler that is there; with --odt
it is es-ude/OnDeviceTraining, built from a checkout.`;

/** Adds `adjudge storage-profile COMMAND`, which asks a framework with quantised storage for its faults. */
export function storageProfileCommand(
  program: Command,
  terminal: Terminal,
  end: (code: ExitCode) => void,
): void {
  withVerbosity(
    program.command("storage-profile"),
    "print only the points that are broken, and the last line",
  )
    .summary("put a framework that keeps tensors as codes through seventeen points")
    .description(description)
    .argument("[command...]", "the command that starts it")
    .option("--odt <checkout>", "build es-ude/OnDeviceTraining from this folder")
    .option("--cases <number>", "how many cases of each law are drawn", naturalNumber, 100)
    .option("--seed <number>", "where drawing starts", seedNumber, 1)
    .option("--point <number>", "this point only; may be repeated", pointOption, undefined)
    .option("--json", "print the report as JSON")
    .action(async (words: string[], flags: StorageProfileFlags) => {
      const started = await startedFramework(words, flags);
      if (!started.ok) {
        report(terminal, started.error);
        const isThere = started.error.every(({ code }) => code !== "storage/compiler");
        return end(isThere ? exitCodes.badInput : exitCodes.nothingRun);
      }
      const { framework, leave } = started.value;
      try {
        end(await judged(framework, flags, terminal));
      } finally {
        await framework.close();
        leave();
      }
    });
}

/** Reads a seed, which is a number of 32 bits. */
function seedNumber(text: string): number {
  const seed = naturalNumber(text);
  if (seed < 2 ** 31) return seed;
  throw new InvalidArgumentError("It must be a whole number below 2147483648.");
}

function pointOption(text: string, earlier: readonly Point[] | undefined): readonly Point[] {
  const point = storagePoints.find(({ number }) => String(number) === text);
  if (point !== undefined) return [...(earlier ?? []), point];
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${storagePoints.length}.`);
}

interface Started {
  readonly framework: StorageFramework;
  /** Removes what was built. */
  leave(): void;
}

async function startedFramework(
  words: readonly string[],
  { odt }: StorageProfileFlags,
): Promise<Result<Started, Issue[]>> {
  const [first, ...rest] = words.length === 1 ? splitWords(words[0] ?? "") : words;
  if (first !== undefined) {
    const framework = await startFramework({ argv: [first, ...rest] });
    return framework.ok ? ok({ framework: framework.value, leave: () => {} }) : framework;
  }
  const made = await temporaryFolder("adjudge-storage-");
  if (!made.ok) return made;
  const folder = made.value;
  const leave = (): void => rmSync(folder, { recursive: true, force: true });
  const source = odt === undefined ? ({ kind: "own" } as const) : ({ kind: "odt", checkout: odt } as const);
  const built = buildFramework(source, join(folder, "framework"));
  const framework = built.ok ? await startFramework(built.value) : built;
  if (framework.ok) return ok({ framework: framework.value, leave });
  leave();
  return framework;
}

async function judged(
  framework: StorageFramework,
  { cases, seed, point, json, verbosity }: StorageProfileFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const { name, version, kinds } = framework;
  const isTold = ({ kind }: Pick<PointOutcome, "kind">): boolean =>
    json !== true && (verbosity !== "quiet" || kind === "broken");
  if (isTold({ kind: "holds" }))
    terminal.out(
      `${name} ${version}: ${kinds.join(", ")}; ${counted(cases, "case")} of each law, seed ${seed}`,
    );
  const outcomes: PointOutcome[] = [];
  for await (const outcome of judgeStorage(framework, { seed, cases }, point)) {
    outcomes.push(outcome);
    if (isTold(outcome)) for (const line of linesOf(outcome, terminal)) terminal.out(line);
  }
  if (json === true) terminal.out(visibleJson({ name, version, kinds, seed, cases, points: outcomes }));
  else for (const line of folded(summary(outcomes), "", terminal.columns)) terminal.out(line);
  return codeOf(outcomes);
}

/** Returns the exit code: it is green only if half of the points hold for which there are types. */
function codeOf(outcomes: readonly PointOutcome[]): ExitCode {
  const count = (kind: PointOutcome["kind"]): number => outcomes.filter((one) => one.kind === kind).length;
  if (count("broken") > 0) return exitCodes.disagrees;
  if (count("holds") + count("mostly declined") === 0) return exitCodes.nothingRun;
  const asked = outcomes.filter(({ laws }) => laws.some(({ decided, declined }) => decided + declined > 0));
  const isLittle = count("mostly declined") > 0 || 2 * count("holds") < asked.length;
  return isLittle ? exitCodes.tooLittle : exitCodes.agrees;
}

/** A question or an answer is cut after this many characters. */
const LONGEST = 160;

function linesOf(
  { number, title, issues, kind, laws }: PointOutcome,
  { palette, columns }: Terminal,
): string[] {
  const { green, red, yellow } = palette;
  const decided = laws.reduce((sum, law) => sum + law.decided, 0);
  const declined = laws.reduce((sum, law) => sum + law.declined, 0);
  const reasons = [...new Set(laws.flatMap(({ reason }) => reason ?? []))];
  const why = reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
  const aside = declined === 0 ? "" : `, ${declined} declined${why}`;
  const place = String(number).padStart(2);
  const settled = issues.map((issue) => `#${issue}`).join(", ");
  const named = settled === "" ? title : `${title} (${settled})`;
  if (kind === "not asked") return folded(`${named}: not asked${why}`, `${yellow("–")} ${place} `, columns);
  const mark = { holds: green("✓"), broken: red("✗"), "mostly declined": yellow("–") }[kind];
  const most = kind === "mostly declined" ? "mostly declined, " : "";
  return [
    ...folded(`${named}: ${most}${counted(decided, "case")}${aside}`, `${mark} ${place} `, columns),
    ...laws.flatMap(({ law, finding }) =>
      finding === undefined
        ? []
        : [
            `     ${law}`,
            `       asked     ${cut(finding.asked)}`,
            `       answered  ${cut(finding.answered)}`,
            `       due       ${cut(finding.due)}`,
          ],
    ),
  ];
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`;
}

function summary(outcomes: readonly PointOutcome[]): string {
  const of = (kind: PointOutcome["kind"]): string[] =>
    outcomes.filter((one) => one.kind === kind).map(({ number }) => String(number));
  const [holds, broken] = [of("holds"), of("broken")];
  const told = broken.length === 0 ? "none is broken" : `broken: ${listed(broken)}`;
  const asides = (["mostly declined", "not asked"] as const).flatMap((kind) =>
    of(kind).length === 0 ? [] : [`; ${kind}: ${listed(of(kind))}`],
  );
  return `${holds.length} of ${counted(outcomes.length, "point")} hold; ${told}${asides.join("")}.`;
}
