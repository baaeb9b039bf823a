import {
  type Asked,
  answerIn,
  type DataType,
  type Engine,
  type LoadedGraph,
  type Mode,
  type Reply,
} from "../../engines/index.ts";
import { type Expected, type FlatTensor, type NodeId, nodeId, type OperatorName } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { denseCotangents } from "../reference_run.ts";
import { type Standard, standardOf, type Truth, truthOf } from "../truth/index.ts";
import { allowing } from "./admit.ts";
import type { Finding } from "./finding.ts";
import { agrees, compareTensor, type Outcome, worse } from "./outcome.ts";

/** A case in front of an engine that has loaded its graph. */
export interface Hearing {
  readonly question: Case;
  readonly engine: Engine;
  readonly program: LoadedGraph;
  readonly standard: Standard;
  readonly truth: Truth;
}

/** The tensors of a case as they are handed to an engine: copies, so that one that writes into them fools itself. */
function lent({ point, tangents, seeds }: Case): Asked {
  const copy = ({ shape, data }: FlatTensor): FlatTensor => ({ shape, data: data.slice() });
  const environment = new Map([...point.environment].map(([name, tensor]) => [name, copy(tensor)]));
  return {
    point: { inputs: point.inputs.map(copy), environment },
    tangents: tangents.map(copy),
    seeds: seeds.map(({ id, cotangent }) => ({ id, cotangent: copy(cotangent) })),
  };
}

/**
 * A relation between an engine's own answers that needs no reference: what is wrong with it, nothing, or
 * `undecided` where the engine does not offer what it relates.
 */
export interface Law {
  readonly name: Finding["question"];
  readonly needs: readonly Mode[];
  check(hearing: Hearing): Promise<Outcome>;
}

/**
 * Puts a case to an engine in every mode it offers, compares each answer with the truth, and checks the laws.
 * Stops at the first disagreement. `allowed` widens the truth by a policy's choices. Cost: one load, one call per mode, and what the laws need.
 */
export async function ask(
  engine: Engine,
  question: Case,
  dtype: DataType,
  laws: readonly Law[],
  allowed?: Expected,
): Promise<Outcome> {
  const { operators, modes, ...description } = engine.describe();
  const unknown = operatorsOf(question).find((op) => !operators.includes(op));
  if (unknown !== undefined) return { kind: "unsupported", reason: `the engine does not offer ${unknown}` };
  const loaded = await engine.load(question.graph, dtype);
  if (loaded.kind !== "result") return fromReply(loaded);
  const program = loaded.value;
  try {
    const standard = standardOf(description, dtype);
    const plain = truthOf(question, standard);
    const truth = allowed === undefined ? plain : allowing(plain, allowed);
    const hearing: Hearing = { question, engine, program, standard, truth };
    return await askEverything(hearing, modes, laws);
  } finally {
    await program.unload();
  }
}

/** The operators of a case's graph. */
export function operatorsOf({ graph }: Case): OperatorName[] {
  return [...new Set(graph.nodes.map(({ op }) => op))];
}

async function askEverything(
  hearing: Hearing,
  modes: readonly Mode[],
  laws: readonly Law[],
): Promise<Outcome> {
  let outcome: Outcome = agrees;
  const handed = lent(hearing.question);
  for (const mode of inOrder(modes)) {
    outcome = worse(outcome, await askMode(hearing, handed, mode));
    if (outcome.kind === "differs" || outcome.kind === "crashed") return outcome;
  }
  for (const law of laws) {
    if (!law.needs.every((mode) => modes.includes(mode))) continue;
    const checked = await law.check(hearing);
    // A law that cannot decide takes nothing back from what the truth has decided.
    if (checked.kind === "differs" || checked.kind === "crashed") return checked;
  }
  return outcome;
}

/** Values before derivatives, and the plain gradient before the one of every id. */
function inOrder(modes: readonly Mode[]): Mode[] {
  const order: readonly Mode[] = ["evaluate", "jvp", "vjp", "backward_dense"];
  return order.filter((mode) => modes.includes(mode));
}

/** One mode's answer against the truth. */
async function askMode(hearing: Hearing, handed: Asked, mode: Mode): Promise<Outcome> {
  const { question, program, truth } = hearing;
  const inputs = question.graph.inputs.length;
  const reply = await answerIn(program, mode, handed);
  switch (mode) {
    case "evaluate":
      return compareAll(mode, reply, inputs, truth, "value");
    case "jvp":
      return compareAll(mode, reply, inputs, truth, "tangent");
    case "vjp":
      return compareCotangents(question, mode, reply, { ...truth, shapes: truth.shapes.slice(0, inputs) });
    case "backward_dense":
      return compareCotangents(question, mode, reply, truth);
  }
}

/**
 * The dense form of backpropagation sends a zero through nodes that no seed reaches, and `0 · ∞` there is NaN;
 * the sparse form does not. Both are defined [SEMANTICS §4], so a NaN of the dense form accuses nobody.
 */
function compareCotangents(
  question: Case,
  mode: Mode,
  reply: Reply<readonly FlatTensor[]>,
  truth: Truth,
): Outcome {
  const outcome = compareAll(mode, reply, 0, truth, "cotangent");
  if (outcome.kind !== "differs" || outcome.finding.answer !== "nan") return outcome;
  const { id, element } = outcome.finding;
  const dense = denseCotangents(question);
  if (!Number.isNaN(dense[id]?.data[element])) return outcome;
  const others = compareAll(mode, reply, 0, excusing(truth, dense), "cotangent");
  return others.kind === "differs"
    ? others
    : {
        kind: "undecided",
        cause: `id ${id} is NaN in the dense form of backpropagation, not in the sparse one`,
      };
}

/** The truth, undecided about NaN where `dense` has one. */
function excusing(truth: Truth, dense: readonly FlatTensor[]): Truth {
  return {
    ...truth,
    cotangent: (id) =>
      truth.cotangent(id).map((component, element) => ({
        judge: (answer) =>
          Number.isNaN(answer) && Number.isNaN(dense[id]?.data[element])
            ? "undecided"
            : component.judge(answer),
        expected: component.expected,
        allowed: component.allowed,
        isOpen: component.isOpen,
        bound: component.bound,
      })),
  };
}

/** Compares an answer for the ids from `first` on: in evaluation order, cotangents in the order of the sweep. */
function compareAll(
  mode: Mode,
  reply: Reply<readonly FlatTensor[]>,
  first: number,
  truth: Truth,
  part: "value" | "tangent" | "cotangent",
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
    answer: `${answer.length} tensors`,
    expected: `${ids.length} tensors`,
    bound: "0x0p+0",
  };
}

const ERROR_PREFIX = "error: ";

/** Whether an engine that gave no answer said so itself, and lives on: asking it again costs no new process. */
export function isErrorReply(outcome: Outcome): outcome is Outcome & { readonly kind: "crashed" } {
  return outcome.kind === "crashed" && outcome.message.startsWith(ERROR_PREFIX);
}

/** An answer that is none, as an outcome: an error of the engine counts as a crash. */
export function fromReply(reply: Exclude<Reply<unknown>, { readonly kind: "result" }>): Outcome {
  switch (reply.kind) {
    case "unsupported":
      return { kind: "unsupported", reason: reply.reason };
    case "error":
      return { kind: "crashed", message: `${ERROR_PREFIX}${reply.message}` };
    case "crashed":
      return { kind: "crashed", message: reply.message };
  }
}
