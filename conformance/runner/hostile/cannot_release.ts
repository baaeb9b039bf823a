/** Fails to release a tape. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "release") say({ id: request.id, kind: "error", message: "stuck" });
  else say(honest(request));
});
