import { tabled } from "../../lean-export/index.ts";
import * as forwardGradient from "../../reference/forward_gradient/index.ts";
import {
  bfloat16,
  boolean,
  dual,
  float16,
  float32,
  float64,
  formal,
  integer,
  modular,
  type RunTexts,
  rational,
  traceOf,
} from "../../reference/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import {
  type Algebra,
  fail,
  type Issue,
  nearestName,
  ok,
  quote,
  type Result,
} from "../../spec/shapes/index.ts";
import { positFormatNamed, type TraceJson } from "../../spec/wire/index.ts";

/** Runs a graph over the algebra that it closes over, so that the carrier's type stays inside. */
type Runner = (program: Graph, texts: RunTexts, form: "dense" | "sparse") => Result<TraceJson, Issue[]>;

/** Says what estimates of a gradient are worth over the algebra that it closes over. */
type Surveyor = (
  program: Graph,
  texts: RunTexts,
  asked: Omit<forwardGradient.SurveyAsked, "isExact">,
) => Result<forwardGradient.SurveyTexts, Issue[]>;

/** An algebra as the command line sees it, and the same under dual numbers. */
export interface Choice {
  readonly run: Runner;
  readonly survey: Surveyor;
  /** An element is so many numbers: two for a dual number, and so on. */
  readonly parts: number;
  /** Is true if products have as many digits as their factors together. */
  readonly growsDigits: boolean;
  /** Shows an element as a trace has it, followed by a readable number where the text alone is none. */
  shown(text: string): string;
  dual(): Choice;
}

const choices: ReadonlyMap<string, Choice> = new Map([
  ["integer", choiceOf(integer, { growsDigits: true })],
  ["rational", choiceOf(rational, { growsDigits: true })],
  ["tabled", choiceOf(tabled, { growsDigits: true })],
  ["modular", choiceOf(modular)],
  ["formal", choiceOf(formal, { growsDigits: true })],
  ["float64", choiceOf(float64)],
  ["float32", choiceOf(float32)],
  ["float16", choiceOf(float16)],
  ["bfloat16", choiceOf(bfloat16)],
  ["boolean", choiceOf(boolean)],
]);

/** These names may be written for an algebra. */
export const algebraNames: readonly string[] = [
  ...choices.keys(),
  "posit3 … posit64",
  "posit3(quire) … posit64(quire)",
  "quire3 … quire64",
  "bposit16",
  "bposit16(quire)",
  "bquire16",
  "posit16r6e5",
  "dual(…)",
];

/** These names are compared with a misspelt one. */
const nameable = [
  ...choices.keys(),
  ...[8, 16, 32, 64].flatMap((n) => [`posit${n}`, `posit${n}(quire)`, `quire${n}`]),
  ...[16, 32].flatMap((n) => [`bposit${n}`, `bposit${n}(quire)`, `bquire${n}`]),
];

/** A `dual` doubles the parts of a number and more than doubles the work: eight levels can be waited for. */
const DEEPEST_DUAL = 8;

/**
 * Returns the algebra of that name; `dual(…)` nests up to {@link DEEPEST_DUAL} deep.
 * Fails: `algebra/unknown`, `algebra/nesting`, `posit/width`,
 * `posit/format`.
 */
export async function algebraNamed(name: string): Promise<Result<Choice, Issue[]>> {
  const depth = /^(?:dual\()*/.exec(name)?.[0].length ?? 0;
  const duals = depth / "dual(".length;
  const inner = name.slice(depth, name.length - duals);
  const isNested = name === `${"dual(".repeat(duals)}${inner}${")".repeat(duals)}`;
  const format = isNested ? posits.exec(inner) : null;
  const choice = isNested ? choices.get(inner) : undefined;
  const made = format === null ? choice && ok(choice) : await positChoice(format);
  if (made === undefined) return fail([unknownAlgebra(name)]);
  if (!made.ok) return made;
  if (duals > DEEPEST_DUAL) return fail([tooDeep(duals)]);
  let nested = made.value;
  for (let level = 0; level < duals; level++) nested = nested.dual();
  return ok(nested);
}

const posits = /^(b?(posit|quire)[0-9]+(?:r[0-9]+e[0-9]+)?)(\(quire\))?$/;

/** Makes posits or quires. The library that decides their rounding is loaded only when they are asked for. */
async function positChoice([, name = "", kind, sums]: RegExpExecArray): Promise<
  Result<Choice, Issue[]> | undefined
> {
  const format = positFormatNamed(name.replace("quire", "posit"));
  if (format === undefined || (kind === "quire" && sums !== undefined)) return undefined;
  if (!format.ok) return fail([format.error]);
  const { decimalOfPosit, posit, quireAlgebra } = await import("../../reference/numerics/index.ts");
  if (kind === "quire") return ok(choiceOf(quireAlgebra(format.value)));
  const made = posit(format.value, sums === undefined ? "rounded" : "quire");
  if (!made.ok) return fail([made.error]);
  // A dual number is written as two codes.
  const shown = (text: string): string =>
    text.replaceAll(
      /0x[0-9a-f]+/g,
      (code) => `${code}=${decimalOfPosit(format.value, made.value.parse(code) ?? 0n)}`,
    );
  return ok(choiceOf(made.value, { shown }));
}

function unknownAlgebra(name: string): Issue {
  const near = nearestName(name, nameable);
  return {
    code: "algebra/unknown",
    pointer: "",
    message: `there is no algebra ${quote(name)}.`,
    hint: `${near === undefined ? "there" : `did you mean ${near}? There`} are ${algebraNames.join(", ")}`,
  };
}

function tooDeep(duals: number): Issue {
  return {
    code: "algebra/nesting",
    pointer: "",
    message: `dual is nested ${duals} deep; a number then has 2^${duals} parts.`,
    hint: `nest it at most ${DEEPEST_DUAL} deep: that is the derivative of order ${DEEPEST_DUAL}`,
  };
}

/** These fields of a choice do not follow from its algebra. */
type Manner = Partial<Pick<Choice, "growsDigits" | "parts" | "shown">>;

function choiceOf<S, B>(algebra: Algebra<S, B>, manner: Manner = {}): Choice {
  const { growsDigits = false, parts = 1, shown = (text: string): string => text } = manner;
  return {
    run: (program, texts, form) => traceOf(program, algebra, texts, form),
    // An algebra whose numbers grow digits rounds nothing.
    survey: (program, texts, asked) =>
      forwardGradient.surveyOf(program, algebra, texts, { ...asked, isExact: growsDigits }),
    parts,
    growsDigits,
    shown,
    dual: () => choiceOf(dual(algebra), { growsDigits, parts: 2 * parts, shown }),
  };
}
