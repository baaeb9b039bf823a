/** Promises no mode at all. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  const reply = honest(request);
  say(request.kind === "hello" ? { ...reply, modes: [] } : reply);
});
