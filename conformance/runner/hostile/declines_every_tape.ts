/** Promises tapes, and has none. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "record") say({ id: request.id, kind: "unsupported", reason: "not yet" });
  else say(honest(request));
});
