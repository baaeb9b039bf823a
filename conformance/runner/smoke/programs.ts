import type {
  Engine,
  LoadedProgram,
  ProgramAnswer,
  ProgramMode,
  ProgramReply,
} from "../../../spec/contract/index.ts";
import {
  operatorsOfProgram,
  type Program,
  type StatementKind,
  statementsOf,
} from "../../../spec/programs/index.ts";
import type { DataType } from "../../../spec/wire/index.ts";
import {
  countingProgram,
  exampleCall,
  type ProgramExample,
  programExamples,
  vector,
} from "./program_examples.ts";
import { failed, type Outcome, outcomeOf, refusalOutcome, type SmokeStep } from "./step.ts";

const modes: readonly ProgramMode[] = ["evaluate", "jvp", "vjp"];

/** Asks for known answers: of each promised statement, precision and mode, and of two calls of a session. */
export async function* programSteps(engine: Engine): AsyncGenerator<SmokeStep, void> {
  const { programs } = engine;
  if (programs === undefined) return;
  const { dtypes, modes: offered } = engine.describe();
  for (const dtype of dtypes) {
    for (const kind of programs.describePrograms().statements)
      yield* statementSteps(
        engine,
        dtype,
        kind,
        modes.filter((mode) => offered.includes(mode)),
      );
    yield {
      name: `a session goes on where the last call left it, ${dtype}`,
      outcome: await session(engine, dtype),
    };
  }
}

async function* statementSteps(
  engine: Engine,
  dtype: DataType,
  kind: StatementKind,
  offered: readonly ProgramMode[],
): AsyncGenerator<SmokeStep, void> {
  const example = programExamples[kind];
  const name = (mode: ProgramMode): string => `statement ${kind} ${dtype} ${mode}`;
  const lacking = lackingFor(engine, example.program);
  if (lacking !== undefined) {
    yield {
      name: `statement ${kind} ${dtype}`,
      outcome: { kind: "skipped", reason: `its example needs ${lacking}` },
    };
    return;
  }
  const loaded = await engine.programs?.loadProgram(example.program, dtype);
  if (loaded === undefined) return;
  for (const mode of offered) {
    const outcome =
      loaded.kind === "result"
        ? await exampleOutcome(loaded.value, example, mode, kind)
        : noAnswer(loaded, `load_program answers done to a program with ${kind}`);
    yield { name: name(mode), outcome };
  }
  if (loaded.kind === "result") await loaded.value.unload();
}

async function exampleOutcome(
  program: LoadedProgram,
  example: ProgramExample,
  mode: ProgramMode,
  kind: StatementKind,
): Promise<Outcome> {
  const { tangents, ...call } = exampleCall;
  const asked = {
    ...call,
    mode,
    tangents: mode === "jvp" ? tangents : [],
    seeds: mode === "vjp" ? example.seeds : [],
  };
  const reply = await program.call(asked);
  const means = `docs/programs.md says what ${kind} does; run answers results, then state, sent, derivative and retained`;
  if (reply.kind !== "result") return noAnswer(reply, means);
  const derivative = { evaluate: [], jvp: [example.tangent], vjp: [example.cotangent] }[mode];
  const retained = mode === "vjp" ? example.retained : [];
  return outcomeOf(
    { kind: "result", value: leftBy(reply.value) },
    [example.result, ...example.sent, ...derivative, ...retained],
    means,
  );
}

/** Returns all tensors of an answer, in the order of the message. */
function leftBy({ results, state, sent, derivative, retained }: ProgramAnswer) {
  return [...results, ...state, ...sent.map(({ value }) => value), ...derivative, ...retained];
}

function noAnswer(
  reply: Exclude<ProgramReply<unknown>, { readonly kind: "result" }>,
  means: string,
): Outcome {
  return reply.kind === "refused"
    ? failed(`refused: ${reply.reason}`, "nothing that the sweep needs is overwritten here")
    : refusalOutcome(reply, means);
}

/** Finds what the example needs besides its statement and the engine does not promise. */
function lackingFor(engine: Engine, program: Program): string | undefined {
  const { operators } = engine.describe();
  const statements = engine.programs?.describePrograms().statements ?? [];
  const statement = statementsOf(program).find(({ do: kind }) => !statements.includes(kind));
  if (statement !== undefined) return `the statement ${statement.do}`;
  const op = operatorsOfProgram(program).find((name) => !operators.includes(name));
  return op === undefined ? undefined : `the operator ${op}`;
}

/** Two calls add to a location; a third begins anew. */
async function session(engine: Engine, dtype: DataType): Promise<Outcome> {
  const lacking = lackingFor(engine, countingProgram);
  if (lacking !== undefined) return { kind: "skipped", reason: `it needs ${lacking}` };
  const means = "a call without session finds what the last call has left; one with session begins anew";
  const loaded = await engine.programs?.loadProgram(countingProgram, dtype);
  if (loaded === undefined || loaded.kind !== "result")
    return noAnswer(loaded ?? { kind: "unsupported", reason: "no programs" }, means);
  const begin = { state: [vector(1, 1)], generator: exampleCall.session.generator };
  const { parameters, environment, received } = exampleCall;
  const left = [];
  for (const start of [{ session: begin }, {}, { session: begin }]) {
    const call = {
      mode: "evaluate",
      parameters,
      environment,
      received,
      tangents: [],
      seeds: [],
      ...start,
    } as const;
    const reply = await loaded.value.call(call);
    if (reply.kind !== "result") return noAnswer(reply, means);
    left.push(...reply.value.state);
  }
  await loaded.value.unload();
  return outcomeOf({ kind: "result", value: left }, [vector(3, 4), vector(5, 7), vector(3, 4)], means);
}
