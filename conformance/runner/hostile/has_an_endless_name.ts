/** Has a name of a megabyte, which would be said with everything that is said of it. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  const reply = honest(request);
  say(request.kind === "hello" ? { ...reply, name: "honest ".repeat(200_000) } : reply);
});
