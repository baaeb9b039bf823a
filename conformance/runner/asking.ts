import type { Reply } from "../../spec/contract/index.ts";
import type { DataType, ReplyMessage, RequestMessage } from "../../spec/wire/index.ts";
import type { Promised, Promises } from "./promises.ts";
import type { Session } from "./session.ts";

/** Requests write tensors in this form: both are exact, base64 is several times faster, text can be read. */
export type TensorForm = "base64" | "text";

/** Loaded graphs and programs share these with their engine. */
export interface Desk {
  readonly form: TensorForm;
  readonly promises: Promises;
  /** Returns a number that was never given before: the id of a request, or a program. */
  number(): number;
  /** A question was answered as it should be. */
  praise(): void;
  /** Something went wrong that no question is told of. */
  complain(what: string): void;
}

/** A graph or a program loaded into one life of the process. */
export interface Loaded {
  readonly desk: Desk;
  readonly session: Session;
  readonly number: number;
  readonly dtype: DataType;
  /** The promises that it relies on, all of them given. */
  readonly needed: readonly Promised[];
}

/** A request that has no number yet. */
export type Unnumbered<M> = M extends RequestMessage ? Omit<M, "id"> : never;

/** A reply that is no result. */
export type Failure = Exclude<Reply<never>, { readonly kind: "result" }>;

/** Asks, and reads the answer with `read`. An engine whose reply `read` does not expect is stopped. */
export async function ask<R>(
  { desk, session, number }: Loaded,
  request: Unnumbered<RequestMessage>,
  needed: readonly Promised[],
  read: (reply: ReplyMessage) => R | undefined,
): Promise<R | Failure> {
  const id = desk.number();
  const label = `request ${id} (${request.kind} of program ${number})`;
  const outcome = await session.request({ id, ...request }, label);
  if (outcome.kind === "too large") return tooLarge(outcome.bytes);
  if (outcome.kind === "lost")
    return { kind: "crashed", message: outcome.why, ...(outcome.isDue ? {} : { isBystander: true }) };
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

/** Returns the answer to what no line of the protocol holds. */
export function tooLarge(bytes: number): Failure {
  const reason = `the request takes at least ${bytes} bytes, more than a line of the protocol may`;
  return { kind: "unsupported", reason };
}

/** Frees what was loaded, where the process still lives. */
export async function unload(loaded: Loaded): Promise<void> {
  const { session, desk, number: program } = loaded;
  if (!session.isAlive) return;
  const reply = await ask(loaded, { kind: "unload", program }, [], done);
  // A crash is told to the next question; a refusal breaks nothing, and nobody would hear of it.
  if (reply.kind === "error") desk.complain(`could not unload program ${program}: ${reply.message}`);
  if (reply.kind === "unsupported") desk.complain(`cannot unload: ${reply.reason}`);
}

/** Returns the refusal that a reply is, if it is one. */
export function refusal(
  reply: ReplyMessage,
): { readonly kind: "refused"; readonly reason: string } | undefined {
  return reply.kind === "refused" ? { kind: "refused", reason: reply.reason } : undefined;
}

/** Reads a reply that says `done`. */
export function done({
  kind,
}: ReplyMessage): { readonly kind: "result"; readonly value: undefined } | undefined {
  return kind === "done" ? { kind: "result", value: undefined } : undefined;
}
