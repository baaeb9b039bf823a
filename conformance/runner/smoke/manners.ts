import type { OperatorName } from "../../../spec/composites/index.ts";
import type { Engine, LoadedGraph, Reply } from "../../../spec/contract/index.ts";
import { checkGraph } from "../../../spec/documents/index.ts";
import type { Point } from "../../../spec/graph/index.ts";
import { isPrimitiveName, type PrimitiveName } from "../../../spec/operators/index.ts";
import { beyondLimits } from "../../../spec/promises/index.ts";
import { type DataType, type FlatTensor, formats, isFloatType } from "../../../spec/wire/index.ts";
import { caseOf, examples } from "./examples.ts";
import { failed, isSame, type Outcome, outcomeOf, passed, refusalOutcome, type SmokeStep } from "./step.ts";

/** An engine, and the operator and precision to try its manners with. */
interface Trial {
  readonly engine: Engine;
  readonly op: PrimitiveName;
  readonly dtype: DataType;
}

type Check = (trial: Trial) => Promise<Outcome>;

/** Every engine must pass these checks, whatever its operators. A key is the name of a step. */
const manners: Readonly<Record<string, Check>> = {
  "special numbers survive the way there and back": specialNumbers,
  "the same question gets the same answer": sameAnswer,
  "two programs are kept apart": twoPrograms,
  "questions asked at once are all answered": atOnce,
  "a graph can be unloaded and loaded again": loadedAgain,
  "an empty tensor is a tensor": emptyTensor,
  "a wrong question is answered with an error, and the next with an answer": wrongQuestion,
};

/** Tries everything that has nothing to do with a particular operator. */
export async function* mannersSteps(engine: Engine): AsyncGenerator<SmokeStep, void> {
  const [dtype] = engine.describe().dtypes;
  const promised = engine.describe();
  const op = promised.operators
    .filter(isPrimitiveName)
    .find((name) => beyondLimits(promised, caseOf(name).graph) === undefined);
  if (dtype === undefined || op === undefined) return;
  for (const [name, check] of Object.entries(manners))
    yield { name, outcome: await check({ engine, op, dtype }) };
}

/** Loads the operator's example, and hands it to `body`. */
async function withExample(
  { engine, op, dtype }: Trial,
  body: (program: LoadedGraph, point: Point) => Promise<Outcome>,
): Promise<Outcome> {
  const { graph, point } = caseOf(op);
  const loaded = await engine.load(graph, dtype);
  if (loaded.kind !== "result") return refusalOutcome(loaded, "load answers done");
  const outcome = await body(loaded.value, point);
  await loaded.value.unload();
  return outcome;
}

function valueOutcome(reply: Reply<readonly FlatTensor[]>, op: PrimitiveName): Outcome {
  return outcomeOf(reply, [examples[op].value], "each answer depends on its own request alone");
}

async function specialNumbers({ engine, dtype }: Trial): Promise<Outcome> {
  const { operators, conventions } = engine.describe();
  const carriers: readonly OperatorName[] = ["reshape", "stop_gradient", "negative"];
  const op = carriers.find((candidate) => operators.includes(candidate));
  if (op === undefined) return { kind: "skipped", reason: `none of ${carriers.join(", ")} is promised` };
  const { smallest } = formats[dtype];
  const special = [0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];
  const floats = conventions.subnormals === "gradual" ? [...special, smallest] : special;
  // Posits have one zero, and NaR where floats have infinities; zeros are seen with either sign.
  const numbers = isFloatType(dtype) ? floats : [Number.NaN, smallest, -smallest];
  const input = vector(numbers);
  const graph = oneNode(op, op === "reshape" ? { shape: [numbers.length] } : {}, numbers.length);
  if (!graph.ok) return failed("the graph of this step is not well-formed", "report this to adjudge");
  const beyond = beyondLimits(engine.describe(), graph.value);
  if (beyond !== undefined) return { kind: "skipped", reason: `not promised: ${beyond}` };
  const loaded = await engine.load(graph.value, dtype);
  const hint = "send float64 bits or hex floats; parse nan, inf, -inf and -0x0p+0; say subnormals: flushed";
  if (loaded.kind !== "result") return refusalOutcome(loaded, hint);
  const reply = await loaded.value.evaluate({ inputs: [input], environment: new Map() });
  await loaded.value.unload();
  return outcomeOf(reply, [op === "negative" ? vector(numbers.map((x) => -x)) : input], hint, isSame);
}

async function sameAnswer(trial: Trial): Promise<Outcome> {
  return withExample(trial, async (program, point) => {
    const first = await program.evaluate(point);
    if (first.kind !== "result") return refusalOutcome(first, "evaluate answers tensors");
    const second = await program.evaluate(point);
    return outcomeOf(second, first.value, "an answer must not depend on what was asked before", isSame);
  });
}

async function twoPrograms(trial: Trial): Promise<Outcome> {
  return withExample(trial, async (program, point) => {
    const other = await withExample(trial, async () => passed);
    return other.kind === "passed" ? valueOutcome(await program.evaluate(point), trial.op) : other;
  });
}

async function atOnce(trial: Trial): Promise<Outcome> {
  return withExample(trial, async (program, point) => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => program.evaluate(point)));
    const outcomes = replies.map((reply) => valueOutcome(reply, trial.op));
    return outcomes.find(({ kind }) => kind !== "passed") ?? passed;
  });
}

async function loadedAgain(trial: Trial): Promise<Outcome> {
  const first = await withExample(trial, async () => passed);
  if (first.kind !== "passed") return first;
  return withExample(trial, async (program, point) => valueOutcome(await program.evaluate(point), trial.op));
}

async function emptyTensor({ engine, dtype }: Trial): Promise<Outcome> {
  const { operators } = engine.describe();
  const op = operators.find((candidate) => ["negative", "stop_gradient", "exp", "relu"].includes(candidate));
  if (op === undefined) return { kind: "skipped", reason: "no unary operator is promised" };
  const graph = oneNode(op, {}, 0);
  if (!graph.ok) return failed("the graph of this step is not well-formed", "report this to adjudge");
  const loaded = await engine.load(graph.value, dtype);
  if (loaded.kind !== "result") return declined(loaded);
  const reply = await loaded.value.evaluate({ inputs: [vector([])], environment: new Map() });
  await loaded.value.unload();
  return reply.kind === "result" ? outcomeOf(reply, [vector([])], "") : declined(reply);
}

/** Not to have something special is no fault. */
function declined(reply: Exclude<Reply<never>, { kind: "result" }>): Outcome {
  if (reply.kind === "unsupported") return { kind: "skipped", reason: `declined: ${reply.reason}` };
  return refusalOutcome(reply, "decline with unsupported what the library does not have");
}

async function wrongQuestion(trial: Trial): Promise<Outcome> {
  return withExample(trial, async (program, point) => {
    const wrong: Point = { inputs: [vector([1, 2, 3, 4, 5, 6, 7])], environment: new Map() };
    const reply = await program.evaluate(wrong);
    if (reply.kind === "crashed") return refusalOutcome(reply, "");
    if (reply.kind === "result") {
      const hint = "compare the shapes of a point's tensors with the loaded graph's";
      return failed("answered a question with inputs of the wrong number or shape as if it were right", hint);
    }
    return valueOutcome(await program.evaluate(point), trial.op);
  });
}

function vector(numbers: readonly number[]): FlatTensor {
  return { shape: [numbers.length], data: Float64Array.from(numbers) };
}

function oneNode(op: OperatorName, attributes: object, length: number): ReturnType<typeof checkGraph> {
  return checkGraph({
    format: "adjudge.graph.v1",
    inputs: [{ name: "x", shape: [length] }],
    environment: [],
    nodes: [{ op, attributes, parents: [0] }],
  });
}
