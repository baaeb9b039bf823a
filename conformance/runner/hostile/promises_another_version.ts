/** Speaks another version of the protocol. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  const reply = honest(request);
  say(request.kind === "hello" ? { ...reply, protocol: 2 } : reply);
});
