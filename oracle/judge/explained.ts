import { floats } from "../../reference/index.ts";
import type { Description, Engine } from "../../spec/contract/index.ts";
import { nodeAt } from "../../spec/graph/index.ts";
import { type DataType, parseFloat64 } from "../../spec/wire/index.ts";
import { type Case, type Choice, runReference, withChoices } from "../case/index.ts";
import { ask, type Declaration, type Finding, openDeclarations, zeroDeclarations } from "../hearing/index.ts";

/** A handshake may say this of ties and kinks. */
interface Tied extends Declaration {
  /** The reference chooses this if it follows the declaration, where that is one choice and not many. */
  readonly choice?: Choice;
}

const maxima = ["first", "second", "split", "both", "neither"] as const;
const relus = ["zero", "half", "one"] as const;

/** Lists declarations that differ by one convention from an engine's. */
function otherDeclarations({ conventions }: Description): Tied[] {
  const { maximumAtTie, reluAtZero, compositeKinks } = conventions;
  const choices: Tied[] = [
    ...relus.flatMap((other) =>
      other === reluAtZero ? [] : [{ text: `reluAtZero: ${other}`, changed: { reluAtZero: other } }],
    ),
    ...maxima.flatMap((other) =>
      other === maximumAtTie ? [] : [{ text: `maximumAtTie: ${other}`, changed: { maximumAtTie: other } }],
    ),
  ].map(({ text, changed }) => ({
    text,
    conventions: { ...conventions, ...changed },
    choice: { maximumAtTie, reluAtZero, ...changed },
  }));
  const own = {
    text: "compositeKinks: own",
    conventions: { ...conventions, compositeKinks: "own" },
  } as const;
  return compositeKinks === "own" ? choices : [...choices, own];
}

/**
 * Says in a sentence what an engine would have to declare for a wrong derivative to be right; `undefined` if
 * no single convention explains it. Cost: a question for each that might.
 */
export async function explanation(
  engine: Engine,
  question: Case,
  dtype: DataType,
  finding: Finding,
): Promise<string | undefined> {
  const isDerivative =
    finding.question === "jvp" || finding.question === "vjp" || finding.question === "backward_dense";
  if (!isDerivative && finding.question !== "evaluate") return undefined;
  const description = engine.describe();
  const found: string[] = [];
  const declarations: Tied[] = [
    ...(isDerivative ? otherDeclarations(description) : []),
    ...(mayBeSpecial(finding) ? specialDeclarations(description, question, finding) : []),
  ];
  for (const { text, conventions, choice } of declarations) {
    if (choice !== undefined && !isAnswerOf(choice, question, dtype, finding)) continue;
    const declaring: Engine = {
      describe: () => ({ ...description, conventions }),
      load: (graph, precision) => engine.load(graph, precision),
      [Symbol.asyncDispose]: async () => {},
    };
    const { kind } = await ask(declaring, question, dtype, []);
    if (kind === "agrees" || (kind === "undecided" && isTie(text))) found.push(text);
  }
  if (found.length === 0) return undefined;
  return `It is right for an engine that declares ${found.join(", or ")} in its handshake.`;
}

/** Tells whether a declaration is of ties and kinks, which are open where it is `own`. */
function isTie(text: string): boolean {
  return /^(reluAtZero|maximumAtTie|compositeKinks)/.test(text);
}

/** Lists declarations about NaN and infinities that differ by one convention from an engine's. */
function specialDeclarations(
  { conventions }: Description,
  { graph }: Case,
  { id, question }: Finding,
): Declaration[] {
  const isReverse = question === "vjp" || question === "backward_dense";
  const op = nodeAt(graph, id)?.op;
  return [...openDeclarations(conventions, op), ...(isReverse ? zeroDeclarations(conventions) : [])];
}

/** Tells whether NaN or an infinity was answered, or expected. */
function mayBeSpecial({ answer, expected }: Finding): boolean {
  return /nan|inf/.test(`${answer} ${expected}`);
}

/** Answers by two conventions are factors of 0, ½, 1 and 2 apart, so this is close. */
const CLOSE = 2 ** -6;

/** Tells whether the wrong number is the reference's with this choice, and not with its own. */
function isAnswerOf(choice: Choice, question: Case, dtype: DataType, finding: Finding): boolean {
  const run = runReference(question, floats[dtype], ({ graph }, meaning) =>
    withChoices(graph, meaning, () => choice),
  );
  const tensor = finding.question === "jvp" ? run.tangents[finding.id] : run.cotangents.get(finding.id);
  const expected = tensor?.data[finding.element];
  const answer = parseFloat64(finding.answer);
  if (expected === undefined || answer === undefined) return false;
  return Object.is(answer, expected) || Math.abs(answer - expected) <= CLOSE * Math.abs(expected);
}
