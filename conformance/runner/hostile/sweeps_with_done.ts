/** Answers a sweep of a tape with `done`. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "sweep") say({ id: request.id, kind: "done" });
  else say(honest(request));
});
