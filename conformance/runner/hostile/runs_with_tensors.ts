/** Answers a call of a program with tensors. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "run") say({ id: request.id, kind: "tensors", tensors: [] });
  else say(honest(request));
});
