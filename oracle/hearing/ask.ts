import type { OperatorName } from "../../spec/composites/index.ts";
import type { Engine, Reply } from "../../spec/contract/index.ts";
import { nodeAt } from "../../spec/graph/index.ts";
import { type NodeId, nodeId } from "../../spec/shapes/index.ts";
import type { DataType, Expected, FlatTensor, LawName, Mode } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { type Component, judgedBy, type Part, type Truth, truthOf } from "../truth/index.ts";
import { cappedStandard, standardOf } from "../truth/standard/index.ts";
import { allowing } from "./admit.ts";
import { truthAfter } from "./answered.ts";
import { askCalls } from "./calls.ts";
import { openDeclarations } from "./conventional.ts";
import { countText, type Finding } from "./finding.ts";
import { type Heard, Listener } from "./heard.ts";
import { answersOf, type Hearing, lent, release, writtenInto } from "./hearing.ts";
import { agrees, compareTensor, fromReply, type Outcome, worse } from "./outcome.ts";

/**
 * A law relates an engine's own answers and needs no reference: it finds what is wrong, nothing, or
 * `undecided` where the engine does not offer what it relates.
 */
export interface Law {
  readonly name: LawName;
  readonly needs: readonly Mode[];
  /** If true, it follows, up to bounds, where the truth decided every answer in its modes. */
  readonly followsFromTruth: boolean;
  check(hearing: Hearing): Promise<Outcome>;
}

/** A case is asked with these options. */
interface Asking {
  /** These widen the truth by a policy's choices: no law follows, and no digits are told. */
  readonly allowed?: Expected | undefined;
  /** If true, an engine that queues is asked in all modes before an answer is judged, which saves waits. */
  readonly atOnce?: boolean;
  /** Is told what the answers tell beside the outcome. */
  readonly hear?: ((heard: Heard) => void) | undefined;
}

/**
 * Puts a case to an engine in every mode it offers, compares each answer with the truth, and checks the laws
 * that do not follow from that. Stops at the first disagreement. Cost: one load, one call per mode, and what
 * the laws need.
 */
export async function ask(
  engine: Engine,
  question: Case,
  dtype: DataType,
  laws: readonly Law[],
  { allowed, atOnce = false, hear }: Asking = {},
): Promise<Outcome> {
  const description = engine.describe();
  const { operators, modes } = description;
  const unknown = operatorsOf(question).find((op) => !operators.includes(op));
  if (unknown !== undefined) return { kind: "unsupported", reason: `the engine does not offer ${unknown}` };
  const loaded = await engine.load(question.graph, dtype);
  if (loaded.kind !== "result") return fromReply(loaded);
  const program = loaded.value;
  try {
    const standard = standardOf(description, dtype);
    const plain = truthOf(question, standard);
    const truth = allowed === undefined ? plain : allowing(plain, allowed);
    const handed = lent(question);
    const isAtOnce = atOnce && engine.queues === true;
    const answer = answersOf(program, handed, isAtOnce || laws.length > 0);
    const listener = hear === undefined ? undefined : new Listener(question.graph);
    const varied = (apart: number): void => listener?.varied(apart);
    const hearing: Hearing = { question, engine, program, standard, truth, handed, modes, answer, varied };
    if (isAtOnce && question.calls === undefined) await Promise.all(inOrder(modes).map(answer));
    const isPlain = question.calls === undefined && allowed === undefined;
    const said =
      question.calls === undefined
        ? await askEverything(hearing, laws, allowed === undefined, listener)
        : await askCalls(hearing, question.calls, askMode, listener);
    const outcome = said.kind === "undecided" && atOnce && isPlain ? await explained(hearing, said) : said;
    if (listener !== undefined) {
      if (outcome.kind === "agrees" && isPlain && (await isExcused(hearing))) listener.excused();
      hear?.(listener.heard);
    }
    return outcome;
  } finally {
    await release(engine, program);
  }
}

/** Lists the operators of a case's graph. */
export function operatorsOf({ graph }: Case): OperatorName[] {
  return [...new Set(graph.nodes.map(({ op }) => op))];
}

/** Says beside the cause which convention would decide that the first open answer is right, if declared. */
async function explained(
  hearing: Hearing,
  { kind, cause }: Extract<Outcome, { readonly kind: "undecided" }>,
): Promise<Outcome> {
  const { question, engine, standard } = hearing;
  // What the reference has leaves nothing open that could be declared.
  if (standard.conventions.singularPoints === "reference") return { kind, cause };
  const open = await firstOpen(hearing);
  if (open === undefined) return { kind, cause };
  const found: string[] = [];
  for (const { text, conventions } of openDeclarations(standard.conventions, open.op)) {
    const declared = standardOf({ ...engine.describe(), conventions }, standard.dtype);
    const asDeclared = { ...hearing, standard: declared, truth: truthOf(question, declared) };
    if ((await askMode(asDeclared, open.mode, true)).kind === "agrees") found.push(text);
  }
  if (found.length === 0) return { kind, cause };
  return { kind, cause: `${cause}; it is right for an engine that declares ${found.join(", or ")}` };
}

/** Returns the mode of the first answer that is open for want of a bound, and the operator that it is of. */
async function firstOpen(
  hearing: Hearing,
): Promise<{ readonly mode: Mode; readonly op: OperatorName | undefined } | undefined> {
  const { question, modes } = hearing;
  for (const mode of inOrder(modes)) {
    const { given: reply } = await hearing.answer(mode);
    if (reply.kind !== "result") return undefined;
    const truth = await truthAfter(hearing, mode);
    const [part, first] = placed(mode, question);
    for (const [place, { data }] of reply.value.entries()) {
      const id = nodeId(first + place);
      const isOpen = truth[part](id).some(
        (component, element) =>
          component.isOpen && component.judge(data[element] ?? Number.NaN) === "undecided",
      );
      if (isOpen) return { mode, op: nodeAt(question.graph, id)?.op };
    }
  }
  return undefined;
}

/** Returns the part that a mode answers with, and the id of its first tensor. */
function placed(mode: Mode, { graph }: Case): readonly [Part, number] {
  if (mode === "evaluate") return ["value", graph.inputs.length];
  return mode === "jvp" ? ["tangent", graph.inputs.length] : ["cotangent", 0];
}

async function askEverything(
  hearing: Hearing,
  laws: readonly Law[],
  isTruthAlone: boolean,
  listener: Listener | undefined,
): Promise<Outcome> {
  const { modes } = hearing;
  const decided = new Set<Mode>();
  let outcome: Outcome = agrees;
  for (const mode of inOrder(modes)) {
    const said = await askMode(hearing, mode, isTruthAlone);
    if (said.kind === "agrees" && isTruthAlone) {
      decided.add(mode);
      await listener?.agreed(hearing, mode);
    }
    outcome = worse(outcome, said);
    if (outcome.kind === "differs" || outcome.kind === "crashed") return outcome;
  }
  for (const law of laws) {
    if (!mayTell(law, modes, decided)) {
      if (law.needs.every((mode) => modes.includes(mode))) listener?.law(law.name, undefined);
      continue;
    }
    const checked = await law.check(hearing);
    listener?.law(law.name, checked);
    // A law that cannot decide takes nothing back from what the truth has decided.
    if (checked.kind === "differs" || checked.kind === "crashed") return checked;
  }
  return outcome;
}

/** Tells whether a law can tell more of an engine's answers than the truth, which decides some, has told. */
export function mayTell(
  { needs, followsFromTruth }: Law,
  modes: readonly Mode[],
  decided: ReadonlySet<Mode>,
): boolean {
  if (!needs.every((mode) => modes.includes(mode))) return false;
  return !(followsFromTruth && needs.every((mode) => decided.has(mode)));
}

/** Values come before derivatives, and the plain gradient before the one of every id. */
export function inOrder(modes: readonly Mode[]): Mode[] {
  const order: readonly Mode[] = ["evaluate", "jvp", "vjp", "backward_dense"];
  return order.filter((mode) => modes.includes(mode));
}

/**
 * Asks one mode and compares the answer with the truth, if that stands alone with what other modes answered;
 * else no other mode is asked.
 */
async function askMode(hearing: Hearing, mode: Mode, isTruthAlone = false): Promise<Outcome> {
  const { question } = hearing;
  const truth = isTruthAlone ? await truthAfter(hearing, mode) : hearing.truth;
  const inputs = question.graph.inputs.length;
  const { given: reply } = await hearing.answer(mode);
  const written = writtenInto(hearing, mode);
  if (written !== undefined) return { kind: "differs", finding: written };
  switch (mode) {
    case "evaluate":
      return compareExcused(mode, reply, inputs, truth, "value");
    case "jvp":
      return compareExcused(mode, reply, inputs, truth, "tangent");
    case "vjp":
      return compareCotangents(reply, truth, inputs);
    case "backward_dense":
      return compareExcused(mode, reply, 0, truth, "cotangent");
  }
}

/** Compares the cotangents of the inputs, `count` in number. */
export function compareCotangents(
  reply: Reply<readonly FlatTensor[]>,
  truth: Truth,
  inputs: number,
): Outcome {
  return compareExcused("vjp", reply, 0, { ...truth, shapes: truth.shapes.slice(0, inputs) }, "cotangent");
}

/** Compares what a hook was handed with the cotangent of its id. */
export function compareCotangentAt(id: NodeId, given: FlatTensor, truth: Truth): Outcome {
  return excused(truth, "cotangent", (allowed) =>
    compareTensor("hook", id, allowed.shapes[id] ?? [], given, allowed.cotangent(id)),
  );
}

/**
 * Tells whether answers that agree would not if no accuracy were declared beyond its ceiling. Cost: nothing
 * where none is; else one more truth.
 */
async function isExcused(hearing: Hearing): Promise<boolean> {
  const capped = cappedStandard(hearing.standard);
  if (capped === undefined) return false;
  const strict = { ...hearing, truth: truthOf(hearing.question, capped) };
  for (const mode of hearing.modes) {
    if ((await askMode(strict, mode, true)).kind === "differs") return true;
  }
  return false;
}

/**
 * Excuses a NaN that comes of a stored zero times a slope that is infinite or has no value: an exponent's
 * tangent, or what the dense form of backpropagation sends through nodes that no seed reaches, where the
 * sparse form sends nothing; a derivative node makes its value NaN of these. Both forms are defined
 * [SEMANTICS §4; docs/truth.md], so such a NaN accuses nobody.
 */
function excused(truth: Truth, part: Part, compare: (truth: Truth) => Outcome): Outcome {
  const outcome = compare(truth);
  if (outcome.kind !== "differs" || outcome.finding.answer !== "nan") return outcome;
  const { id, element } = outcome.finding;
  if (truth.storedZeros[part](id)[element] !== true) return outcome;
  const others = compare(excusing(truth, part));
  return others.kind === "differs"
    ? others
    : {
        kind: "undecided",
        cause: `the ${part} of id ${id} is NaN where a zero is stored and multiplied, not where it is left out${
          part === "cotangent" ? "; it is right for an engine that declares zeroCotangents: dense" : ""
        }`,
      };
}

function compareExcused(
  mode: Mode,
  reply: Reply<readonly FlatTensor[]>,
  first: number,
  truth: Truth,
  part: Part,
): Outcome {
  return excused(truth, part, (allowed) => compareAll(mode, reply, first, allowed, part));
}

/** Makes the truth undecided about NaN where a stored zero may make one. */
export function excusing(truth: Truth, part: Part): Truth {
  const excused = (id: NodeId): readonly Component[] => {
    const places = truth.storedZeros[part](id);
    return truth[part](id).map((component, element) =>
      judgedBy(component, (answer) =>
        Number.isNaN(answer) && places[element] === true ? "undecided" : component.judge(answer),
      ),
    );
  };
  return { ...truth, [part]: excused };
}

/** Compares an answer from the id `first` on: in evaluation order, cotangents in the order of the sweep. */
function compareAll(
  mode: Mode,
  reply: Reply<readonly FlatTensor[]>,
  first: number,
  truth: Truth,
  part: Part,
): Outcome {
  if (reply.kind !== "result") return fromReply(reply);
  const ids = truth.shapes.map((_, id) => nodeId(id)).slice(first);
  if (reply.value.length !== ids.length)
    return { kind: "differs", finding: countFinding(mode, ids, reply.value) };
  if (part === "cotangent") ids.reverse();
  let outcome: Outcome = agrees;
  for (const id of ids) {
    const shape = truth.shapes[id] ?? [];
    outcome = worse(outcome, compareTensor(mode, id, shape, reply.value[id - first], truth[part](id)));
    if (outcome.kind === "differs") return outcome;
  }
  return outcome;
}

function countFinding(question: Mode, ids: readonly NodeId[], answer: readonly FlatTensor[]): Finding {
  return {
    question,
    id: ids.at(-1) ?? nodeId(0),
    element: 0,
    answer: countText(answer.length),
    expected: countText(ids.length),
    bound: "0x0p+0",
  };
}
