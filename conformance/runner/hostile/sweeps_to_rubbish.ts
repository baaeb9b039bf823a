/** Answers a sweep of a tape with a tensor that is none. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "sweep")
    say({ id: request.id, kind: "tensors", tensors: [{ shape: [2], base64: "AAAA" }] });
  else say(honest(request));
});
