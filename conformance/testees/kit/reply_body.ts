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

/** Chooses the form of a reply: whoever writes numbers as text wants to read them as text. */
export function formOf([first]: readonly TensorJson[]): "text" | "base64" {
  return first !== undefined && "data" in first ? "text" : "base64";
}

/** Makes the reply with the tensors of an answer, or with the refusal. */
export function tensorsOf(reply: RefusableReply<readonly FlatTensor[]>, form: "text" | "base64"): ReplyBody {
  if (reply.kind !== "result") return refusal(reply);
  return { kind: "tensors", tensors: reply.value.map((tensor) => encodeTensor(tensor, form)) };
}

/** A call of a hook: the id, and what was handed to it. */
export type HookCall = Seed;

/** Adds the calls of hooks to an answer, even if there are none, or to a refusal if there are some. */
export function withCalls(reply: ReplyBody, calls: readonly HookCall[], form: "text" | "base64"): ReplyBody {
  const told = calls.map(({ id, cotangent }) => ({ id, cotangent: encodeTensor(cotangent, form) }));
  if (reply.kind === "tensors") return { ...reply, calls: told };
  return reply.kind === "refused" && told.length > 0 ? { ...reply, calls: told } : reply;
}

/** Makes the reply of an engine that gives no answer. */
export function refusal(reply: Exclude<RefusableReply<never>, { kind: "result" }>): ReplyBody {
  if (reply.kind === "unsupported" || reply.kind === "refused")
    return { kind: reply.kind, reason: reply.reason };
  return { kind: "error", message: reply.message };
}

/** Makes the reply to a request that makes no sense. */
export function wrongRequest(issues: readonly Issue[]): ReplyBody {
  return { kind: "error", message: `the request is wrong: ${issues.map(formatIssue).join("; ")}` };
}
