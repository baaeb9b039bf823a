import type { RefusableReply } from "../../../spec/contract/index.ts";
import type { Seed } from "../../../spec/graph/index.ts";
import { formatIssue, type Issue } from "../../../spec/shapes/index.ts";
import {
  encodeTensor,
  type FlatTensor,
  type ReplyMessage,
  type TensorJson,
} from "../../../spec/wire/index.ts";

type Body<M> = M extends ReplyMessage ? Omit<M, "id"> : never;

/** A reply that has no number yet. */
export type ReplyBody = Body<ReplyMessage>;

/** Who writes numbers as text wants to read them as text. */
export function formOf([first]: readonly TensorJson[]): "text" | "base64" {
  return first !== undefined && "data" in first ? "text" : "base64";
}

/** The tensors of an answer, or what there is in their place. */
export function tensorsOf(reply: RefusableReply<readonly FlatTensor[]>, form: "text" | "base64"): ReplyBody {
  if (reply.kind !== "result") return refusal(reply);
  return { kind: "tensors", tensors: reply.value.map((tensor) => encodeTensor(tensor, form)) };
}

/** A call of a hook: the id, and what was handed to it. */
export type HookCall = Seed;

/** The answer to a sweep with the calls that came of it: those of an answer are told if there could be some, those of a refusal if there were. */
export function withCalls(reply: ReplyBody, calls: readonly HookCall[], form: "text" | "base64"): ReplyBody {
  const told = calls.map(({ id, cotangent }) => ({ id, cotangent: encodeTensor(cotangent, form) }));
  if (reply.kind === "tensors") return { ...reply, calls: told };
  return reply.kind === "refused" && told.length > 0 ? { ...reply, calls: told } : reply;
}

/** What an engine says in the place of an answer. */
export function refusal(reply: Exclude<RefusableReply<never>, { kind: "result" }>): ReplyBody {
  if (reply.kind === "unsupported" || reply.kind === "refused")
    return { kind: reply.kind, reason: reply.reason };
  return { kind: "error", message: reply.message };
}

/** The answer to a request that makes no sense. */
export function wrongRequest(issues: readonly Issue[]): ReplyBody {
  return { kind: "error", message: `the request is wrong: ${issues.map(formatIssue).join("; ")}` };
}
