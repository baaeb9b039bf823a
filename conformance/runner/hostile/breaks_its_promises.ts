/** Promises `negative` in float64 and declines every graph. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "load") say({ id: request.id, kind: "unsupported", reason: "not today" });
  else say(honest(request));
});
