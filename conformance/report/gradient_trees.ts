import type {
  AccumulationJson,
  GradientModeJson,
  GradientTreeJson,
  SignatureJson,
  SignaturesJson,
  StageJson,
  TargetTreeJson,
} from "../../spec/explained/index.ts";
import { counted } from "../../spec/shapes/index.ts";
import { type Branch, treeLines } from "./branches.ts";
import { folded, WIDTH } from "./folded.ts";
import { showFigure } from "./memory.ts";
import { short } from "./representations.ts";

/** At most so many sums of a mode are shown; `--json` has all. */
const MOST_SHOWN = 20;

/** Draws what is known of a gradient as a tree, in lines of 80 columns. */
export function gradientLines(tree: GradientTreeJson): string[] {
  return treeLines(gradientBranch(tree));
}

function gradientBranch(tree: GradientTreeJson): Branch {
  const { of, wrt, elements, measuredIn, modes } = tree;
  const sources = new Sources();
  return {
    says: `gradient of ${of} by ${wrt}, ${counted(elements, "number")}`,
    branches: [
      { says: measuredIn === undefined ? "no dimensions fit" : `gradient_estimate: float<${measuredIn}>` },
      ...modes.map((mode) => modeBranch(mode, tree, sources)),
      sources.branch(),
    ],
  };
}

/** Numbers the sources of a tree's figures, each once. */
class Sources {
  readonly #known: string[] = [];

  /** Returns the number of a source in brackets. */
  number(source: string): string {
    if (!this.#known.includes(source)) this.#known.push(source);
    return `[${this.#known.indexOf(source) + 1}]`;
  }

  branch(): Branch | undefined {
    if (this.#known.length === 0) return undefined;
    return {
      says: "sources",
      branches: this.#known.map((says, place) => ({ says: `[${place + 1}] ${says}` })),
    };
  }
}

function modeBranch(mode: GradientModeJson, tree: GradientTreeJson, sources: Sources): Branch {
  const { quality, memory, targets } = mode;
  const title = { says: `gradient quality: ${quality}` };
  if (!mode.isGiven) return { says: mode.mode, branches: [title] };
  const hasReverse = tree.modes.some((other) => other.mode === "reverse");
  return {
    says: mode.mode,
    branches: [
      title,
      hasReverse && mode.mode.startsWith("checkpointed")
        ? { says: "accumulator: as in reverse, whose sums it takes" }
        : accumulatorBranch(mode, tree),
      { says: `auxiliary memory at once: ${showFigure(memory, tree.axisLength)}, in elements` },
      { says: tapeText(mode, tree) },
      ...targets.map((target) => targetBranch(target, mode, tree, sources)),
    ],
  };
}

function tapeText({ tape, escapes }: GradientModeJson, { axisLength }: GradientTreeJson): string {
  if (tape.now === 0 && escapes === 0) return "no activation tape, no escape, fully stack-eligible";
  const escaped = escapes === 0 ? "no escape" : counted(escapes, "value escapes", "values escape");
  return `tape: ${showFigure(tape, axisLength)}, in elements; ${escaped}${escapes === 0 ? "" : " to the arena"}`;
}

function accumulatorBranch({ sums, proofs, stages }: GradientModeJson, tree: GradientTreeJson): Branch {
  const { name, codes, bits, roundsTerms } = tree.accumulator;
  const isQuire = name.startsWith("quire");
  const register = isQuire ? `a quire of ${codes}, ${bits} bits` : `${name}, ${bits} bits, for ${codes}`;
  const exactness = roundsTerms ? "exact but for terms below its last place" : "exact";
  if (sums.length === 0) return { says: "accumulator: none, since nothing is added up" };
  const rest = sums.length - MOST_SHOWN;
  return {
    says: `accumulator: ${register}; each sum ${exactness}${isQuire ? ", rounded once" : ""}`,
    branches: [
      ...sums.slice(0, MOST_SHOWN).map((sum) => ({ says: sumText(sum, bits) })),
      rest > 0 ? { says: `… and ${counted(rest, "sum")} more, which --json has` } : undefined,
      { says: `proof: ${proofs.join(", ")}` },
      stagesBranch(stages, bits),
    ],
  };
}

function sumText({ name, terms, bitsNeeded, fits }: AccumulationJson, bits: number): string {
  return `${fits ? "✓" : "✗"} ${name}: ${counted(terms, "term")}, ${bitsNeeded} of ${bits} bits`;
}

/** Says along which steps of the plan the width invariant restricts, and where it is made anew or breaks. */
function stagesBranch(stages: readonly StageJson[], bits: number): Branch | undefined {
  const kept = stages.filter(({ kind }) => kind === "restricts").map(({ name }) => name);
  if (stages.length === 0) return undefined;
  return {
    says:
      kept.length === 0
        ? "as a section over the plan, it restricts along no step"
        : `as a section over the plan, it restricts along ${kept.join(", ")}`,
    branches: stages.flatMap(({ name, kind, sums }) =>
      kind === "restricts"
        ? []
        : [
            {
              says:
                kind === "anew"
                  ? `✓ ${name} changes sums, which are stated anew`
                  : `✗ ${name} breaks it: it claims to keep sums`,
              branches: sums
                .slice(0, MOST_SHOWN)
                .map((sum) => ({ says: sumText({ ...sum, name: "a sum" }, bits) })),
            },
          ],
    ),
  };
}

function targetBranch(
  target: TargetTreeJson,
  { memory }: GradientModeJson,
  tree: GradientTreeJson,
  sources: Sources,
): Branch {
  const { classes, bytesAtOnce, bitsEach, format, digits, resultFormat } = target;
  const held = classes.filter(({ bytes }) => bytes > 0).map(({ class: name, bytes }) => `${name} ${bytes}`);
  const each = bitsEach % 8 === 0 ? `${bitsEach / 8}` : `${bitsEach}/8`;
  const grown = memory.grows === undefined ? "" : `: ${each} · (${showGrown(memory, tree.axisLength)})`;
  return {
    says: `on ${target.target}, values in ${format}`,
    branches: [
      ...accumulatorLines(target, tree.accumulator, sources),
      { says: `auxiliary memory at once: ${counted(bytesAtOnce, "byte")}${grown}` },
      held.length === 0 ? undefined : { says: `all values, in bytes: ${held.join(", ")}` },
      resultFormat === undefined
        ? undefined
        : {
            says: `the gradient kept in ${resultFormat}${digits === undefined ? "" : `: ${short(digits)} digits`}`,
          },
    ],
  };
}

/** Writes a closed form with the lengths and depths from which it holds, without the figure before it. */
function showGrown(memory: GradientModeJson["memory"], length: number | undefined): string {
  return showFigure(memory, length).replace(/^\d+(?: =|, and) /, "");
}

/** Says where the accumulator is and what it costs, or what adds the terms where there is none. */
function accumulatorLines(
  { format, quire, accumulators, roundings }: TargetTreeJson,
  { name, codes }: GradientTreeJson["accumulator"],
  sources: Sources,
): Branch[] {
  if (quire.kind === "none") {
    const isQuire = name.startsWith("quire");
    const hasWords = !isQuire && format.startsWith("sym");
    const told = accumulators.map(({ accumulator, sums }) => `${accumulator} (${sums})`).join(", ");
    const rounded = roundings === 0 ? "" : `: up to ${counted(roundings, "rounding")} each`;
    const missing = {
      says: `no ${isQuire ? "quire" : codes} there`,
      branches: quire.figures.map(({ says, source }) => ({ says: `${says} ${sources.number(source)}` })),
    };
    return [
      ...(hasWords ? [] : [missing]),
      ...(accumulators.length === 0
        ? []
        : [{ says: `${roundings === 0 ? "exact sums take" : "sums in"} ${told}${rounded}` }]),
    ];
  }
  const { kind, place, multiplyAdd } = quire;
  const lines = place?.cacheLines === undefined ? "no cache lines" : counted(place.cacheLines, "cache line");
  const placed =
    place === undefined ? "" : `, on the ${place.where}: ${counted(place.bytes, "byte")}, ${lines}`;
  return [
    { says: `quire in ${kind}${placed}, 1 rounding` },
    {
      says:
        multiplyAdd === undefined
          ? "cycles of a multiply-add: no figure known"
          : `${counted(multiplyAdd.cycles, "cycle")} a multiply-add ${sources.number(multiplyAdd.source)}`,
    },
  ];
}

/** Labels of the table of signatures, and its columns. */
const LABEL = 18;

/** Writes the signatures of modes side by side: memory, quality, tape and escape. */
export function signatureLines({ of, wrt, axisLength, modes }: SignaturesJson): string[] {
  const width = Math.floor((WIDTH - LABEL) / Math.max(1, modes.length));
  const row = (label: string, cells: readonly string[]): string[] => {
    const columns = cells.map((text) => folded(text, width - 2));
    const height = columns.reduce((most, { length: own }) => Math.max(most, own), 1);
    return Array.from({ length: height }, (_, line) =>
      [
        (line === 0 ? label : "").padEnd(LABEL),
        ...columns.map((column) => (column[line] ?? "").padEnd(width)),
      ]
        .join("")
        .trimEnd(),
    );
  };
  const cells = (tell: (signature: SignatureJson) => string): string[] => modes.map(tell);
  return [
    ...folded(`signature of the gradient of ${of.join(", ")} by ${wrt.join(", ")}`),
    ...row(
      "",
      cells(({ mode }) => mode),
    ),
    ...row(
      "auxiliary memory",
      cells(({ memory }) => `${showFigure(memory, axisLength)} elements`),
    ),
    ...row(
      "gradient quality",
      cells(({ quality }) => quality),
    ),
    ...row(
      "tape",
      cells(({ tape }) => (tape.now === 0 ? "none" : `${showFigure(tape, axisLength)} elements`)),
    ),
    ...row(
      "escape",
      cells(({ escapes }) =>
        escapes.values === 0
          ? "none: all on the stack but results"
          : `${counted(escapes.values, "value")} of ${counted(escapes.elements, "element")} to the arena`,
      ),
    ),
  ];
}
