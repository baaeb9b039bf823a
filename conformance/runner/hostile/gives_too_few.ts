/** Leaves the last tensor out. */
import { hostile, say } from "./honest.ts";

hostile("evaluate", (_, reply) => {
  say({ ...reply, tensors: Array.isArray(reply.tensors) ? reply.tensors.slice(1) : [] });
});
