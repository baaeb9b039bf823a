import type {
  LoadedProgram,
  ProgramAnswer,
  ProgramCall,
  ProgramReply,
} from "../../../spec/contract/index.ts";
import { decodeProgramPoint, decodeReceived, decodeSeeds, entryOf } from "../../../spec/documents/index.ts";
import type { Input } from "../../../spec/graph/index.ts";
import type { Program } from "../../../spec/programs/index.ts";
import { fail, type Issue, issuesWithin, ok, type Result } from "../../../spec/shapes/index.ts";
import {
  encodeTensor,
  type FlatTensor,
  type ReplyMessage,
  type RunRequest,
  type TensorJson,
} from "../../../spec/wire/index.ts";

type Body<M> = M extends ReplyMessage ? Omit<M, "id"> : never;

/** Runs a call of a loaded program. Fails: as decoding points and seeds does, with the request's place. */
export async function callProgram(
  source: Program,
  program: LoadedProgram,
  request: RunRequest,
): Promise<Result<ProgramReply<ProgramAnswer>, Issue[]>> {
  const call = decodeCall(source, request);
  return call.ok ? ok(await program.call(call.value)) : call;
}

function decodeCall(source: Program, request: RunRequest): Result<ProgramCall, Issue[]> {
  const { mode, session } = request;
  const { parameters, results } = entryOf(source);
  const at = (
    inputs: readonly Input[],
    tensors: readonly TensorJson[],
    place: string,
  ): Result<readonly FlatTensor[], Issue[]> => {
    const none: Program = { ...source, environment: [] };
    const point = decodeProgramPoint(none, inputs, { inputs: tensors, environment: {} });
    return point.ok ? ok(point.value.inputs) : fail(movedTo(place, point.error));
  };
  const point = decodeProgramPoint(source, parameters, {
    inputs: request.parameters,
    environment: request.environment,
  });
  const received = decodeReceived(request.received);
  const state = at(source.state, session?.state ?? [], "/session/state");
  const tangents = at([...parameters, ...source.state], request.tangents, "/tangents");
  const shapes = results.map(({ shape }) => shape);
  const seeds = decodeSeeds(shapes, request.seeds, "/seeds", "results");
  if (!point.ok) return fail(movedTo("/parameters", point.error));
  if (!received.ok) return received;
  if (session !== undefined && !state.ok) return state;
  if (mode === "jvp" && !tangents.ok) return tangents;
  if (!seeds.ok) return seeds;
  return ok({
    mode,
    parameters: point.value.inputs,
    environment: point.value.environment,
    received: received.value,
    ...(session === undefined || !state.ok
      ? {}
      : { session: { state: state.value, generator: session.generator } }),
    tangents: mode === "jvp" && tangents.ok ? tangents.value : [],
    seeds: seeds.value,
  });
}

/** Moves issues of a point's inputs to where they stand in the request. */
function movedTo(place: string, issues: readonly Issue[]): Issue[] {
  const inputs = issues.map((issue) => ({ ...issue, pointer: issue.pointer.replace(/^\/inputs/, "") }));
  return inputs.flatMap((issue) =>
    issue.pointer.startsWith("/environment") ? [issue] : issuesWithin(place, [issue]),
  );
}

/** Makes the reply that says what a call has left. */
export function ranReply(answer: ProgramAnswer, form: "text" | "base64"): Body<ReplyMessage> {
  const all = (tensors: readonly FlatTensor[]): TensorJson[] =>
    tensors.map((tensor) => encodeTensor(tensor, form));
  const { results, state, sent, drawn, draws, derivative, retained } = answer;
  return {
    kind: "ran",
    results: all(results),
    state: all(state),
    sent: sent.map(({ channel, value }) => ({ channel, value: encodeTensor(value, form) })),
    drawn,
    ...(draws.length === 0 ? {} : { draws: all(draws) }),
    derivative: all(derivative),
    retained: all(retained),
  };
}
