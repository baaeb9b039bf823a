/** Promises a precision that there is not. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  const reply = honest(request);
  say(request.kind === "hello" ? { ...reply, dtypes: ["float80"] } : reply);
});
