/** Declares that it adds up in a width that there is not. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  const reply = honest(request);
  say(request.kind === "hello" ? { ...reply, accumulation: { sum: { width: "float80" } } } : reply);
});
