import type { DataType, LoadedGraph, Mode, Reply } from "../../engines/index.ts";
import {
  encodePoint,
  encodeSeeds,
  encodeTensor,
  type FlatTensor,
  type Graph,
  type Point,
  type ReplyMessage,
  type RequestMessage,
  type Seed,
} from "../../spec/index.ts";
import { readTensors } from "./answer.ts";
import type { Promised, Promises } from "./promises.ts";
import type { Session } from "./session.ts";

/** The form of the tensors in requests: exact either way; base64 is several times faster, text can be read. */
export type TensorForm = "base64" | "text";

/** What programs share with their engine. */
export interface Desk {
  readonly form: TensorForm;
  readonly promises: Promises;
  /** A number that was never given before: the id of a request, or a program. */
  number(): number;
  /** A question was answered as it should be. */
  praise(): void;
  /** Something went wrong that no question is told of. */
  complain(what: string): void;
}

/** A graph loaded into one life of the process. */
interface Loaded {
  readonly desk: Desk;
  readonly session: Session;
  readonly number: number;
  readonly dtype: DataType;
  readonly needed: readonly Promised[];
}

type Unnumbered<M> = M extends RequestMessage ? Omit<M, "id"> : never;

/** Loads a graph into the process of `session`; `needed` are the promises it relies on, all of them given. */
export async function loadInto(
  session: Session,
  graph: Graph,
  dtype: DataType,
  needed: readonly Promised[],
  desk: Desk,
): Promise<Reply<LoadedGraph>> {
  const loaded: Loaded = {
    desk,
    session,
    number: desk.number(),
    dtype,
    needed,
  };
  const request = { kind: "load", program: loaded.number, dtype, graph } as const;
  return ask(loaded, request, needed, (reply) =>
    reply.kind === "done" ? { kind: "result", value: programOf(loaded) } : undefined,
  );
}

function programOf(loaded: Loaded): LoadedGraph {
  const { number: program, session, desk } = loaded;
  const { form } = desk;
  const about = (point: Point) => ({ program, point: encodePoint(point, form) });
  const pull = (kind: "vjp" | "backward_dense", point: Point, seeds: readonly Seed[]) => {
    const cotangents = seeds.map(({ cotangent }) => cotangent);
    return askTensors(loaded, kind, [...tensorsOf(point), ...cotangents], () => ({
      kind,
      ...about(point),
      seeds: encodeSeeds(seeds, form),
    }));
  };
  return {
    evaluate: (point) =>
      askTensors(loaded, "evaluate", tensorsOf(point), () => ({ kind: "evaluate", ...about(point) })),
    jvp: (point, tangents) =>
      askTensors(loaded, "jvp", [...tensorsOf(point), ...tangents], () => ({
        kind: "jvp",
        ...about(point),
        tangents: tangents.map((tangent) => encodeTensor(tangent, form)),
      })),
    vjp: (point, seeds) => pull("vjp", point, seeds),
    backwardDense: (point, seeds) => pull("backward_dense", point, seeds),
    async unload() {
      if (!session.isAlive) return;
      const reply = await ask(loaded, { kind: "unload", program }, [], ({ kind }) =>
        kind === "done" ? { kind: "result", value: undefined } : undefined,
      );
      // A crash is told to the next question; a refusal breaks nothing, and nobody would hear of it.
      if (reply.kind === "error") desk.complain(`could not unload program ${program}: ${reply.message}`);
      if (reply.kind === "unsupported") desk.complain(`cannot unload: ${reply.reason}`);
    },
  };
}

/** Asks for the tensors of a mode. `sent` are those in the request, which is made only if they can fit a line. */
async function askTensors(
  loaded: Loaded,
  mode: Mode,
  sent: readonly FlatTensor[],
  request: () => Unnumbered<RequestMessage>,
): Promise<Reply<readonly FlatTensor[]>> {
  const { desk, session } = loaded;
  // Operators and precision were looked at before the graph was loaded.
  const lacking = desk.promises.lacking([`mode ${mode}`]);
  if (lacking !== undefined) return { kind: "unsupported", reason: `the engine does not promise ${lacking}` };
  const bytes = 8 * sent.reduce((sum, { data }) => sum + data.length, 0);
  if (bytes > session.lineBytes) return tooLarge(bytes);
  const needed: Promised[] = [...loaded.needed, `mode ${mode}`];
  return ask(loaded, request(), needed, (reply) => {
    if (reply.kind !== "tensors") return undefined;
    const tensors = readTensors(reply.tensors, loaded.dtype);
    if (tensors.kind === "result") {
      desk.praise();
      desk.promises.keep(needed);
    }
    return tensors;
  });
}

/** Asks, and reads the answer with `read`, which knows what kind of reply is due. */
async function ask<T>(
  { desk, session, number }: Loaded,
  request: Unnumbered<RequestMessage>,
  needed: readonly Promised[],
  read: (reply: ReplyMessage) => Reply<T> | undefined,
): Promise<Reply<T>> {
  const id = desk.number();
  const label = `request ${id} (${request.kind} of program ${number})`;
  const outcome = await session.request({ id, ...request }, label);
  if (outcome.kind === "too large") return tooLarge(outcome.bytes);
  if (outcome.kind === "lost") return { kind: "crashed", message: outcome.why };
  const { reply } = outcome;
  if (reply.kind === "unsupported") {
    desk.promises.decline(needed, reply.reason);
    return { kind: "unsupported", reason: reply.reason };
  }
  if (reply.kind === "error") return { kind: "error", message: reply.message };
  const answer = read(reply);
  if (answer !== undefined) return answer;
  const message = await session.kill(`answered ${label} with ${reply.kind}`, request.kind !== "unload");
  return { kind: "crashed", message };
}

function tensorsOf({ inputs, environment }: Point): FlatTensor[] {
  return [...inputs, ...environment.values()];
}

function tooLarge(bytes: number): { readonly kind: "unsupported"; readonly reason: string } {
  const reason = `the request takes at least ${bytes} bytes, more than a line of the protocol may`;
  return { kind: "unsupported", reason };
}
