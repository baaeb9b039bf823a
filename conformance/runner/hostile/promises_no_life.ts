/** Promises tapes that live for no time. */
import { honest, introduction, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind !== "hello") say(honest(request));
  else say({ id: request.id, ...introduction, tapes: { lives: [], releases: false } });
});
