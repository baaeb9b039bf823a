import { createColors } from "picocolors";
import type { FunctionVerdict } from "../../oracle/functions/index.ts";
import { isOfNoNode, type Witness } from "../../oracle/hearing/index.ts";
import type { Description } from "../../spec/contract/index.ts";
import { encodePoint, encodeSeeds, type FunctionQuestion } from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import {
  assertNever,
  at,
  counted,
  InvariantError,
  nodeId,
  type Shape,
  visible,
} from "../../spec/shapes/index.ts";
import {
  encodeTensor,
  type FunctionMode,
  type FunctionVerdictJson,
  functionModes,
} from "../../spec/wire/index.ts";
import { COLUMNS, folded, givenOf, indexOf, type Palette, showCase, wrongNumber } from "../report/index.ts";

/** Whose function it is. */
export type Owner = Pick<Description, "name" | "version">;

/** What is told is written so. */
interface FunctionStyle {
  readonly palette?: Palette;
  readonly width?: number;
}

/** Returns the verdict on a question as it is sent to who brought it: words, numbers and witness. */
export function functionVerdictJson(
  question: FunctionQuestion,
  verdict: FunctionVerdict,
  owner: Owner,
): FunctionVerdictJson {
  const { kind, points, numbers, decided } = verdict;
  const style = { palette: createColors(false) };
  const text = functionLines(question, verdict, owner, style).join("\n");
  const told = { kind, headline: headline(question, verdict, owner), text, points, numbers, decided };
  return "witness" in verdict ? { ...told, witness: witnessJson(question, verdict.witness) } : told;
}

function witnessJson(
  question: FunctionQuestion,
  witness: Witness,
): NonNullable<FunctionVerdictJson["witness"]> {
  const { point, seeds, tangents } = witness.case;
  const mode = modeOf(witness);
  return {
    point: encodePoint(point, "base64"),
    seeds: encodeSeeds(seeds, "base64"),
    tangents: tangents.map((tangent) => encodeTensor(tangent, "base64")),
    mode,
    place: mode === "vjp" ? witness.id : Math.max(question.outputs.indexOf(witness.id), 0),
    element: placesOf(at(shapesOf(witness.case.graph), witness.id), witness.element),
    answered: witness.answer,
    expected: witness.expected,
    allowed: witness.bound,
    blame: witness.blame.sentence,
  };
}

function modeOf({ question }: Witness): FunctionMode {
  const mode = functionModes.find((one) => one === question);
  if (mode === undefined) throw new InvariantError(`a function is not asked ${question}`);
  return mode;
}

/** Says in one line what came of a question. */
export function headline(question: FunctionQuestion, verdict: FunctionVerdict, owner: Owner): string {
  const name = `${visible(question.name, 100)} (${whoIs(owner)}, ${question.dtype})`;
  switch (verdict.kind) {
    case "agrees":
      return `${name} agrees: ${counted(verdict.decided, "number")} at ${counted(verdict.points, "point")}`;
    case "disagrees":
      return `${name}: wrong ${partNames[modeOf(verdict.witness)]}`;
    case "differs":
      return `${name}: the values differ from the graph's`;
    case "imprecise":
      return `${name}: fewer digits than were demanded`;
    case "undecided":
      return `${name} is undecided: ${visible(verdict.cause)}`;
    case "unsupported":
      return `${name} was not asked: ${visible(verdict.reason)}`;
    case "crashed":
      return `${name} fails: ${visible(verdict.message, 500)}`;
    default:
      return assertNever(verdict);
  }
}

const partNames: Readonly<Record<FunctionMode, string>> = {
  evaluate: "value",
  vjp: "gradient",
  jvp: "tangent",
};

function whoIs({ name, version }: Owner): string {
  return visible(`${name} ${version}`.trim(), 80);
}

const codes = {
  disagrees: "error[wrong-derivative]",
  differs: "error[other-values]",
  imprecise: "error[few-digits]",
} as const;

const reasons: Readonly<Record<keyof typeof codes, string>> = {
  disagrees: "rounding alone does not take this function so far off (docs/functions.md#how-far-off)",
  differs:
    "the graph is what was read from the code, and derivatives are judged by it: either it was read " +
    "wrongly, or the function's value is wrong (docs/functions.md#values-first)",
  imprecise: "so many digits were demanded (docs/functions.md#digits)",
};

/** Writes a verdict: its headline, and below it the point, the number that is wrong and what is to blame. */
export function functionLines(
  question: FunctionQuestion,
  verdict: FunctionVerdict,
  owner: Owner,
  { palette = createColors(false), width = COLUMNS }: FunctionStyle,
): string[] {
  const first = headline(question, verdict, owner);
  if (verdict.kind === "agrees") return folded(first, `${palette.green("✓")} `, width);
  if (verdict.kind === "crashed") {
    const given = showCase(verdict.case).filter((line) => line.startsWith("at "));
    return [
      ...folded(first, `${palette.red("✗")} `, width),
      ...folded(given.map((line) => line.slice(3)).join("; "), "  given: ", width).slice(0, MOST_GIVEN),
    ];
  }
  if (!("witness" in verdict)) return folded(first, `${palette.yellow("–")} `, width);
  const { kind, witness } = verdict;
  return [
    ...folded(first, `${palette.red(codes[kind])}: `, width),
    ...givenAt(question, witness, width),
    ...numberLines(question, witness, palette, width),
    ...folded(visible(witness.blame.sentence, 2000), "  blame: ", width),
    ...folded(reasons[kind], "  why: ", width),
  ];
}

const MOST_GIVEN = 8;

/** Says where a function was asked, in the names of its inputs, and of its values by place. */
function givenAt({ outputs }: FunctionQuestion, witness: Witness, width: number): string[] {
  const named = givenOf(witness).map((clause) =>
    clause.replace(/^seed %?([0-9]+)/, (_, id: string) => {
      const place = outputs.indexOf(nodeId(Number(id)));
      return `cotangent of value${outputs.length === 1 || place < 0 ? "" : ` ${place + 1}`}`;
    }),
  );
  const lines = folded(named.join("; "), "  given: ", width);
  return lines.length <= MOST_GIVEN ? lines : [...lines.slice(0, MOST_GIVEN), "         …"];
}

function numberLines(
  question: FunctionQuestion,
  witness: Witness,
  palette: Palette,
  width: number,
): string[] {
  const { got, want, off } = wrongNumber(witness, false);
  const place = isOfNoNode(witness) ? witness.question : placeOf(question, witness);
  const isShort = `  ${place}: got ${got}, want ${want}`.length <= width;
  const lines = isShort
    ? [`  ${place}: got ${palette.red(got)}, want ${palette.green(want)}`]
    : [`  ${place}:`, `    got  ${palette.red(got)}`, `    want ${palette.green(want)}`];
  return [...lines, ...(off === undefined ? [] : [`    ${off}`])];
}

/** Names the number that is wrong: `dL/dx[1]`, `value[0, 2]`, `tangent of value 1`. */
function placeOf(question: FunctionQuestion, witness: Witness): string {
  const { id, element, case: asked } = witness;
  const index = indexOf(shapesOf(asked.graph)[id], element);
  if (witness.question === "vjp") return `dL/d${visible(asked.graph.inputs[id]?.name ?? "", 48)}${index}`;
  const place = question.outputs.indexOf(id);
  const value = question.outputs.length === 1 || place < 0 ? "value" : `value ${place + 1}`;
  return `${witness.question === "jvp" ? "tangent of " : ""}${value}${index}`;
}

/** Returns the indices of an element of a row-major tensor. */
function placesOf(shape: Shape, element: number): readonly number[] {
  let rest = element;
  return shape
    .toReversed()
    .map((extent) => {
      const place = rest % extent;
      rest = (rest - place) / extent;
      return place;
    })
    .toReversed();
}
