import type {
  LoadedProgram,
  ProgramAnswer,
  ProgramCall,
  ProgramReply,
  Reply,
} from "../../spec/contract/index.ts";
import { encodePoint, encodeSeeds } from "../../spec/documents/index.ts";
import type { Program } from "../../spec/programs/index.ts";
import {
  type DataType,
  encodeTensor,
  type FlatTensor,
  type RanReply,
  type RequestMessage,
  type TensorJson,
} from "../../spec/wire/index.ts";
import { readTensors } from "./answer.ts";
import { ask, type Desk, done, type Loaded, refusal, tooLarge, type Unnumbered, unload } from "./asking.ts";
import type { Promised } from "./promises.ts";
import type { Session } from "./session.ts";

/** Loads a program into the process of `session`. It relies on the promises `needed`, which are all given. */
export async function loadProgramInto(
  session: Session,
  source: Program,
  dtype: DataType,
  needed: readonly Promised[],
  desk: Desk,
): Promise<ProgramReply<LoadedProgram>> {
  const loaded: Loaded = { desk, session, number: desk.number(), dtype, needed };
  const request = { kind: "load_program", program: loaded.number, dtype, source } as const;
  const reply = await ask(loaded, request, needed, (message) => refusal(message) ?? done(message));
  if (reply.kind !== "result") return reply;
  return { kind: "result", value: { call: (call) => run(loaded, call), unload: () => unload(loaded) } };
}

async function run(loaded: Loaded, call: ProgramCall): Promise<ProgramReply<ProgramAnswer>> {
  const { desk, session, dtype } = loaded;
  const lacking = desk.promises.lacking([`mode ${call.mode}`]);
  if (lacking !== undefined) return { kind: "unsupported", reason: `the engine does not promise ${lacking}` };
  const bytes = 8 * tensorsOf(call).reduce((sum, { data }) => sum + data.length, 0);
  if (bytes > session.lineBytes) return tooLarge(bytes);
  const needed: Promised[] = [...loaded.needed, `mode ${call.mode}`];
  return ask(loaded, requestOf(loaded, call), needed, (reply) => {
    const refused = refusal(reply);
    if (refused === undefined && reply.kind !== "ran") return undefined;
    const answer = reply.kind === "ran" ? answerOf(reply, dtype) : refused;
    if (answer?.kind === "result" || answer?.kind === "refused") {
      desk.praise();
      desk.promises.keep(needed);
    }
    return answer;
  });
}

function requestOf({ number: program, desk }: Loaded, call: ProgramCall): Unnumbered<RequestMessage> {
  const { form } = desk;
  const { mode, parameters, environment, received, session, tangents, seeds } = call;
  const all = (tensors: readonly FlatTensor[]): TensorJson[] =>
    tensors.map((tensor) => encodeTensor(tensor, form));
  const point = encodePoint({ inputs: parameters, environment }, form);
  return {
    kind: "run",
    program,
    mode,
    parameters: point.inputs,
    environment: point.environment,
    received: Object.fromEntries([...received].map(([channel, tensors]) => [channel, all(tensors)])),
    ...(session === undefined
      ? {}
      : { session: { state: all(session.state), generator: session.generator } }),
    tangents: all(tangents),
    seeds: encodeSeeds(seeds, form),
  };
}

/** Reads an answer whose tensors hold numbers of the precision; the judge checks how many there are. */
function answerOf(reply: RanReply, dtype: DataType): Reply<ProgramAnswer> {
  const sent = readTensors(
    reply.sent.map(({ value }) => value),
    dtype,
  );
  const [results, state, draws, derivative, retained] = [
    reply.results,
    reply.state,
    reply.draws ?? [],
    reply.derivative,
    reply.retained,
  ].map((tensors) => readTensors(tensors, dtype));
  for (const part of [results, state, sent, draws, derivative, retained]) {
    if (part !== undefined && part.kind !== "result") return part;
  }
  const read = (part: Reply<readonly FlatTensor[]> | undefined): readonly FlatTensor[] =>
    part?.kind === "result" ? part.value : [];
  return {
    kind: "result",
    value: {
      results: read(results),
      state: read(state),
      sent: reply.sent.flatMap(({ channel }, i) => {
        const value = read(sent)[i];
        return value === undefined ? [] : [{ channel, value }];
      }),
      drawn: reply.drawn,
      draws: read(draws),
      derivative: read(derivative),
      retained: read(retained),
    },
  };
}

function tensorsOf({
  parameters,
  environment,
  received,
  session,
  tangents,
  seeds,
}: ProgramCall): FlatTensor[] {
  return [
    ...parameters,
    ...environment.values(),
    ...[...received.values()].flat(),
    ...(session?.state ?? []),
    ...tangents,
    ...seeds.map(({ cotangent }) => cotangent),
  ];
}
