import type {
  DimensionsJson,
  ExplanationJson,
  MeasuredJson,
  ObstructionJson,
  SheafJson,
} from "../../spec/explained/index.ts";
import { cut, folded, labelled, WIDTH } from "./folded.ts";
import { gradientLines, signatureLines } from "./gradient_trees.ts";
import { memoryLines } from "./memory.ts";
import { representationLines } from "./representations.ts";

type AssignedJson = Extract<DimensionsJson, { readonly kind: "assigned" }>;

/** A value's name in a table is cut to so many characters. */
const NAME_WIDTH = 30;

/** Tables and matrices show at most so many rows; `--json` has all. */
const MOST_SHOWN = 200;

/** Writes an explanation in lines of 80 columns. */
export function showExplanation(explanation: ExplanationJson): string[] {
  const { dimensions, sheaf, memory, representations, gradients = [], signatures } = explanation;
  return [
    ...dimensionLines(dimensions),
    ...(signatures === undefined ? [] : ["", ...signatureLines(signatures)]),
    ...gradients.flatMap((tree) => ["", ...gradientLines(tree)]),
    ...(sheaf === undefined ? [] : ["", ...sheafLines(sheaf)]),
    ...(memory === undefined ? [] : ["", ...memoryLines(memory)]),
    ...(representations === undefined ? [] : ["", ...representationLines(representations)]),
  ];
}

function dimensionLines(dimensions: DimensionsJson): string[] {
  const bases = `dimensions over ${dimensions.bases.join(", ")}`;
  if (dimensions.kind === "obstructed") {
    return [...folded(bases), "", ...obstructionLines("✗ no dimensions fit.", dimensions.obstruction)];
  }
  const { free, inputs, environment, results, gradients, scales } = dimensions;
  const freely =
    free.length === 0 ? [] : ["", ...folded(`Free, and named ⟨so⟩: ${shortened(free).join(", ")}.`)];
  return [
    ...folded(bases),
    ...table("inputs", inputs),
    ...table("environment", environment),
    ...table("results", results),
    ...gradients.flatMap(({ of, cotangents }) => table(`gradient of ${of}`, cotangents, of)),
    ...(isLong(dimensions) ? ["", ...folded(longDimensions)] : []),
    ...freely,
    "",
    ...(scales === undefined
      ? ["✓ the dimensions agree."]
      : ["✓ the dimensions agree.", "", ...obstructionLines("✗ the scales do not.", scales)]),
  ];
}

/** A dimension of more free names than these is told by the name of its own value. */
const MOST_FREE = 3;

const longDimensions = `A dimension in terms of more than ${MOST_FREE} free ones has its value's own name; --json has them in full.`;

function isLongDimension(dimension: string): boolean {
  return dimension.split("⟨").length - 1 > MOST_FREE;
}

/** Tells whether some dimension is told by its value's name. */
function isLong({ inputs, environment, results, gradients }: AssignedJson): boolean {
  const all = [...inputs, ...environment, ...results, ...gradients.flatMap(({ cotangents }) => cotangents)];
  return all.some(({ blocks }) => blocks.some(({ dimension }) => isLongDimension(dimension)));
}

function table(title: string, values: readonly MeasuredJson[], of?: string): string[] {
  if (values.length === 0) return [];
  const lines = values.flatMap(({ name, blocks: all }) => {
    const own = ownDimension(name, of);
    const blocks = isUniform(all) ? all.slice(0, 1) : all;
    return blocks.map(({ ranges, dimension, scale }, place) => {
      const elements = blocks.length === 1 ? "" : `[${ranges.map(rangeOf).join(", ")}]`;
      const label = cut(place === 0 ? `${name}${elements}` : `  ${elements}`, NAME_WIDTH);
      const told = isLongDimension(dimension) ? own : dimension;
      return labelled(label, scale === undefined ? told : `${told}  (×${scale})`, NAME_WIDTH);
    });
  });
  const rest = lines.length - MOST_SHOWN;
  const more = rest > 0 ? [`  … and ${rest} more, which --json has`] : [];
  return ["", ...folded(title), ...lines.slice(0, MOST_SHOWN).flat(), ...more];
}

/** Names the dimension of a value, or of the gradient by it, by the value itself. */
function ownDimension(name: string, of: string | undefined): string {
  const bare = (full: string): string => full.replace(/^(?:input|entry) /, "").replace(/ \(\w+\)$/, "");
  return of === undefined ? `⟨${bare(name)}⟩` : `⟨${bare(of)}⟩·⟨${bare(name)}⟩⁻¹`;
}

/** Tells whether all blocks of a value are measured alike. */
function isUniform(blocks: MeasuredJson["blocks"]): boolean {
  const [first] = blocks;
  return blocks.every(({ dimension, scale }) => dimension === first?.dimension && scale === first.scale);
}

function rangeOf([start, end]: readonly [number, number]): string {
  return end === start + 1 ? `${start}` : `${start}:${end}`;
}

function obstructionLines(title: string, { says, grounds }: ObstructionJson): string[] {
  const lines = groundLines(grounds);
  const shown = lines.slice(0, MOST_SHOWN);
  const rest = lines.length - shown.length;
  const count = lines.length.toString().length;
  return [
    ...folded(`${title} ${says}`),
    "",
    ...folded(
      grounds.length === 1
        ? "This alone cannot be:"
        : `These ${grounds.length} cannot all be, and without any one of them the others could:`,
    ),
    ...shown.flatMap((ground, i) => {
      const [first = "", ...others] = folded(ground, WIDTH - count - 4);
      const indent = " ".repeat(count + 4);
      return [`  ${(i + 1).toString().padStart(count)}. ${first}`, ...others.map((line) => indent + line)];
    }),
    ...(rest > 0 ? [`  … and ${rest} more, which --json has`] : []),
  ];
}

/** Writes a system of dimensions as a sheaf, in lines of 80 columns. */
export function sheafLines({ values, constraints, coboundary, h0, h1, isMet }: SheafJson): string[] {
  const total = (cells: SheafJson["values"]): number => cells.reduce((sum, { rank }) => sum + rank, 0);
  const told = (cells: SheafJson["values"]): string =>
    cells.map(({ name, rank }) => `${name} ℚ^${rank}`).join(", ");
  return [
    "as a sheaf",
    ...folded(`stalks over values (${total(values)}): ${told(values)}`),
    ...folded(`stalks over constraints (${total(constraints)}): ${told(constraints)}`),
    "restriction maps, side by side, a row for each equation:",
    ...coboundary.slice(0, MOST_SHOWN).flatMap((line) => folded(`  ${line}`)),
    `rank H⁰ = ${h0}, the dimensions that are free`,
    `rank H¹ = ${h1}, the ways to ask for what cannot be`,
    isMet
      ? "What is declared is zero in H¹: it can be met."
      : "What is declared is not zero in H¹: nothing meets it.",
  ];
}

/** Writes a line for each ground, but one for a run of grounds at one node: its last, which others use. */
function groundLines(grounds: ObstructionJson["grounds"]): string[] {
  return grounds.flatMap(({ says, id, pointer, reason }, i) => {
    const isInside = (place: number): boolean =>
      id !== undefined && grounds[place]?.id === id && grounds[place]?.reason !== "declared";
    if (isInside(i + 1) && reason !== "declared") return [];
    let before = 0;
    while (reason !== "declared" && isInside(i - before - 1)) before += 1;
    const more = before === 0 ? "" : `  (and ${before} ${before === 1 ? "step" : "steps"} before)`;
    return [`${says}${pointer === undefined ? "" : `  (${pointer})`}${more}`];
  });
}

function shortened(names: readonly string[]): string[] {
  const rest = names.length - MOST_SHOWN;
  return rest > 0 ? [...names.slice(0, MOST_SHOWN), `and ${rest} more`] : [...names];
}
