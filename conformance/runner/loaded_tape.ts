import type { OpenTape, RefusableReply, Reply } from "../../engines/index.ts";
import {
  encodePoint,
  encodeSeeds,
  type FlatTensor,
  type NodeId,
  type Point,
  type Seed,
  type TapeLife,
} from "../../spec/index.ts";
import { readTensors } from "./answer.ts";
import { ask, done, type Loaded, refusal, tooLarge } from "./asking.ts";
import type { Promised } from "./promises.ts";

/** Records a tape of a loaded graph, where its life was promised. */
export async function recordIn(
  loaded: Loaded,
  point: Point,
  life: TapeLife,
  of: readonly NodeId[],
): Promise<Reply<OpenTape>> {
  const { desk, session, number: program } = loaded;
  const needed: readonly Promised[] = [...loaded.needed, `tapes ${life}`];
  const lacking = desk.promises.lacking(needed);
  if (lacking !== undefined) return { kind: "unsupported", reason: `the engine does not promise ${lacking}` };
  const bytes = bytesOf([...point.inputs, ...point.environment.values()]);
  if (bytes > session.lineBytes) return tooLarge(bytes);
  const tape = desk.number();
  const request = { kind: "record", program, tape, point: encodePoint(point, desk.form), life, of } as const;
  const reply = await ask(loaded, request, needed, done);
  if (reply.kind !== "result") return reply;
  const sweep = (seeds: readonly Seed[]) => sweepOf(loaded, tape, seeds, needed);
  return { kind: "result", value: { sweep, release: () => release(loaded, tape) } };
}

async function sweepOf(
  loaded: Loaded,
  tape: number,
  seeds: readonly Seed[],
  needed: readonly Promised[],
): Promise<RefusableReply<readonly FlatTensor[]>> {
  const { desk, session, dtype } = loaded;
  const bytes = bytesOf(seeds.map(({ cotangent }) => cotangent));
  if (bytes > session.lineBytes) return tooLarge(bytes);
  const request = { kind: "sweep", tape, seeds: encodeSeeds(seeds, desk.form) } as const;
  return ask(loaded, request, needed, (reply): RefusableReply<readonly FlatTensor[]> | undefined => {
    const answer = reply.kind === "tensors" ? readTensors(reply.tensors, dtype) : refusal(reply);
    if (answer?.kind === "result" || answer?.kind === "refused") {
      desk.praise();
      desk.promises.keep(needed);
    }
    return answer;
  });
}

/** Gives up what the tape keeps. What goes wrong is told by whatever is asked next: nobody waits for an answer of this. */
async function release(loaded: Loaded, tape: number): Promise<void> {
  const { session, desk } = loaded;
  if (!session.isAlive) return;
  const reply = await ask(loaded, { kind: "release", tape }, [], done);
  if (reply.kind === "error") desk.complain(`could not release tape ${tape}: ${reply.message}`);
  if (reply.kind === "unsupported") desk.complain(`cannot release tapes: ${reply.reason}`);
}

function bytesOf(tensors: readonly FlatTensor[]): number {
  return 8 * tensors.reduce((sum, { data }) => sum + data.length, 0);
}
