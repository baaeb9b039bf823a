/** Refuses a sweep of a tape with more words than the protocol has room for. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "sweep") say({ id: request.id, kind: "refused", reason: "no ".repeat(2 ** 16) });
  else say(honest(request));
});
