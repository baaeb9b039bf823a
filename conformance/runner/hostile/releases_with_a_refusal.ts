/** Refuses to release a tape. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "release") say({ id: request.id, kind: "refused", reason: "it is mine" });
  else say(honest(request));
});
