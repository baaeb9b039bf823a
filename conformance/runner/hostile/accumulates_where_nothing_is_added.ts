/** Declares how it adds up in an operator that adds nothing. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  const reply = honest(request);
  say(request.kind === "hello" ? { ...reply, accumulation: { negative: { width: "float32" } } } : reply);
});
