import type { OperatorName } from "../../spec/composites/index.ts";
import type { Engine, Reply } from "../../spec/contract/index.ts";
import { nodeAt } from "../../spec/graph/index.ts";
import { isSameShape, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import { type DataType, type FlatTensor, formatFloat64, type Mode } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import {
  answersOf,
  type Finding,
  fromReply,
  type Hearing,
  type Law,
  lent,
  mayTell,
  operatorsOf,
  release,
  truthAfter,
} from "../hearing/index.ts";
import { type Component, type Truth, truthOf } from "../truth/index.ts";
import { standardOf } from "../truth/standard/index.ts";

/** A number of an answer is part of a value, a tangent or a cotangent. */
export type AnswerPart = "value" | "tangent" | "cotangent";

/**
 * A number stayed open because it is `close` to its bound for every precision of MPFR; or `dense`, a NaN of
 * zeros that are stored and multiplied, as in the dense form of backpropagation; or without a bound, since
 * the true value is no finite number of the reference (`singular`), or what it is computed from has none
 * (`inherited`), or the bound was lost here to overflow, cancellation or a domain's edge in reach (`lost`).
 */
export type Openness = "close" | "dense" | "singular" | "inherited" | "lost";

/** This became of one number of an answer. */
export interface Surveyed {
  readonly part: AnswerPart;
  /** It belongs to this operator's result; `undefined` for an input's cotangent. */
  readonly op: OperatorName | undefined;
  /** Of several right answers `reference` is that of the reference's formula. */
  readonly judgement: "within" | "outside" | "reference" | Openness;
}

/** A survey has every number of a case, and what is outside; or why the engine gave no answer. */
export type Survey =
  | {
      readonly kind: "surveyed";
      readonly numbers: readonly Surveyed[];
      readonly outside: readonly Finding[];
    }
  | { readonly kind: "unsupported"; readonly reason: string }
  | { readonly kind: "crashed"; readonly message: string };

/** Each answer is part of this, and the inputs have one or not. */
const questions: readonly (readonly [Mode, AnswerPart])[] = [
  ["evaluate", "value"],
  ["jvp", "tangent"],
  ["vjp", "cotangent"],
  ["backward_dense", "cotangent"],
];

/**
 * Judges every number of an engine's answers to a case, where {@link ask} stops at the first that is outside,
 * and checks the laws that it does. A number with more than one right answer is open, unless it is outside
 * all of them; `reference` if it is that of the reference's formula. Cost: as of `ask` on an engine that
 * agrees.
 */
export async function survey(
  engine: Engine,
  question: Case,
  dtype: DataType,
  laws: readonly Law[],
): Promise<Survey> {
  const description = engine.describe();
  const { operators, modes } = description;
  const unknown = operatorsOf(question).find((op) => !operators.includes(op));
  if (unknown !== undefined) return { kind: "unsupported", reason: `the engine does not offer ${unknown}` };
  const loaded = await engine.load(question.graph, dtype);
  if (loaded.kind !== "result") return withoutAnswer(loaded);
  const program = loaded.value;
  try {
    const standard = standardOf(description, dtype);
    const truth = truthOf(question, standard);
    const handed = lent(question);
    const answer = answersOf(program, handed);
    const hearing: Hearing = { question, engine, program, standard, truth, handed, modes, answer };
    return await surveyAll(hearing, laws);
  } finally {
    await release(engine, program);
  }
}

async function surveyAll(hearing: Hearing, laws: readonly Law[]): Promise<Survey> {
  const numbers: Surveyed[] = [];
  const outside: Finding[] = [];
  const decided = new Set<Mode>();
  for (const [mode, part] of questions) {
    if (!hearing.modes.includes(mode)) continue;
    const { given: reply } = await hearing.answer(mode);
    if (reply.kind !== "result") return withoutAnswer(reply);
    let isDecided = true;
    const truth = await truthAfter(hearing, mode);
    for (const { surveyed, finding } of judgeAnswer({ ...hearing, truth }, mode, part, reply.value)) {
      numbers.push(surveyed);
      isDecided &&= surveyed.judgement === "within" || surveyed.judgement === "reference";
      if (finding !== undefined) outside.push(finding);
    }
    if (isDecided) decided.add(mode);
  }
  for (const law of laws) {
    if (!mayTell(law, hearing.modes, decided)) continue;
    const checked = await law.check(hearing);
    if (checked.kind === "differs") outside.push(checked.finding);
    if (checked.kind === "crashed") return checked;
  }
  return { kind: "surveyed", numbers, outside };
}

function withoutAnswer(reply: Exclude<Reply<unknown>, { readonly kind: "result" }>): Survey {
  const outcome = fromReply(reply);
  return outcome.kind === "unsupported" || outcome.kind === "crashed"
    ? outcome
    : { kind: "crashed", message: outcome.kind };
}

/** Judges the numbers of one answer; a tensor of another shape is one number outside. */
function* judgeAnswer(
  { question, truth }: Hearing,
  mode: Mode,
  part: AnswerPart,
  answer: readonly FlatTensor[],
): Generator<{ readonly surveyed: Surveyed; readonly finding?: Finding }> {
  const { inputs } = question.graph;
  const [first, end] =
    mode === "vjp" ? [0, inputs.length] : [part === "cotangent" ? 0 : inputs.length, truth.shapes.length];
  const openness = new OpennessOf(question, truth, part);
  for (let position = first; position < end; position++) {
    const id = nodeId(position);
    const op = nodeAt(question.graph, id)?.op;
    const tensor = answer[position - first];
    const components = truth[part](id);
    const shape = truth.shapes[id] ?? [];
    if (
      tensor === undefined ||
      !isSameShape(tensor.shape, shape) ||
      tensor.data.length !== components.length
    ) {
      const finding = {
        question: mode,
        id,
        element: 0,
        answer: "a tensor of another shape",
        expected: `shape [${shape}]`,
        bound: "0x0p+0",
      };
      yield { surveyed: { part, op, judgement: "outside" }, finding };
      continue;
    }
    for (const [element, component] of components.entries()) {
      const value = tensor.data[element] ?? Number.NaN;
      const judgement = judgementOf(component, value, () => openness.at(id, element));
      if (judgement !== "outside" || openness.isDense(id, element, value)) {
        yield { surveyed: { part, op, judgement: judgement === "outside" ? "dense" : judgement } };
        continue;
      }
      const finding = {
        question: mode,
        id,
        element,
        answer: formatFloat64(value),
        expected: component.allowed,
        bound: formatFloat64(component.boundFor(value)),
      };
      yield { surveyed: { part, op, judgement }, finding };
    }
  }
}

function judgementOf(component: Component, value: number, why: () => Openness): Surveyed["judgement"] {
  const judged = component.judge(value);
  if (judged === "undecided") return component.isOpen ? why() : "close";
  return judged === "within" && component.isOpen ? "reference" : judged;
}

/** This says why the numbers of one part of a case are open. */
class OpennessOf {
  readonly #question: Case;
  readonly #truth: Truth;
  readonly #part: AnswerPart;
  readonly #readers: ReadonlyMap<NodeId, readonly NodeId[]>;

  constructor(question: Case, truth: Truth, part: AnswerPart) {
    this.#question = question;
    this.#truth = truth;
    this.#part = part;
    this.#readers = readersOf(question);
  }

  /** Says why there is no bound at an element. */
  at(id: NodeId, element: number): Openness {
    const { expected } = this.#truth[this.#part](id)[element] ?? {};
    const parents = nodeAt(this.#question.graph, id)?.parents ?? [];
    const sources =
      this.#part === "value" ? [] : this.#part === "tangent" ? parents : (this.#readers.get(id) ?? []);
    const isInherited =
      parents.some((parent) => this.#isOpen("value", parent)) ||
      (this.#part === "tangent" && this.#isOpen("value", id)) ||
      sources.some((source) => this.#isOpen(this.#part, source) || this.#isOpen("value", source));
    if (isInherited) return "inherited";
    return isFiniteText(expected) ? "lost" : "singular";
  }

  /** Tells whether an answer is a NaN of a stored zero, as the dense form of backpropagation stores them. */
  isDense(id: NodeId, element: number, value: number): boolean {
    if (!Number.isNaN(value)) return false;
    return this.#truth.storedZeros[this.#part](id)[element] === true;
  }

  #isOpen(part: AnswerPart, id: NodeId): boolean {
    return this.#truth[part](id).some(({ bound }) => !Number.isFinite(bound));
  }
}

function readersOf({ graph }: Case): Map<NodeId, NodeId[]> {
  const readers = new Map<NodeId, NodeId[]>();
  for (const [index, { parents }] of graph.nodes.entries()) {
    const id = nodeId(graph.inputs.length + index);
    for (const parent of parents) readers.set(parent, [...(readers.get(parent) ?? []), id]);
  }
  return readers;
}

/** Tells whether an expected value is finite: a fraction, or a float in exact text form. */
function isFiniteText(text: string | undefined): boolean {
  return text !== undefined && !/undefined|nan|inf/i.test(text);
}
