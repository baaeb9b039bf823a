import { wrapped } from "../../conformance/index.ts";
import type { Mutant } from "../../engines/index.ts";
import { mix, sharesOf } from "../../oracle/generate/index.ts";
import { type Differences, differencesSection } from "./differences.ts";
import { generalisationSection, type Unaided } from "./generalisation.ts";
import { killsByCase, type Matrix, spread, survivors } from "./matrix.ts";
import type { Row } from "./row.ts";
import { isOwn, OWN } from "./suite.ts";
import { table } from "./table.ts";
import type { Orders } from "./worker.ts";

/** The document says this too. */
export interface Setting extends Orders {
  /** Returns the links of an entry of the catalogue of published defects. */
  linksOf(source: string): readonly string[];
  /** Returns why a case is in the suite though it kills no mutant; `undefined` without a stated reason. */
  reasonFor(name: string): string | undefined;
  readonly differences: Differences;
  readonly unaided: Unaided;
}

/** Writes `docs/strength.md` from the measurement alone, so that the same seed gives the same bytes. */
export function powerDocument(matrix: Matrix, setting: Setting): string {
  return pageOf([
    introduction(setting),
    totals(matrix, setting),
    generalisationSection(matrix, setting.unaided),
    differencesSection(setting.differences),
    cotangentsSection(matrix),
    lawsSection(matrix, setting),
  ]);
}

/** Writes `docs/built/strength.md`: what was measured of each mutant, and the cases that kill none. */
export function powerTables(matrix: Matrix, setting: Setting): string {
  return pageOf([killMatrix(matrix, setting), unseenByLaws(matrix), idleCases(matrix, setting)]);
}

function pageOf(sections: readonly string[]): string {
  return wrapped(`${sections.join("\n\n")}\n`);
}

function introduction({ seed, cases, lawCases }: Setting): string {
  return `# Strength, measured

Written by \`npm run power\`; the same seed writes the same bytes.

A mutant is the interpreter with one planted fault (\`engines/mutants/\`), as a rule one that a
real engine has had: the source names its entry in the catalogue of published defects. Two searches look for
each mutant on their own. *The suite* asks every case of \`conformance/suites\`. *Random search* draws cases with seed
${seed} from the mix that \`adjudge judge\` draws from unless it is told otherwise: ${shares()}. It stops at the first wrong
answer or after ${cases} cases; that case is then shrunk. Each case is asked in every mode and against the laws that do not follow
from the answers, one in twenty in a sequence of calls instead; a disagreement counts, a crash or an open question does not. *Laws alone* means without any true value: up to ${lawCases}
cases are asked, and only relations between the engine's own answers are checked.

The row of each mutant, with its witness, is in \`docs/built/strength.md\`, which \`npm run docs -- strength\` builds;
\`conformance/suites/kills.json\` has the mutants that each case kills. Search that is guided by what it has asked was
measured and left out: [guided.md](guided.md). Faults that were reported of torch.compile, 62 of 70 told, are in
[unseen.md](unseen.md#reported-faults-of-torchcompile).`;
}

function shares(): string {
  return sharesOf(mix)
    .toSorted((a, b) => b.share - a.share)
    .map(({ profile, share }) => `${profile} ${(100 * share).toFixed(1)} %`)
    .join(", ");
}

/** Lists the mutants that only vectors written for a surviving mutant kill. */
function spared({ rows }: Matrix): readonly string[] {
  return rows
    .filter(({ row }) => row.suite.generic.every(({ name }) => isOwn(name)))
    .map(({ row }) => row.name);
}

/** Writes the lines that sum the matrix up, for the document and for the terminal. */
export function totalLines(matrix: Matrix): readonly (readonly [what: string, count: string])[] {
  const { rows } = matrix;
  const alive = survivors(matrix, "generic");
  const own = matrix.suite.filter(({ name }) => isOwn(name));
  const nodes = spread(rows.flatMap(({ row }) => row.witness?.nodes ?? []));
  const cases = spread(rows.flatMap(({ row }) => row.random.generic?.cases ?? []));
  const idle = [...killsByCase(matrix).values()].filter((killed) => killed.length === 0).length;
  return [
    ["mutants", `${rows.length}`],
    ["killed by the suite alone", `${rows.length - alive.suite.length}`],
    [
      `killed by it without the ${own.length} vectors of \`${OWN}\``,
      `${rows.length - spared(matrix).length}`,
    ],
    ["killed by random search alone", `${rows.length - alive.random.length}`],
    [
      "cases until the first kill: median, 90th percentile, most",
      `${cases.median}, ${cases.ninetieth}, ${cases.largest}`,
    ],
    ["computed nodes of the shrunken witness, median and most", `${nodes.median}, ${nodes.largest}`],
    ["cases of the suite", `${matrix.suite.length}`],
    ["cases of the suite that kill no mutant", `${idle}`],
  ];
}

function totals(matrix: Matrix, { cases }: Setting): string {
  const alive = survivors(matrix, "generic");
  const lines = table(["", ""], totalLines(matrix));
  const left = [
    ...alive.suite.map((name) => `- \`${name}\` survives the suite`),
    ...alive.random.map((name) => `- \`${name}\` survives ${cases} random cases`),
    ...spared(matrix).map((name) => `- \`${name}\` is killed by vectors of \`${OWN}\` alone`),
  ];
  return ["## Totals", "", lines, ...(left.length > 0 ? ["", ...left] : [])].join("\n");
}

function cotangentsSection(matrix: Matrix): string {
  const alive = survivors(matrix, "ones");
  const missed = new Set([...alive.suite, ...alive.random]);
  const lost = matrix.rows.filter(({ row }) => missed.has(row.name));
  const lines = lost.map(({ row }) => [
    `\`${row.name}\``,
    `${row.suite.generic.length}`,
    `${row.suite.ones.length}`,
    casesOf(row.random.generic?.cases),
    casesOf(row.random.ones?.cases),
  ]);
  const slower = matrix.rows.filter(({ row }) => casesUntil(row, "ones") > casesUntil(row, "generic")).length;
  const faster = matrix.rows.filter(({ row }) => casesUntil(row, "ones") < casesUntil(row, "generic")).length;
  return `## All-ones cotangents

Gradients are mostly tested on the sum of an output, which pulls back ones. The same searches with ones in every seed,
and without the laws, which pull back other cotangents on their own, miss ${alive.suite.length} mutants on the suite and ${alive.random.length} at random. Random search
needs more cases for ${slower} mutants, fewer for ${faster}.

${table(["mutant", "cases of the suite that kill it", "with ones", "random cases until killed", "with ones"], lines)}`;
}

function casesUntil(row: Row, cotangents: "generic" | "ones"): number {
  return row.random[cotangents]?.cases ?? Number.POSITIVE_INFINITY;
}

function lawsSection({ rows }: Matrix, { lawCases }: Setting): string {
  const names = Object.keys(rows[0]?.row.laws ?? {});
  const lines = names.map((law) => {
    const counts = rows.flatMap(({ row }) => row.laws[law] ?? []);
    const only = rows.filter(({ row }) => row.laws[law] !== undefined && brokenBy(row).length === 1).length;
    return [law, `${counts.length}`, `${only}`, `${spread(counts).median}`];
  });
  const none = rows.filter(({ row }) => brokenBy(row).length === 0);
  return `## Laws alone

Without a reference, ${rows.length - none.length} of ${rows.length} mutants break a law within ${lawCases} cases. What no
law sees is mostly a value that is wrong in all modes alike: a differentiable function, though not the one that
was asked for.

${table(["law", "mutants that break it", "that break no other", "cases until then, median"], lines)}`;
}

function unseenByLaws({ rows }: Matrix): string {
  const none = rows.filter(({ row }) => brokenBy(row).length === 0);
  return `## Mutants that no law sees\n\n${none.map(({ row }) => `\`${row.name}\``).join(", ")}.`;
}

function brokenBy(row: Row): string[] {
  return Object.entries(row.laws).flatMap(([law, count]) => (count === undefined ? [] : [law]));
}

function idleCases(matrix: Matrix, { reasonFor }: Setting): string {
  const idle = [...killsByCase(matrix)].filter(([, killed]) => killed.length === 0).map(([name]) => name);
  const lines = idle.map((name) => [`\`${name}\``, reasonFor(name) ?? "**no reason stated**"]);
  const text = idle.length === 0 ? "None." : table(["case", "why it stands there"], lines);
  return `## Cases of the suite that kill no mutant\n\n${text}`;
}

function killMatrix({ rows }: Matrix, { linksOf }: Setting): string {
  const lines = rows.map(({ mutant, row }) => [
    `\`${row.name}\`: ${mutant.fault}`,
    sourceOf(mutant, linksOf),
    suiteCell(row),
    row.random.generic?.question ?? "",
    casesOf(row.random.generic?.cases),
    lawsCell(row),
    witnessCell(row),
  ]);
  const head = [
    "mutant",
    "source",
    "suite",
    "found at random in",
    "after cases",
    "laws alone, after cases",
    "witness",
  ];
  return `# The kill matrix

The cases that kill a mutant are counted, and the first named; \`conformance/suites/kills.json\` has them all. The witness
is what shrinking leaves: its computed nodes, and whom the judge blames.

${table(head, lines)}`;
}

function sourceOf({ source }: Mutant, linksOf: Setting["linksOf"]): string {
  const [link] = linksOf(source);
  return link === undefined ? source : `[${source}](${link})`;
}

function suiteCell({ suite: { generic } }: Row): string {
  const [first] = generic;
  return first === undefined ? "**survives**" : `${generic.length}: ${first.name} (${first.question})`;
}

function lawsCell(row: Row): string {
  const broken = brokenBy(row).map((law) => `${law} ${row.laws[law]}`);
  return broken.length === 0 ? "none" : broken.join(", ");
}

function witnessCell({ witness }: Row): string {
  if (witness === undefined) return "";
  const { nodes, operators, blame } = witness;
  const shown = nodes > 6 ? `${operators.slice(0, 6).join(" ")} …` : operators.join(" ");
  return `${nodes}${nodes === 0 ? "" : `: ${shown}`}; ${blame.op ?? "input"} ${blame.part}`;
}

function casesOf(count: number | undefined): string {
  return count === undefined ? "**survives**" : `${count}`;
}
