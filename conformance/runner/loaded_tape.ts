import type { Hook, OpenTape, RefusableReply, Reply } from "../../spec/contract/index.ts";
import { encodePoint, encodeSeeds } from "../../spec/documents/index.ts";
import type { Point, Seed } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor, ReplyMessage, TapeLife } from "../../spec/wire/index.ts";
import { readTensors } from "./answer.ts";
import { ask, done, type Loaded, refusal, tooLarge } from "./asking.ts";
import type { Promised } from "./promises.ts";

/** A tape is to be recorded of this. */
interface Recording {
  readonly point: Point;
  readonly life: TapeLife;
  readonly of: readonly NodeId[];
  readonly hooks: readonly NodeId[];
}

/** Records a tape of a loaded graph, where its life, and hooks if there are any, were promised. */
export async function recordIn(
  loaded: Loaded,
  { point, life, of, hooks }: Recording,
): Promise<Reply<OpenTape>> {
  const { desk, session, number: program } = loaded;
  const isHooked = hooks.length > 0;
  const needed: readonly Promised[] = [
    ...loaded.needed,
    `tapes ${life}`,
    ...(isHooked ? (["hooks"] as const) : []),
  ];
  const lacking = desk.promises.lacking(needed);
  if (lacking !== undefined) return { kind: "unsupported", reason: `the engine does not promise ${lacking}` };
  const bytes = bytesOf([...point.inputs, ...point.environment.values()]);
  if (bytes > session.lineBytes) return tooLarge(bytes);
  const tape = desk.number();
  const asked = { kind: "record", program, tape, point: encodePoint(point, desk.form), life, of } as const;
  const request = isHooked ? { ...asked, hooks } : asked;
  const reply = await ask(loaded, request, needed, done);
  if (reply.kind !== "result") return reply;
  const sweep: OpenTape["sweep"] = (seeds, hook) =>
    sweepOf(loaded, tape, seeds, needed, isHooked ? hook : undefined);
  const release: OpenTape["release"] = () => ask(loaded, { kind: "release", tape }, [], done);
  return { kind: "result", value: { sweep, release } };
}

async function sweepOf(
  loaded: Loaded,
  tape: number,
  seeds: readonly Seed[],
  needed: readonly Promised[],
  hook: Hook | undefined,
): Promise<RefusableReply<readonly FlatTensor[]>> {
  const { desk, session, dtype } = loaded;
  const bytes = bytesOf(seeds.map(({ cotangent }) => cotangent));
  if (bytes > session.lineBytes) return tooLarge(bytes);
  const request = { kind: "sweep", tape, seeds: encodeSeeds(seeds, desk.form) } as const;
  return ask(loaded, request, needed, (reply): RefusableReply<readonly FlatTensor[]> | undefined => {
    const wrong = called(reply, dtype, hook);
    if (wrong !== undefined) return wrong;
    const answer = reply.kind === "tensors" ? readTensors(reply.tensors, dtype) : refusal(reply);
    if (answer?.kind === "result" || answer?.kind === "refused") {
      desk.praise();
      desk.promises.keep(needed);
    }
    return answer;
  });
}

/** Calls the hook as often as the reply says. A call that is malformed, or has no hook, is an error. */
function called(
  reply: ReplyMessage,
  dtype: DataType,
  hook: Hook | undefined,
): Extract<Reply<never>, { readonly kind: "error" }> | undefined {
  const calls = (reply.kind === "tensors" || reply.kind === "refused" ? reply.calls : undefined) ?? [];
  if (calls.length === 0) return undefined;
  if (hook === undefined)
    return { kind: "error", message: "wrong calls: the tape was recorded without hooks" };
  const cotangents = readTensors(
    calls.map(({ cotangent }) => cotangent),
    dtype,
  );
  if (cotangents.kind === "error") return { kind: "error", message: `of a call: ${cotangents.message}` };
  if (cotangents.kind === "result")
    for (const [place, { id }] of calls.entries()) hook(nodeId(id), at(cotangents.value, place));
  return undefined;
}

function bytesOf(tensors: readonly FlatTensor[]): number {
  return 8 * tensors.reduce((sum, { data }) => sum + data.length, 0);
}
