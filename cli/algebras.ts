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
} from "../reference/index.ts";
import {
  type Algebra,
  fail,
  type Graph,
  type Issue,
  nearestName,
  ok,
  quote,
  type Result,
  type TraceJson,
} from "../spec/index.ts";

/** Runs a program over the algebra it closes over: the carrier's type stays inside. */
type Runner = (program: Graph, texts: RunTexts, form: "dense" | "sparse") => Result<TraceJson, Issue[]>;

/** An algebra as the command line sees it, and the same under dual numbers. */
export interface Choice {
  readonly run: Runner;
  /** How many numbers an element is: two for a dual number, and so on. */
  readonly parts: number;
  /** Whether products have as many digits as their factors together. */
  readonly growsDigits: boolean;
  dual(): Choice;
}

const choices: ReadonlyMap<string, Choice> = new Map([
  ["integer", choiceOf(integer, true)],
  ["rational", choiceOf(rational, true)],
  ["modular", choiceOf(modular)],
  ["formal", choiceOf(formal, true)],
  ["float64", choiceOf(float64)],
  ["float32", choiceOf(float32)],
  ["float16", choiceOf(float16)],
  ["bfloat16", choiceOf(bfloat16)],
  ["boolean", choiceOf(boolean)],
]);

/** What may be written for an algebra. */
export const algebraNames: readonly string[] = [...choices.keys(), "dual(…)"];

/** Each `dual` doubles a number, and more than doubles the work: the eighth derivative is the last that one can wait for. */
const DEEPEST_DUAL = 8;

/**
 * The algebra of that name, `dual(…)` nested as often as wanted, up to {@link DEEPEST_DUAL}. Fails: `algebra/unknown`, `algebra/nesting`.
 */
export function algebraNamed(name: string): Result<Choice, Issue[]> {
  const depth = /^(?:dual\()*/.exec(name)?.[0].length ?? 0;
  const duals = depth / "dual(".length;
  const inner = name.slice(depth, name.length - duals);
  const choice =
    name === `${"dual(".repeat(duals)}${inner}${")".repeat(duals)}` ? choices.get(inner) : undefined;
  if (choice === undefined) return fail([unknownAlgebra(name)]);
  if (duals > DEEPEST_DUAL) return fail([tooDeep(duals)]);
  let nested = choice;
  for (let level = 0; level < duals; level++) nested = nested.dual();
  return ok(nested);
}

function unknownAlgebra(name: string): Issue {
  const near = nearestName(name, algebraNames);
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

function choiceOf<S, B>(algebra: Algebra<S, B>, growsDigits = false, parts = 1): Choice {
  return {
    run: (program, texts, form) => traceOf(program, algebra, texts, form),
    parts,
    growsDigits,
    dual: () => choiceOf(dual(algebra), growsDigits, 2 * parts),
  };
}
