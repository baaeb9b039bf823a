import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { programVectors } from "../conformance/index.ts";
import { type ProgramProfile, sessionCases, taskAt } from "../oracle/index.ts";
import {
  addTensors,
  backpropAllCtx,
  type Context,
  type EnvironmentValue,
  entry,
  evaluate,
  execute,
  interpret,
  jvpCtx,
  type Outcome,
  type Rational,
  type Recording,
  rational,
  rationalFromNumber,
  record,
  type Start,
  type Tensor,
  zeros,
} from "../reference/package.ts";
import {
  at,
  type Block,
  blocksOf,
  checkProgramCase,
  checkProgramVector,
  encodeProgramCase,
  entryOf,
  expand,
  type FlatTensor,
  InvariantError,
  type Issue,
  type Let,
  type NodeId,
  nodeId,
  type Program,
  type ProgramCase,
  type ProgramCaseJson,
  plainTensor,
  type Shape,
  type Statement,
  sizeOf,
} from "../spec/index.ts";

/** The executor in Python is asked this; tangents are of the parameters, then of the persistent locations. */
export interface Question {
  readonly name: string;
  readonly case: ProgramCaseJson;
  readonly tangents: readonly FlatTensor[];
}

/** Both executors answer with fractions as texts, or with the code of the error that the run ends with. */
export type Answer =
  | {
      readonly results: readonly Fractions[];
      readonly state: readonly Fractions[];
      /** Each has the channel, then the elements. */
      readonly sent: readonly Fractions[];
      readonly drawn: number;
      /** Cotangents of the parameters, then of the persistent locations as they were. */
      readonly cotangents: readonly Fractions[];
      /** A retained copy has no cotangent of its own, so null. */
      readonly retained: readonly (Fractions | null)[];
      /** Tangents of results, persistent locations and what was sent. */
      readonly tangents: readonly Fractions[];
    }
  | { readonly error: string }
  /** An operator is not rational, or unknown to the executor; or a number has no value. */
  | { readonly uncounted: string };

type Fractions = readonly string[];

const script = fileURLToPath(new URL("independent/programs.py", import.meta.url));

/** Tells whether there is a Python that the executor runs in. */
export const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).status === 0;

/**
 * Draws questions of the campaign of a seed, by their indices: of programs of rational operators, or of the
 * others with rational operators in the places of elementary functions.
 */
export function drawnQuestions(
  profile: ProgramProfile,
  seed: number,
  indices: readonly number[],
): Question[] {
  return indices.map((index) => {
    const { case: drawn, tangents = [] } = taskAt(profile, seed, index);
    const json = encodeProgramCase(drawn);
    return {
      name: `${profile.name} program ${index} of seed ${seed}`,
      case: profile.isExact ? json : { ...json, program: withRationalOperators(json.program) },
      tangents,
    };
  });
}

function withRationalOperators(program: Program): Program {
  const within = (block: Block): Block =>
    block.flatMap((statement): readonly Statement[] => {
      if (statement.do === "let") return rationalInstead(statement);
      const inner = blocksOf(statement).map(([property, body]) => [property, within(body)]);
      return [{ ...statement, ...Object.fromEntries(inner) }];
    });
  return { ...program, procedures: program.procedures.map((one) => ({ ...one, body: within(one.body) })) };
}

/**
 * Returns what stands for a statement: each elementary function is another one of the same shape that is
 * rational; what is transposed is multiplied by itself, since no program is drawn with a matrix product.
 */
function rationalInstead(statement: Let): readonly Statement[] {
  const { name, operands } = statement;
  const given = { do: "let", name, attributes: {}, operands } as const;
  const [x = ""] = operands;
  const [beside, product] = [`${name}.beside`, `${name}.product`];
  switch (statement.op) {
    case "sin":
      return [{ ...given, op: "abs" }];
    case "exp":
      return [{ ...given, op: "floor" }];
    case "sigmoid":
      return [{ ...given, op: "ceil" }];
    case "tanh":
      return [
        { ...given, name: beside, op: "negative" },
        { ...given, op: "where", operands: [x, beside, x] },
      ];
    case "permute_dims":
      if (statement.attributes.axes.length !== 2) return [statement];
      return [
        { ...statement, name: beside },
        { ...given, name: product, op: "matmul", operands: [x, beside] },
        { ...given, op: "matmul", operands: [beside, product] },
      ];
    default:
      return [statement];
  }
}

/** Makes questions of the vectors of the suites: one of each call, from what earlier calls left. */
export function suiteQuestions(): Question[] {
  return [...programVectors()].flatMap(([name, json]) => {
    const vector = checkProgramVector(json);
    if (!vector.ok) throw new InvariantError(`${name} is a vector`);
    const calls = sessionCases(vector.value.case, vector.value.calls);
    return calls.map((call, i) => ({
      name: `call ${i + 1} of ${name}`,
      case: encodeProgramCase(call),
      tangents: call.point.inputs.map(({ shape }) => numbersOf(shape, -3)),
    }));
  });
}

/** Makes questions of programs, at points that depend on the shapes alone, with nothing to receive. */
export function questionsAbout(programs: Readonly<Record<string, Program>>): Question[] {
  return Object.entries(programs).map(([name, about]) => {
    const { parameters, results } = entryOf(about);
    const inputs = [...parameters, ...about.state].map(({ shape }) => numbersOf(shape, 2));
    const question: ProgramCase = {
      program: about,
      point: { inputs, environment: new Map() },
      generator: { key: [1, 2], drawn: 3 },
      received: new Map(),
      seeds: results.map(({ shape }, i) => ({ id: nodeId(i), cotangent: numbersOf(shape, i) })),
    };
    return { name, case: encodeProgramCase(question), tangents: inputs };
  });
}

/** Makes a tensor of small whole numbers, all of them unlike. */
function numbersOf(shape: Shape, first: number): FlatTensor {
  return { shape, data: Float64Array.from({ length: sizeOf(shape) }, (_, i) => first + ((i * 5) % 7)) };
}

/** Asks the executor in Python, in one process. */
export function asked(questions: readonly Question[]): readonly Answer[] {
  return JSON.parse(printed([], questions));
}

/** Asks the executor in Python with mistakes, one after the other. */
export function askedPlanted(
  plants: readonly string[],
  questions: readonly Question[],
): Readonly<Record<string, readonly Answer[]>> {
  return JSON.parse(
    printed(
      plants.flatMap((plant) => ["--plant", plant]),
      questions,
    ),
  );
}

/** Returns the mistakes that the executor in Python can make. */
export function plantsKnown(): readonly string[] {
  return JSON.parse(printed(["--plants"], []));
}

function printed(options: readonly string[], questions: readonly Question[]): string {
  const ran = spawnSync("python3", [script, ...options], {
    input: JSON.stringify(
      questions.map((one) => ({ case: one.case, tangents: one.tangents.map(plainTensor) })),
    ),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (ran.status !== 0) throw new InvariantError(`the executor in Python ends: ${ran.stderr}`);
  return ran.stdout;
}

/** Answers as the reference does, over the rational numbers. */
export function referenceAnswer({ case: json, tangents }: Question): Answer {
  const checked = checkProgramCase(json);
  if (!checked.ok) throw new InvariantError(`a question is checked: ${checked.error[0]?.message}`);
  const question = checked.value;
  const start = startOf(question);
  const executed = execute(rational, question.program, start);
  if (!executed.ok) return refusal(executed.error);
  const recorded = record(rational, question.program, start);
  if (!recorded.ok) return refusal(recorded.error);
  const { results, state, sent, generator } = executed.value;
  return {
    results: results.map(textsOf),
    state: state.map(textsOf),
    sent: sent.map(({ channel, value }) => [channel, ...textsOf(value)]),
    drawn: generator.drawn,
    ...derivativesOf(question, start, recorded.value, tangents.map(exact)),
  };
}

function refusal([first]: readonly Issue[]): Answer {
  const code = first?.code ?? "none";
  return code === "algebra/missing" ? { uncounted: code } : { error: code };
}

function derivativesOf(
  { seeds }: ProgramCase,
  start: Start<Rational>,
  recording: Recording<Rational>,
  directions: Context<Rational>,
): Pick<Extract<Answer, { results: unknown }>, "cotangents" | "retained" | "tangents"> {
  const { graph, ids } = expand(recording.graph);
  const meaning = interpret(graph, rational);
  if (!meaning.ok) throw new InvariantError("what was executed has a meaning");
  const inputs = [...start.parameters, ...start.state];
  const { environment, outcome } = recording;
  const idOf = (id: NodeId): NodeId => at(ids, id);
  const context = evaluate(meaning.value, inputs, environment);
  const seeded = context.map(({ shape }) => zeros(rational.additive, shape));
  for (const { id, cotangent } of seeds) {
    const result = idOf(at(outcome.results, id));
    seeded[result] = addTensors(rational.additive, entry(seeded, result), exact(cotangent));
  }
  const cotangents = backpropAllCtx(rational.additive, meaning.value, inputs, environment, seeded);
  const tangents = jvpCtx(meaning.value, inputs, directions, environment);
  return {
    cotangents: inputs.map((_, id) => textsOf(entry(cotangents, id))),
    retained: recording.retained.map(({ id, isCopy }) =>
      isCopy ? null : textsOf(entry(cotangents, idOf(id))),
    ),
    tangents: leftBy(outcome).map((id) => textsOf(entry(tangents, idOf(id)))),
  };
}

function leftBy<V>({ results, state, sent }: Outcome<V>): V[] {
  return [...results, ...state, ...sent.map(({ value }) => value)];
}

function startOf({ program, point, generator, received }: ProgramCase): Start<Rational> {
  const inputs = point.inputs.map(exact);
  const count = entryOf(program).parameters.length;
  const kinds = new Map(program.environment.map(({ name, kind }) => [name, kind]));
  const environment = [...point.environment].map(([name, flat]): [string, EnvironmentValue<Rational>] => [
    name,
    kinds.get(name) === "index"
      ? { kind: "index", shape: flat.shape, indices: [...flat.data] }
      : { kind: "real", tensor: exact(flat) },
  ]);
  return {
    parameters: inputs.slice(0, count),
    state: inputs.slice(count),
    environment: new Map(environment),
    generator,
    world: new Map([...received].map(([channel, tensors]) => [channel, tensors.map(exact)])),
  };
}

function exact({ shape, data }: FlatTensor): Tensor<Rational> {
  return { shape, data: Array.from(data, rationalFromNumber) };
}

function textsOf({ data }: Tensor<Rational>): Fractions {
  return data.map(rational.format);
}

/** Two answers are the same, differ, or do not count, since one of them is none. */
export type Comparison = "same" | "different" | "uncounted";

/** Compares the reference's answer with another one, fraction by fraction. */
export function comparedAnswers(own: Answer, other: Answer): Comparison {
  if ("uncounted" in own || "uncounted" in other) return "uncounted";
  const isSame = JSON.stringify(own) === JSON.stringify(withoutCopies(own, other));
  return isSame ? "same" : "different";
}

/** Leaves out what the other retained where the one has a copy, in the order of the one's fields. */
function withoutCopies(own: Answer, other: Answer): Answer {
  if (!("results" in own) || !("results" in other)) return other;
  const retained = other.retained.map((one, i) => (own.retained[i] === null ? null : one));
  const { results, state, sent, drawn, cotangents, tangents } = other;
  return { results, state, sent, drawn, cotangents, retained, tangents };
}
