/** Promises one life of tapes twice. */
import { honest, introduction, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind !== "hello") say(honest(request));
  else say({ id: request.id, ...introduction, tapes: { lives: ["once", "once"], releases: false } });
});
